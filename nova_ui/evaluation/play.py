"""Plays a request on a throw-away organisation, message by message, through the engine that people use."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from nova_ui.chat.events import EventName
from nova_ui.chat.notices import MODEL_FAILED
from nova_ui.domain.chat import (
    CallStatus,
    ChatId,
    ConfirmMessage,
    Message,
    PreviewId,
    RecordedCall,
    TextMessage,
    TurnRecord,
    TurnState,
)
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import ToolKind
from nova_ui.errors import NovaProblem
from nova_ui.evaluation.cases import Case, Check, Step
from nova_ui.evaluation.place import Place
from nova_ui.nova_client.origin import INTERFACE

_SIGNS_OF_LIFE = frozenset({EventName.TEXT, EventName.TOOL_CALL})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedStep:
    """What became of one message."""

    step: Step
    calls: tuple[RecordedCall, ...] = ()
    text: str = ""
    failure: str | None = None
    preview_id: PreviewId | None = None
    seconds: float = 0.0
    seconds_to_first: float | None = None
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def changes(self) -> tuple[RecordedCall, ...]:
        """The calls that changed something, or would have on a press of the button."""
        took_effect = (CallStatus.OK, CallStatus.PREVIEWED, CallStatus.UNKNOWN)
        return tuple(one for one in self.calls if one.kind is not ToolKind.READ and one.status in took_effect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What became of a case; `unmet` are the checks at its end that failed."""

    case: Case
    steps: tuple[PlayedStep, ...]
    unmet: tuple[Check, ...] = ()


async def play_step(
    place: Place, step: Step, chat_id: ChatId | None, card: PreviewId | None
) -> tuple[PlayedStep, ChatId | None]:
    """Send one message and wait for its turn to end."""
    if step.press and card is None:
        return PlayedStep(step=step, text="(no card to confirm)"), chat_id
    message: Message = (
        TextMessage(text=step.text) if card is None or not step.press else ConfirmMessage(preview_id=card)
    )
    began = time.perf_counter()
    try:
        started = await place.parts.services.live_turns.send(place.caller, place.assistant, message, chat_id=chat_id)
    except NovaProblem as problem:
        return PlayedStep(step=step, failure=problem.code), chat_id
    first: float | None = None
    async for event in place.parts.services.live_turns.follow(place.identity.id, started.turn_id):
        if first is None and event.name in _SIGNS_OF_LIFE:
            first = time.perf_counter() - began
    seconds = time.perf_counter() - began
    opened = await place.parts.services.history.get_chat(place.identity, started.chat_id)
    record = opened.chat.turns[-1]
    return _played(step, record, seconds, first), started.chat_id


async def unmet_checks(place: Place, checks: Sequence[Check]) -> tuple[Check, ...]:
    """Return the checks that the organisation does not meet now."""
    return tuple([check for check in checks if not await _is_met(place, check)])


async def _is_met(place: Place, check: Check) -> bool:
    try:
        answer = await place.door.open(place.caller, INTERFACE).call(f"GET {check.get}", path=check.path)
    except NovaProblem as problem:
        return problem.status == check.status
    found: JsonValue = answer.body
    for name in (check.field or "").split(".") if check.field else ():
        found = found.get(name) if isinstance(found, dict) else None
    return answer.status == check.status and (check.field is None or found == check.is_)


def _played(step: Step, record: TurnRecord, seconds: float, first: float | None) -> PlayedStep:
    failed = next((notice for notice in record.notices if notice.code == MODEL_FAILED), None)
    failure = str(failed.params.get("kind")) if failed else None
    if failure is None and record.state is not TurnState.DONE:
        failure = record.state.value
    return PlayedStep(
        step=step,
        calls=tuple(call for one in record.steps for call in one.calls),
        text=record.steps[-1].text if record.steps else "",
        failure=failure,
        preview_id=record.preview_ids[-1] if record.preview_ids else None,
        seconds=seconds,
        seconds_to_first=first,
        model_calls=_count(record, "model_calls"),
        input_tokens=_count(record, "input_tokens"),
        output_tokens=_count(record, "output_tokens"),
    )


def _count(record: TurnRecord, name: str) -> int:
    value = record.usage.get(name)
    return value if isinstance(value, int) else 0
