"""A tool call as one line: its main arguments, and what became of it, in words."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.chat import CallStatus
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import CONFIRMED_ARGUMENT
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.field_words import field_label, field_value
from nova_ui.presenters.turn_parts import CallLine

MAX_ARGUMENTS: Final = 3
MAX_VALUE_CHARS: Final = 40

REFUSAL_WORDS: Final = {
    "not_released": mark("not released for this assistant"),
    "not_permitted": mark("not permitted for your role"),
    "interface_only": mark("only possible in the administration interface"),
    "invalid_arguments": mark("the arguments were not valid"),
    "secret_argument": mark("secrets can't be passed through the chat"),
    "confirmation_required": mark("waits for you"),
    "confirmation_invalid": mark("the confirmation did not count"),
    "read_only_reply": mark("after a confirmation only reading is possible"),
    "limit_destructive": mark("only one action that needs a confirmation per message"),
    "limit_repeated_call": mark("the same call was repeated too often"),
    "limit_tool_results": mark("the results of this message are full"),
    "limit_model_calls": mark("no model call is left for this message"),
}
STATUS_WORDS: Final = {
    CallStatus.REFUSED: mark("refused"),
    CallStatus.ERROR: mark("failed"),
    CallStatus.PREVIEWED: mark("waits for you"),
    CallStatus.UNKNOWN: mark("outcome unknown: please check before you repeat it"),
}
STATUS_ICONS: Final[Mapping[CallStatus | None, str]] = {
    None: "hourglass_empty",
    CallStatus.OK: "check",
    CallStatus.REFUSED: "block",
    CallStatus.ERROR: "error_outline",
    CallStatus.PREVIEWED: "pan_tool",
    CallStatus.UNKNOWN: "help_outline",
}


def main_arguments(arguments: Mapping[str, JsonValue], names: Mapping[str, str], tr: Translator) -> str:
    """Return the first arguments in one line of words, shortened, an id as the name that is known for it.

    All of them are shown exactly as they are when the line is opened.
    """
    given = [(name, value) for name, value in arguments.items() if value is not None and name != CONFIRMED_ARGUMENT]
    shown = " · ".join(_in_words(name, value, names, tr) for name, value in given[:MAX_ARGUMENTS])
    return f"{shown} · …" if len(given) > MAX_ARGUMENTS else shown


def outcome_text(line: CallLine, tr: Translator) -> str:
    """Return what became of a call where there is more to say than that it worked."""
    if line.status is None:
        return tr("running …")
    word = REFUSAL_WORDS.get(line.code or "") or STATUS_WORDS.get(line.status)
    return tr(word) if word else ""


def _in_words(name: str, value: JsonValue, names: Mapping[str, str], tr: Translator) -> str:
    return f"{field_label(name, tr)}: {_short(field_value(name, _named(value, names), tr))}"


def _named(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    if isinstance(value, list):
        return [_named(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def _short(text: str) -> str:
    one_line = text.replace("⏎\n", "⏎ ").replace("\n", ", ")
    return one_line if len(one_line) <= MAX_VALUE_CHARS else f"{one_line[: MAX_VALUE_CHARS - 1]}…"
