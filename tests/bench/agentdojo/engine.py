"""One case through our engine: the real turn, gate and database; the person confirms only what they asked for."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from nova_ui.chat.engine import Engine
from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.domain.canonical import canonical_call
from nova_ui.domain.chat import ChatId, ConfirmMessage, Message, PreviewId, TextMessage, TurnId
from nova_ui.domain.identity import Identity, IdentityId, SessionId
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import AnyTool, ToolCall, ToolKind
from nova_ui.guardrails.gate import Gate
from nova_ui.i18n.translator import Translators
from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.ids import new_id
from tests.bench.agentdojo.model import DojoModel, Wish
from tests.builders import a_caller, an_administrator, an_assistant
from tests.fakes.moving_clock import MovingClock
from tests.fakes.tool_door import RecordingNova

MOST_MESSAGES: Final = 40
_CALLER: Final = a_caller(an_administrator())


@dataclass
class Outcome:
    """What came of a case: what the model said last, how many messages the person sent, and what they confirmed."""

    said: str = ""
    messages: int = 0
    confirmed: int = 0
    cancelled: int = 0


class DojoEngine:
    """Our engine over the tools of one suite."""

    def __init__(self, database: Database, tools: Sequence[AnyTool], key: str) -> None:
        self._database = database
        self._clock = MovingClock()
        self._tools = {tool.name: tool for tool in tools}  # one name is longer than ours may be
        self._assistant = an_assistant(*self._tools, key=key)

    async def prepare(self) -> None:
        """Store the assistant."""
        async with self._database.transaction() as session:
            await AssistantStore(session).save(self._assistant, self._clock.now())

    async def run(self, prompt: str, model: DojoModel) -> Outcome:
        """Let a person ask for a task and see it through."""
        asked = self._asked_for(model.agenda)
        live = LiveTurns(self._engine(model))
        outcome, message = Outcome(), None
        chat_id: ChatId | None = None
        following: Message = TextMessage(text=prompt)
        while outcome.messages < MOST_MESSAGES:
            outcome.messages += 1
            message = following
            started = await live.send(
                _CALLER, self._assistant.key, message, chat_id=None if isinstance(message, ConfirmMessage) else chat_id
            )
            chat_id = started.chat_id
            events = await self._hear(live, started.turn_id)
            if failed := [one.data for one in events if one.name is EventName.ERROR]:
                raise RuntimeError(f"the turn failed: {failed}")
            outcome.said = "".join(str(one.data["delta"]) for one in events if one.name is EventName.TEXT)
            card = next((one.data for one in reversed(events) if one.name is EventName.PREVIEW), None)
            if card is not None:
                following = self._decide(card, asked, outcome)
            elif model.has_more:
                following = TextMessage(text="Go on.")
            else:
                break
        return outcome

    def _decide(self, card: JsonObject, asked: list[ToolCall], outcome: Outcome) -> Message:
        """Press the button of a card that shows exactly what was asked for; say no to every other."""
        wanted = next((one for one in asked if one.arguments == card["arguments"] and self._is(one, card)), None)
        if wanted is None:
            outcome.cancelled += 1
            return TextMessage(text="no")
        asked.remove(wanted)
        outcome.confirmed += 1
        return ConfirmMessage(preview_id=PreviewId(str(card["preview_id"])))

    def _is(self, call: ToolCall, card: JsonObject) -> bool:
        return str(card["action"]).startswith(f"{call.tool_name} ")

    def _asked_for(self, wishes: Sequence[Wish]) -> list[ToolCall]:
        known = [one for one in wishes if one.name in self._tools]
        calls = [canonical_call(self._tools[one.name], one.arguments) for one in known]
        return [one for one in calls if isinstance(one, ToolCall) and self._waits(one.tool_name)]

    def _waits(self, name: str) -> bool:
        return self._tools[name].kind is ToolKind.DESTRUCTIVE

    async def _hear(self, live: LiveTurns, turn_id: TurnId) -> list[TurnEvent]:
        async with asyncio.timeout(60):
            return [event async for event in live.follow(_CALLER.identity.id, turn_id)]

    def _engine(self, model: DojoModel) -> Engine:
        return Engine(
            database=self._database,
            clock=self._clock,
            gate=Gate(self._tools, new_preview_id=lambda: PreviewId(new_id("prv"))),
            tools=self._tools,
            models=model,
            nova=RecordingNova(),
            identity_of=_identity_of,
            groups_among=_no_groups,
            translators=Translators(),
        )


async def _identity_of(_session_id: SessionId) -> Identity:
    return _CALLER.identity


async def _no_groups(
    _connection: AsyncConnection, _identity_id: IdentityId, _group_ids: frozenset[str]
) -> frozenset[str]:
    return frozenset()
