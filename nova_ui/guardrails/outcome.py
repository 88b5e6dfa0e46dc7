"""What became of a call, and what of it the model is told: redacted, cut, in its envelope, counted (rules E4, E5)."""

from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import AnyTool, ToolCall
from nova_ui.guardrails.envelope import enclose, overhead_chars, without_citations
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.redaction import redact, redact_text
from nova_ui.guardrails.refusal import Refusal
from nova_ui.guardrails.shortening import shorten, shorten_text

OUTCOME_UNKNOWN: Final = "outcome_unknown"
ARGUMENTS_CHANGED: Final = "arguments_changed"
OBJECT_CHANGED: Final = "object_changed"
DEMANDS_CHANGED: Final = "demands_changed"

_LEAST_USEFUL_CHARS: Final = 200
_NO_ROOM: Final = "No room is left for this result; answer from what you have."
_WHY_AGAIN: Final = {
    None: "",
    ARGUMENTS_CHANGED: " The call differs from the one shown before, so the earlier agreement does not count.",
    OBJECT_CHANGED: " The object has changed since it was shown, so the earlier agreement does not count.",
    DEMANDS_CHANGED: " More is asked of a confirmation since it was shown, so the earlier agreement does not count.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the model is told: `content` is final and counted, `text` is the same without its envelope."""

    text: str
    content: str
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran(Told):
    """The call ran and answered."""

    tool: AnyTool
    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Previewed(Told):
    """Nothing ran: a preview was stored and waits for the identity's next message.

    `because` is `arguments_changed`, `object_changed` or `demands_changed` where a confirmed call led to a new preview.
    """

    tool: AnyTool
    preview: Preview
    because: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Told):
    """The tool failed; `code` is the endpoint's, `internal`, or `outcome_unknown`."""

    tool: AnyTool
    call: ToolCall
    code: str

    @property
    def is_unknown(self) -> bool:
        """Whether something may have happened nevertheless; such a call is never repeated (rule C10)."""
        return self.code == OUTCOME_UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(Told):
    """A guardrail said no; `tool` is None where no tool has the name that was called."""

    refusal: Refusal
    tool: AnyTool | None = None


Outcome = Ran | Previewed | Failed | Refused


def ran(tool: AnyTool, call: ToolCall, result: JsonValue, secrets: frozenset[str], ledger: TurnLedger) -> Ran:
    """Return the outcome of a call with its result as the model may see it."""
    told = _tell_data(tool.name, clean_result(result, secrets), ledger)
    return Ran(text=told.text, content=told.content, truncated=told.truncated, tool=tool, call=call)


def failed(tool: AnyTool, call: ToolCall, code: str, detail: str, ledger: TurnLedger) -> Failed:
    """Return the outcome of a call that failed, in plain words (rule H4)."""
    words = f"The tool failed: {code}. {detail}".strip()
    told = _tell_data(tool.name, clean_result(words, frozenset()), ledger)
    return Failed(text=told.text, content=told.content, truncated=told.truncated, tool=tool, call=call, code=code)


def refused(refusal: Refusal, tool: AnyTool | None, ledger: TurnLedger) -> Refused:
    """Return a no; the words are the server's own and need no envelope."""
    told = _tell_words(f"Refused: {refusal.code} ({refusal.reason}). {redact_text(refusal.advice)}", ledger)
    return Refused(text=told.text, content=told.content, truncated=told.truncated, refusal=refusal, tool=tool)


def previewed(tool: AnyTool, preview: Preview, because: str | None, ledger: TurnLedger) -> Previewed:
    """Return that a preview waits; what the card shows does not go through the model."""
    words = (
        f"Nothing has run. The person is shown preview {preview.id} and must confirm it.{_WHY_AGAIN[because]} "
        "End this answer now and wait for the next message."
    )
    told = _tell_words(words, ledger)
    return Previewed(
        text=told.text, content=told.content, truncated=told.truncated, tool=tool, preview=preview, because=because
    )


def clean_result(result: JsonValue, secrets: frozenset[str]) -> JsonValue:
    """Return a result without citation markers (H3) and without secrets (D3).

    In this order: taking a marker out could put together a secret that it parted.
    """
    return redact(without_citations(result), secrets)


def _tell_data(tool_name: str, data: JsonValue, ledger: TurnLedger) -> Told:
    room = ledger.room_chars - overhead_chars(tool_name)
    if room < _LEAST_USEFUL_CHARS:
        return _tell_words(_NO_ROOM, ledger, truncated=True)
    short = shorten(data, room)
    content = enclose(tool_name, short.text)
    ledger.count_result(content, was_cut=short.truncated)
    return Told(text=short.text, content=content, truncated=short.truncated)


def _tell_words(words: str, ledger: TurnLedger, *, truncated: bool = False) -> Told:
    content = shorten_text(words, ledger.room_chars)
    is_cut = truncated or content != words
    ledger.count_result(content, was_cut=is_cut)
    return Told(text=content, content=content, truncated=is_cut)
