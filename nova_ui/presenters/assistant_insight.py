"""What is asked of Nova about the assistant in the form: the smallest list, and what it could do for somebody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.presenters.fields import rows_in, text_at, texts_at
from nova_ui.reactive import Event

_ONE: Final = "GET /administration/assistants/{key}"

VERDICT_WORDS: Final[Mapping[str, str]] = {
    "allowed": mark("allowed"),
    "needs_confirmation": mark("needs confirmation"),
    "refused": mark("refused"),
}
RULE_WORDS: Final[Mapping[str, str]] = {
    "A2": mark("The identity is not active."),
    "A3": mark("The identity's roles do not permit this tool."),
    "A4": mark("A flow that changes something is for administrators only."),
    "B1": mark("It is not on the tool list."),
    "B2": mark("It needs a tool that is not on the tool list."),
    "B5": mark("The assistant is switched off or not open to this identity."),
    "C2": mark("A card shows first what would happen; it runs once confirmed."),
    "C15": mark("It runs only by the button on the card, or with the object's name typed, as set for this assistant."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolVerdict:
    """What would become of one tool; `verdict` and `why` are message ids, `rule` its number."""

    tool: str
    verdict: str
    rule: str
    why: str


class AssistantInsightPresenter:
    """Asks about the assistant as it is stored; what it found is thrown away when another one is opened."""

    def __init__(self, admin: AssistantsAdminPresenter) -> None:
        self.admin = admin
        self.proposal: JsonObject | None = None
        self.forecast: JsonObject | None = None
        self.problem: NovaProblem | None = None
        self.shows_unlisted = False
        self.changed: Event[None] = Event()

    @property
    def is_stored(self) -> bool:
        """Whether the form is what is stored: only that can be asked about."""
        draft = self.admin.draft
        return draft is not None and not draft.is_new and not self.admin.has_changes

    async def find_smallest(self) -> None:
        """Ask for the smallest list that the starters need."""
        self.proposal = await self._ask(f"{_ONE}/smallest-list", {})
        self.changed.emit(None)

    async def foresee(self, identity_id: str) -> None:
        """Ask what the assistant could do for an identity."""
        self.forecast = await self._ask(f"{_ONE}/forecast", {"identity_id": identity_id})
        self.changed.emit(None)

    def show_unlisted(self, *, shown: bool) -> None:
        """Show or leave out the tools that are not on the list."""
        self.shows_unlisted = shown
        self.changed.emit(None)

    def take_proposal(self) -> None:
        """Tick exactly the proposed tools in the form; nothing is stored before somebody saves."""
        draft = self.admin.draft
        if draft is None or draft.is_preset or self.proposal is None:
            return
        draft.all_tools = False
        draft.tool_names = set(texts_at(self.proposal, "tool_names"))
        self.admin.tools_changed.emit(None)

    def unclear_starters(self) -> tuple[str, ...]:
        """Return the starters of which the built-in model can't say what they need."""
        found = () if self.proposal is None else rows_in(self.proposal)
        return tuple(text_at(one, "text") for one in found if one.get("is_clear") is not True)

    def lacking(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return the starters that need tools which the form does not release, with these tools."""
        found = () if self.proposal is None else rows_in(self.proposal)
        lacks = (
            (text_at(one, "text"), tuple(name for name in texts_at(one, "tools") if not self.admin.is_released(name)))
            for one in found
            if one.get("is_clear") is True
        )
        return tuple((text, names) for text, names in lacks if names)

    async def load_usage(self) -> JsonObject:
        """Return what people used of the stored assistant in the last 30 days; nothing if that can't be read."""
        draft = self.admin.draft
        if draft is None or draft.is_new:
            return {}
        query: dict[str, str | int] = {"kind": "chat", "assistant": draft.key, "limit": 1}
        try:
            return (await self.admin.nova.call("GET /administration/ai-usage", query=query)).object
        except NovaProblem:
            return {}

    def verdicts(self) -> Sequence[ToolVerdict]:
        """Return what would become of the tools: those that run first, those that are not listed at last if at all."""
        found = () if self.forecast is None else rows_in(self.forecast)
        order = list(VERDICT_WORDS)
        told = [_verdict(one) for one in found if self.shows_unlisted or text_at(one, "rule") != "B1"]
        return sorted(told, key=lambda one: (order.index(one.verdict), one.rule == "B1", one.tool))

    def count(self, verdict: str) -> int:
        """Return of how many tools something would become."""
        return sum(text_at(one, "verdict") == verdict for one in rows_in(self.forecast or {}))

    async def _ask(self, endpoint: str, query: Mapping[str, str]) -> JsonObject | None:
        draft, self.problem = self.admin.draft, None
        if draft is None or draft.is_new:
            return None
        try:
            return (await self.admin.nova.call(endpoint, path={"key": draft.key}, query=query)).object
        except NovaProblem as problem:
            self.problem = problem
            return None


def _verdict(one: JsonObject) -> ToolVerdict:
    rule = text_at(one, "rule")
    return ToolVerdict(
        tool=text_at(one, "tool"), verdict=text_at(one, "verdict"), rule=rule, why=RULE_WORDS.get(rule, "")
    )
