"""Turns whose process died: closed with a notice, and nothing of them ever runs again (rule C10)."""

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy.exc import IntegrityError

from nova_ui.chat.confirm import closed_event
from nova_ui.chat.engine import LanguageSource
from nova_ui.chat.events import EventName, TurnTotals, done_data
from nova_ui.chat.notices import OUTCOME_UNKNOWN, SERVER_STOPPED, notice_text
from nova_ui.chat.translating import Translate
from nova_ui.domain.chat import CallStatus, Notice, PreviewId, RecordedCall, Step, TurnId, TurnState
from nova_ui.domain.clock import Clock
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import CloseReason, PreviewOutcome
from nova_ui.domain.tool import CallId, ToolKind
from storage.chat.chats import fold
from storage.chat.previews import PreviewTable
from storage.chat.sent_requests import SentRequestTable
from storage.chat.turn_events import StoredEvent, TurnEventTable
from storage.chat.turns import LeftRunning, TurnEnd, TurnTable
from storage.database import Database
from storage.workers import Worker

_log = logging.getLogger(__name__)

KEEP_EVENTS_FOR: Final = timedelta(hours=1)
_MAX_EVENTS: Final = 100_000


class Recovery:
    """Closes what dead workers left running; turns that live elsewhere are left alone."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        worker: Worker,
        is_alive: Callable[[int], bool],
        languages: LanguageSource,
    ) -> None:
        self._database = database
        self._clock = clock
        self._worker = worker
        self._is_alive = is_alive
        self._languages = languages

    async def sweep(self, own: Collection[TurnId]) -> int:
        """Close every dead turn and return how many; `own` are those that this worker really runs."""
        async with self._database.reading() as session:
            running = await TurnTable(session).list_running()
        dead = [turn for turn in running if self._is_dead(turn, own)]
        for turn in dead:
            await self._close_or_wait(turn)
        return len(dead)

    async def prune(self) -> None:
        """Forget the events of turns that are long part of their chat, and what models were sent of chats long gone."""
        async with self._database.transaction() as session:
            await TurnEventTable(session).prune(self._clock.now() - KEEP_EVENTS_FOR)
            await SentRequestTable(session).delete_orphans()

    def _is_dead(self, turn: LeftRunning, own: Collection[TurnId]) -> bool:
        if turn.worker == self._worker.id:
            return turn.id not in own
        return self._worker.finds_dead(turn.worker, turn.heartbeat_at, self._clock.now(), self._is_alive)

    async def _close_or_wait(self, turn: LeftRunning) -> None:
        """Close a turn; one that is not as it was read waits for the next sweep, and holds up no other."""
        try:
            await self._close(turn)
        except IntegrityError:
            _log.warning("turn.not_recovered", extra={"turn": turn.id, "worker": turn.worker})

    async def _close(self, turn: LeftRunning) -> None:
        async with self._database.transaction() as session:
            events, turns = TurnEventTable(session), TurnTable(session)
            await events.take_over(turn.worker)
            seen = await events.list_after(turn.id, 0, _MAX_EVENTS)
            used_up = [
                preview
                for preview in await PreviewTable(session).list_of_turns([turn.id])
                if preview.outcome is PreviewOutcome.UNKNOWN
            ]
            notices = [Notice(code=SERVER_STOPPED)] + [Notice(code=OUTCOME_UNKNOWN) for _ in used_up]
            steps = steps_of(seen)
            end = TurnEnd(
                state=TurnState.FAILED,
                finished_at=self._clock.now(),
                steps=steps,
                notices=tuple(notices),
                search_text=fold("\n".join(step.text for step in steps)),
            )
            if not await turns.finish(turn.id, turn.worker, end):
                return  # another process has closed it meanwhile, or it ended after all
            previews = PreviewTable(session)
            left_open = await previews.close_before(turn.id)
            await previews.close_unshown(turn.id, _shown_cards(seen))
            closed = [(preview.id, CloseReason.EXECUTED) for preview in used_up]
            closed += [(preview_id, CloseReason.MESSAGE_BETWEEN) for preview_id in left_open]
            last = _last_events(closed, notices, self._languages.for_language(turn.language))
            first_id = seen[-1].id + 1 if seen else 1
            await events.add_all(
                [
                    StoredEvent(turn_id=turn.id, id=number, name=name.value, data=data)
                    for number, (name, data) in enumerate(last, start=first_id)
                ]
            )
        _log.warning("turn.recovered", extra={"turn": turn.id, "worker": turn.worker})


def _last_events(
    closings: Sequence[tuple[PreviewId, CloseReason]], notices: Sequence[Notice], translate: Translate
) -> list[tuple[EventName, JsonObject]]:
    closed: list[tuple[EventName, JsonObject]] = [
        (EventName.PREVIEW_CLOSED, closed_event(preview_id, reason)) for preview_id, reason in closings
    ]
    said: list[tuple[EventName, JsonObject]] = [
        (EventName.NOTICE, {"code": notice.code, "text": notice_text(notice, translate)}) for notice in notices
    ]
    return [*closed, *said, (EventName.DONE, done_data(TurnTotals(), model=None))]


def _shown_cards(events: Sequence[StoredEvent]) -> frozenset[PreviewId]:
    cards = (event.data for event in events if event.name == EventName.PREVIEW)
    return frozenset(PreviewId(str(card.get("preview_id"))) for card in cards)


def steps_of(events: Sequence[StoredEvent]) -> tuple[Step, ...]:
    """Return what was shown of a turn as steps: a call without a result is one whose outcome nobody knows."""
    steps: list[Step] = []
    texts: list[str] = []
    calls: list[RecordedCall] = []
    for event in events:
        data = event.data
        match event.name:
            case EventName.TEXT:
                if calls:
                    steps.append(Step(text="".join(texts), calls=tuple(calls)))
                    texts, calls = [], []
                texts.append(str(data.get("delta", "")))
            case EventName.TOOL_CALL:
                calls.append(_begun(data))
            case EventName.TOOL_RESULT:
                calls = [_ended(call, data) if call.call_id == data.get("call_id") else call for call in calls]
            case EventName.PREVIEW:
                calls = [_previewed(call, data) if call.call_id == data.get("call_id") else call for call in calls]
            case _:
                pass  # the others are no part of a step
    if texts or calls:
        steps.append(Step(text="".join(texts), calls=tuple(calls)))
    return tuple(steps)


def _begun(data: JsonObject) -> RecordedCall:
    arguments, kind = data.get("arguments"), data.get("kind")
    return RecordedCall(
        call_id=CallId(str(data.get("call_id"))),
        tool_name=str(data.get("name")),
        kind=ToolKind(kind) if isinstance(kind, str) else None,
        arguments=arguments if isinstance(arguments, dict) else {},
        status=CallStatus.UNKNOWN,
        code=OUTCOME_UNKNOWN,
        content="",
    )


def _ended(call: RecordedCall, data: JsonObject) -> RecordedCall:
    code, duration_ms = data.get("code"), data.get("duration_ms")
    return RecordedCall(
        call_id=call.call_id,
        tool_name=call.tool_name,
        kind=call.kind,
        arguments=call.arguments,
        status=CallStatus(str(data.get("status"))),
        code=code if isinstance(code, str) else None,
        content=str(data.get("content", "")),
        truncated=data.get("truncated") is True,
        duration_ms=duration_ms if isinstance(duration_ms, int) else 0,
    )


def _previewed(call: RecordedCall, data: JsonObject) -> RecordedCall:
    return RecordedCall(
        call_id=call.call_id,
        tool_name=call.tool_name,
        kind=call.kind,
        arguments=call.arguments,
        status=CallStatus.PREVIEWED,
        code=call.code,
        content=call.content,
        truncated=call.truncated,
        duration_ms=call.duration_ms,
        preview_id=PreviewId(str(data.get("preview_id"))),
    )
