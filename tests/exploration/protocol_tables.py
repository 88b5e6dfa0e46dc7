"""Tables that put each statement down as an `Op` and stop there, so that others may come in between."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from datetime import datetime
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy.exc import IntegrityError

from nova_ui.chat import accept, confirm, live_turns, recovery
from nova_ui.chat.events import EventName
from nova_ui.chat.notices import OUTCOME_UNKNOWN
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import PreviewId, TurnId
from nova_ui.domain.identity import Identity
from nova_ui.domain.preview import CloseReason, Preview, PreviewOutcome
from storage.chat.turn_events import StoredEvent
from tests.builders import an_assistant
from tests.exploration.protocol_sql import moment, preview_of
from tests.exploration.protocol_state import Card, Op

ASSISTANT: Final = an_assistant("delete_group")


class Suspended(BaseException):
    """The code has come to a statement that was not answered yet; no handler of the product catches it."""

    def __init__(self, op: Op) -> None:
        super().__init__()
        self.op = op


class Asking:
    """Answers with what was heard before, and stops at the first question that is new."""

    def __init__(self, heard: tuple[object, ...]) -> None:
        self._heard = iter(heard)

    def __call__(self, name: str, *args: object) -> Any:  # noqa: ANN401 - each statement gives something else
        for answer in self._heard:
            return answer
        raise Suspended(Op(name, args))

    def now(self) -> datetime:
        """Be the clock: each look at it is a step of its own."""
        return moment(self("now"))


class FakeDatabase:
    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Asking]:
        try:
            yield self._ask
        except Exception:
            self._ask("rollback")
            raise
        self._ask("commit")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Asking]:
        yield self._ask


class FakePreviews:
    """`PreviewTable`, statement by statement; rows that are not the one card's owner's do not occur."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    async def add(self, preview: Preview) -> None:
        self._ask("add card", _card(preview))

    async def find(self, _owner: object, preview_id: PreviewId) -> Preview | None:
        return _preview(self._ask("find card", preview_id))

    async def list_open(self, *_whose: object) -> tuple[Preview, ...]:
        return tuple(preview_of(card) for card in self._ask("list open"))

    async def close(self, _owner: object, preview_id: PreviewId, reason: CloseReason) -> bool:
        return bool(self._ask("close", preview_id, reason.value))

    async def consume(self, preview: Preview, turn_id: TurnId, now: datetime) -> bool:
        return bool(self._ask("consume", preview.id, turn_id, round((now - moment(0)).total_seconds() * 1000)))

    async def record_outcome(self, preview: Preview, outcome: PreviewOutcome) -> None:
        self._ask("record", preview.id, outcome.value)

    async def close_before(self, turn_id: TurnId) -> tuple[PreviewId, ...]:
        return tuple(PreviewId(one) for one in self._ask("close before", turn_id))

    async def close_unshown(self, turn_id: TurnId, shown: frozenset[PreviewId]) -> None:
        self._ask("close unshown", turn_id, tuple(sorted(shown)))

    async def list_of_turns(self, turn_ids: list[TurnId]) -> tuple[Preview, ...]:
        return tuple(preview_of(card) for card in self._ask("used up by", *turn_ids))


class FakeTurns:
    """`TurnTable`, statement by statement."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    async def count_message(self, *_whose: object) -> int:
        return int(self._ask("count message"))

    async def add(self, new: Any) -> None:  # noqa: ANN401 - `NewTurn`
        if not self._ask("add turn", new.turn.id, new.turn.number, new.worker):
            raise IntegrityError("add turn", None, Exception())

    async def find_running(self, *_whose: object) -> None:
        return None  # whose turn runs is only told to the person

    async def find(self, _owner: object, turn_id: TurnId) -> object:
        return turn_id

    async def request_stop(self, _owner: object, turn_id: TurnId) -> bool:
        return bool(self._ask("stop", turn_id))

    async def hold(self, turn_id: TurnId) -> bool:
        return bool(self._ask("hold", turn_id))

    async def list_running(self) -> list[Any]:
        return [
            SimpleNamespace(id=turn_id, worker=worker, heartbeat_at=moment(0), language="en")
            for turn_id, worker in self._ask("list running")
        ]

    async def finish(self, turn_id: TurnId, worker: str, end: Any) -> bool:  # noqa: ANN401 - `TurnEnd`
        told = any(notice.code == OUTCOME_UNKNOWN for notice in end.notices)
        return bool(self._ask("finish", turn_id, worker, end.state.value, told))


class FakeEvents:
    """`TurnEventTable`: of a lost turn it knows which cards were shown."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    async def take_over(self, *_: object) -> None: ...

    async def add_all(self, *_: object) -> None: ...

    async def list_after(self, turn_id: TurnId, *_: object) -> list[StoredEvent]:
        return [
            StoredEvent(turn_id=turn_id, id=number, name=EventName.PREVIEW.value, data={"preview_id": preview_id})
            for number, preview_id in enumerate(self._ask("shown by", turn_id), start=1)
        ]


class Nothing:
    """Tables whose rows decide nothing here: chats, assistants, the events of a turn that is accepted."""

    def __init__(self, *_: object) -> None:
        pass

    async def add_all(self, *_: object) -> None: ...

    async def add(self, *_: object) -> None: ...

    async def find(self, *_: object) -> object:
        return SimpleNamespace(assistant=ASSISTANT, assistant_key=ASSISTANT.key)

    async def touch(self, *_: object) -> None: ...


async def _find_usable(_session: object, identity: Identity, *_: object) -> tuple[Assistant, Identity]:
    return ASSISTANT, identity


async def groups_among(*_: object) -> frozenset[str]:
    return frozenset()


@contextmanager
def replaced_tables() -> Iterator[None]:
    """Let the product's code work on the tables above."""
    replacements: dict[Any, dict[str, Any]] = {
        accept: {"TurnTable": FakeTurns, "PreviewTable": FakePreviews, "TurnEventTable": Nothing,
                 "ChatTable": Nothing, "find_usable": _find_usable, "new_id": lambda _: "cht_1"},
        confirm: {"PreviewTable": FakePreviews, "TurnTable": FakeTurns},
        live_turns: {"PreviewTable": FakePreviews, "TurnTable": FakeTurns},
        recovery: {"PreviewTable": FakePreviews, "TurnTable": FakeTurns, "TurnEventTable": FakeEvents},
    }  # fmt: skip
    with ExitStack() as stack:
        for module, names in replacements.items():
            for name, fake in names.items():
                stack.enter_context(patch.object(module, name, fake))
        yield


def _card(preview: Preview) -> Card:
    about = str(preview.call.arguments["group_id"])
    shown_ms = round((preview.shown_at - moment(0)).total_seconds() * 1000)
    card = Card(preview.id, preview.turn_number, shown_ms, about, preview.button_only, preview.name_to_type is not None)
    return card._replace(by=preview.turn_id, is_shown=False)


def _preview(card: Card | None) -> Preview | None:
    return None if card is None else preview_of(card)
