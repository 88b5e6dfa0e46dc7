"""The product's own code, run up to its next statement: what it heard before is given to it again.

`Acceptance`, `Gate`, `Recovery`, `LiveTurns.cancel_preview` and `LiveTurns.stop` are the real ones, and so are all
decisions that they ask. Only the tables are replaced: by ones that put each statement down as an `Op` and stop there,
so that whoever explores decides what happens in between. Nothing is kept between two runs, so a state is a value.
"""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy.exc import IntegrityError

from nova_ui.chat import accept, confirm, live_turns, recovery
from nova_ui.chat.accept import Acceptance, Accepted, Sending, TurnStarted
from nova_ui.chat.confirm import StoredPreviews
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.chat.notices import OUTCOME_UNKNOWN
from nova_ui.chat.recovery import Recovery
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import ConfirmMessage, Message, PreviewId, TextMessage, ToolMessage, TurnId
from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import CloseReason, Preview, PreviewOutcome
from nova_ui.domain.tool import AnyTool, CallId, Nova, RawCall, ToolArguments
from nova_ui.errors import NovaProblem
from nova_ui.guardrails.gate import Gate
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.situation import Situation
from storage.workers import Worker
from tests.builders import a_caller, a_tool, an_administrator, an_assistant, show_contractors
from tests.exploration.protocol_sql import moment, preview_of
from tests.exploration.protocol_state import Action, Card, Doing, Op, turn_id_of
from tests.fakes.tool_door import DoorOfOneTurn

FIRST_CARD: Final = "prv_first"
WORKERS: Final = {"one": Worker(host="here", pid=1, token="a"), "two": Worker(host="here", pid=2, token="b")}
CALLER: Final = a_caller(an_administrator())
ASSISTANT: Final = an_assistant("delete_group")


_TELLING_NOTHING: Final = (False,)


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

    async def list_running(self) -> list[Any]:
        return [
            SimpleNamespace(id=turn_id, worker=worker, heartbeat_at=moment(0), language="en")
            for turn_id, worker in self._ask("list running")
        ]

    async def finish(self, turn_id: TurnId, worker: str, end: Any) -> bool:  # noqa: ANN401 - `TurnEnd`
        told = any(notice.code == OUTCOME_UNKNOWN for notice in end.notices)
        return bool(self._ask("finish", turn_id, worker, end.state.value, told))


class _Nothing:
    """Tables whose rows decide nothing here: events, chats, assistants."""

    def __init__(self, *_: object) -> None:
        pass

    async def add_all(self, *_: object) -> None: ...

    async def add(self, *_: object) -> None: ...

    async def list_after(self, *_: object) -> tuple[()]:
        return ()

    async def find(self, *_: object) -> object:
        return SimpleNamespace(assistant=ASSISTANT, assistant_key=ASSISTANT.key)

    async def touch(self, *_: object) -> None: ...


async def _find_usable(_session: object, identity: Identity, *_: object) -> tuple[Assistant, Identity]:
    return ASSISTANT, identity


async def _groups_among(*_: object) -> frozenset[str]:
    return frozenset()


@contextmanager
def replaced_tables() -> Iterator[None]:
    """Let the product's code work on the tables above."""
    replacements: dict[Any, dict[str, Any]] = {
        accept: {"TurnTable": FakeTurns, "PreviewTable": FakePreviews, "TurnEventTable": _Nothing,
                 "ChatTable": _Nothing, "find_usable": _find_usable, "new_id": lambda _: "cht_1"},
        confirm: {"PreviewTable": FakePreviews},
        live_turns: {"PreviewTable": FakePreviews, "TurnTable": FakeTurns},
        recovery: {"PreviewTable": FakePreviews, "TurnTable": FakeTurns, "TurnEventTable": _Nothing},
    }  # fmt: skip
    with ExitStack() as stack:
        for module, names in replacements.items():
            for name, fake in names.items():
                stack.enter_context(patch.object(module, name, fake))
        yield


class RealCode:
    """Runs an action up to its next statement."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._runner = runner
        self._known: dict[tuple[object, ...], Op | str] = {}

    def next(self, place: int, action: Action, worker: str, heard: tuple[object, ...]) -> Op | str:
        """Return the next statement of an action, or how it ended."""
        key = (place, action, worker, heard)
        if key not in self._known:
            self._known[key] = self._runner.run(self._run(place, action, worker, Asking(heard)))
        return self._known[key]

    async def _run(self, place: int, action: Action, worker: str, ask: Asking) -> Op | str:
        try:
            return await _act(place, action, worker, ask)
        except Suspended as suspended:
            return suspended.op
        except NovaProblem as problem:
            return str(problem.extra.get("reason", problem.code))


async def _act(place: int, action: Action, worker: str, ask: Asking) -> str:
    database: Any = FakeDatabase(ask)
    match action.doing:
        case Doing.RECOVER:
            await _recovery(database, ask, worker).sweep(own=_Everything())
        case Doing.CANCEL:
            await LiveTurns.cancel_preview(_server(database), CALLER.identity.id, PreviewId(FIRST_CARD))
        case Doing.STOP:
            await LiveTurns.stop(_server(database), CALLER.identity.id, TurnId(turn_id_of(0)))
        case _:
            await _send(place, action, worker, ask)
    return "done"


async def _send(place: int, action: Action, worker: str, ask: Asking) -> None:
    database: Any = FakeDatabase(ask)
    acceptance = Acceptance(database, ask, {"delete_group": _tool(ask)}, worker, _groups_among)
    sending = Sending(
        caller=CALLER,
        assistant_key=ASSISTANT.key,
        message=_message(action),
        chat_id=None,
        idempotency_key=None,
        turn_id=TurnId(turn_id_of(place)),
    )
    accepted = await acceptance.accept(sending)
    assert not isinstance(accepted, TurnStarted)
    await _Turn(accepted, place, worker, ask).run(action)


class _Turn:
    """What `TurnTask` and `TurnRunner` do around the gate, without words and events."""

    def __init__(self, accepted: Accepted, place: int, worker: str, ask: Asking) -> None:
        self._accepted = accepted
        self._worker = worker
        self._ask = ask
        database: Any = FakeDatabase(ask)
        self._database = database
        self._store = StoredPreviews(database, accepted.turn, lambda *_: None)
        numbers = itertools.count(1)
        tools = {"delete_group": _tool(ask)}
        self._gate = Gate(tools, new_preview_id=lambda: PreviewId(f"prv_{place}_{next(numbers)}"))
        self._ledger = TurnLedger()
        self._goes_on = True

    async def run(self, action: Action) -> None:
        consumed = self._accepted.consumed
        if consumed is not None:
            await self._press(consumed)
        for about, confirmed in action.claims:
            situation = await self._look()
            if not self._goes_on:
                break
            arguments: dict[str, JsonValue] = {"group_id": about} | ({"confirmed": True} if confirmed else {})
            raw = RawCall(call_id=CallId("call"), name="delete_group", arguments_text=json.dumps(arguments))
            by_person = action.doing is Doing.USE
            await self._gate.pass_call(
                raw, _already(situation), self._ledger, _door(), self._store, by_person=by_person
            )
        await self._finish()

    async def _press(self, consumed: Preview) -> None:
        situation = await self._look()
        if self._goes_on:
            await self._gate.run_confirmed(consumed, _already(situation), self._ledger, _door(), self._store)
        else:
            await self._store.record_outcome(consumed, PreviewOutcome.REFUSED)

    async def _look(self) -> Situation:
        accepted = self._accepted
        self._goes_on, now_ms = self._ask("look", accepted.turn.id, self._worker)
        return Situation(
            turn=accepted.turn,
            identity=CALLER.identity,
            assistant=ASSISTANT,
            released_at_start=accepted.released_at_start,
            read_only=isinstance(accepted.turn.message, ConfirmMessage),
            agreed=accepted.agreed,
            voided=accepted.voided,
            now=moment(now_ms),
        )

    async def _finish(self) -> None:
        turn_id, agreed = self._accepted.turn.id, self._accepted.agreed
        async with self._database.transaction():
            if self._ask("finish", turn_id, self._worker, "done", *_TELLING_NOTHING) and agreed is not None:
                await FakePreviews(self._ask).close(None, agreed.id, CloseReason.MESSAGE_BETWEEN)


def _tool(ask: Asking) -> AnyTool:
    async def run(arguments: ToolArguments, _nova: Nova) -> JsonValue:
        ask("run", str(arguments.model_dump()["group_id"]))
        return {}

    return a_tool(run=run, show=show_contractors)


def _message(action: Action) -> Message:
    match action.doing:
        case Doing.PRESS:
            return ConfirmMessage(preview_id=PreviewId(FIRST_CARD), object_name="Contractors")
        case Doing.PRESS_WRONG_NAME:
            return ConfirmMessage(preview_id=PreviewId(FIRST_CARD), object_name="Contractor")
        case Doing.USE:
            return ToolMessage(tool_name="delete_group", arguments={"group_id": action.claims[0][0]})
        case _:
            return TextMessage(text=action.text)


class _Everything(frozenset[TurnId]):
    def __contains__(self, _: object) -> bool:
        return True


def _recovery(database: Any, ask: Asking, worker: str) -> Recovery:  # noqa: ANN401 - a fake
    languages: Any = SimpleNamespace(for_language=lambda _: lambda text, **_values: text)
    this = next(one for one in WORKERS.values() if one.id == worker)
    return Recovery(
        database=database,
        clock=ask,
        worker=replace(this),
        is_alive=lambda pid: bool(ask("is alive", pid)),
        languages=languages,
    )


def _server(database: Any) -> Any:  # noqa: ANN401 - a fake
    news = SimpleNamespace(tell=lambda *_: None)
    return SimpleNamespace(_database=database, _live={}, _news=news, _check_own=_Nothing().find)


def _already(situation: Situation) -> Any:  # noqa: ANN401 - a source of situations
    async def source() -> Situation:
        return situation

    return source


def _door() -> Any:  # noqa: ANN401 - a door that leads nowhere
    return DoorOfOneTurn(caller=CALLER)


def _card(preview: Preview) -> Card:
    about = str(preview.call.arguments["group_id"])
    shown_ms = round((preview.shown_at - moment(0)).total_seconds() * 1000)
    return Card(preview.id, preview.turn_number, shown_ms, about, preview.button_only, preview.name_to_type is not None)


def _preview(card: Card | None) -> Preview | None:
    return None if card is None else preview_of(card)
