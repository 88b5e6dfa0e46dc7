"""Small coloured words: the kind of a tool, where something came from, what became of it."""

from typing import Final

from nicegui import ui

from nova_ui.domain.text import mark
from nova_ui.domain.tool import ToolKind
from nova_ui.i18n.translator import Translator

KIND_WORDS: Final = {
    ToolKind.READ: mark("reading"),
    ToolKind.WRITE: mark("writing"),
    ToolKind.DESTRUCTIVE: mark("destructive"),
}

# what a word means, so that it looks the same wherever it stands
GOOD: Final = "read"
CAREFUL: Final = "write"
BAD: Final = "destructive"
PLAIN: Final = "plain"
AI: Final = "ai"


class Badge(ui.label):
    """A word on a soft ground; `tone` is one of the five above."""

    def __init__(self, text: str, tone: str = PLAIN) -> None:
        super().__init__(text)
        self.classes(f"nova-badge nova-badge--{tone}")


def kind_badge(kind: ToolKind, tr: Translator) -> Badge:
    """Draw reading, writing or destructive."""
    return Badge(tr(KIND_WORDS[kind]), kind.value)


def origin_text(origin: str, tr: Translator) -> str:
    """Return an origin of the audit log in words, with the key of the assistant if it has one."""
    kind, _, key = origin.partition(":")
    match kind:
        case "ai_chat":
            return tr("AI chat · {assistant}", assistant=key) if key else tr("AI chat")
        case "ai_routine":
            return tr("AI routine · {assistant}", assistant=key) if key else tr("AI routine")
        case "routine":
            return tr("Lifecycle routine")
        case "system":
            return tr("System")
        case "interface":
            return tr("Interface")
        case _:
            return origin


def origin_tone(origin: str) -> str:
    """Return how an origin is coloured: what a model asked for stands out."""
    return AI if origin.startswith("ai_") else PLAIN


def origin_badge(origin: str, tr: Translator) -> Badge:
    """Draw where a change came from."""
    return Badge(origin_text(origin, tr), origin_tone(origin))


OUTCOME_WORDS: Final = {
    "success": (mark("done"), GOOD),
    "done": (mark("done"), GOOD),
    "refused": (mark("refused"), BAD),
    "denied": (mark("refused"), BAD),
    "failure": (mark("failed"), BAD),
    "failed": (mark("failed"), BAD),
    "unknown": (mark("unknown"), CAREFUL),
}


def outcome_of(outcome: str, tr: Translator) -> tuple[str, str]:
    """Return word and tone of an outcome as Nova spells it; one that we do not know stays as it is."""
    word, tone = OUTCOME_WORDS.get(outcome, (outcome, PLAIN))
    return (tr(word) if outcome in OUTCOME_WORDS else word), tone


def outcome_badge(outcome: str, tr: Translator) -> Badge:
    """Draw what became of something."""
    return Badge(*outcome_of(outcome, tr))
