"""What the gate decides on, loaded afresh before every call, and the doors it goes through."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import Turn
from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import Preview, PreviewOutcome
from nova_ui.domain.tool import AnyTool, Nova, ToolKind
from nova_ui.guardrails.unattended import ANY_KIND


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """How things stand right now.

    `identity` is None once the session ended; `assistant` is None once it is gone. `released_at_start` was taken when
    the message arrived. `agreed` is the open preview that this turn's message agrees to; `voided` is the one that it
    made void, so that a call which claims an agreement is refused instead of shown again. `kinds` are those of
    tools that may run at all, inner calls included: not every one where nobody sits before the screen.
    """

    turn: Turn
    identity: Identity | None
    assistant: Assistant | None
    released_at_start: frozenset[str]
    read_only: bool
    agreed: Preview | None
    now: datetime
    voided: Preview | None = None
    kinds: frozenset[ToolKind] = ANY_KIND


SituationSource = Callable[[], Awaitable[Situation]]


class PreviewStore(Protocol):
    """Where previews are kept for one turn."""

    async def store(self, preview: Preview) -> bool:
        """Make `preview` the one open preview of its identity and assistant; others are superseded.

        False, and nothing is changed, if its turn is over: nobody would be shown it, so no yes can mean it.
        """

    async def consume(self, preview: Preview, now: datetime) -> bool:
        """Use up a preview by one conditional write, durable before it returns; True for exactly one caller."""

    async def record_outcome(self, preview: Preview, outcome: PreviewOutcome) -> None:
        """Note what became of a consumed preview's call."""


class ToolDoor(Protocol):
    """Opens Nova for one call of a tool."""

    def for_tool(
        self,
        tool: AnyTool,
        *,
        if_match: str | None,
        run_tool: Callable[[str, JsonObject], Awaitable[JsonValue]],
    ) -> Nova:
        """Return Nova as the call may see it: the tool's own endpoints, and inner calls through `run_tool`."""
