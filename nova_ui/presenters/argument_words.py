"""All arguments of a call in full: what each is called, its exact value, and whose ids it holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_ui.domain.json_value import JsonValue
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.field_words import field_label
from nova_ui.presenters.visible import show_invisible, value_text


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentLine:
    """One argument: its exact value, empty for one that is not given, and whose ids it holds."""

    label: str
    value: str
    names: str = ""


def argument_lines(
    arguments: Mapping[str, JsonValue], known: Mapping[str, str], tr: Translator
) -> Sequence[ArgumentLine]:
    """Return every argument, exactly as the endpoint gets it (rule C6); `known` are names by ids."""
    return tuple(_line(name, value, known, tr) for name, value in arguments.items())


def _line(name: str, value: JsonValue, known: Mapping[str, str], tr: Translator) -> ArgumentLine:
    ids = value if isinstance(value, list) else [value]
    found = (known[one] for one in ids if isinstance(one, str) and one in known)
    return ArgumentLine(
        label=show_invisible(field_label(name, tr)),
        value="" if value is None else value_text(value),
        names=", ".join(show_invisible(one) for one in found),
    )
