"""The product's own code, run up to its next statement: what it heard before is given to it again.

`Acceptance`, `Gate`, `Recovery`, `LiveTurns.cancel_preview` and `LiveTurns.stop` are the real ones, and so are all
decisions that they ask. Only the tables are replaced: by ones that put each statement down as an `Op` and stop there,
so that whoever explores decides what happens in between. Nothing is kept between two runs, so a state is a value.
"""

import asyncio
import itertools
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

from nova_ui.chat.accept import Acceptance, Accepted, Sending, TurnStarted
from nova_ui.chat.confirm import StoredPreviews
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.chat.recovery import Recovery
from nova_ui.domain.chat import ConfirmMessage, Message, PreviewId, TextMessage, ToolMessage, TurnId
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import CloseReason, Preview, PreviewOutcome
from nova_ui.domain.tool import AnyTool, CallId, Nova, RawCall, ToolArguments
from nova_ui.errors import NovaProblem
from nova_ui.guardrails.gate import Gate
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.outcome import Previewed
from nova_ui.guardrails.situation import Situation
from storage.workers import Worker
from tests.builders import a_caller, a_tool, an_administrator, show_contractors
from tests.exploration.protocol_sql import moment
from tests.exploration.protocol_state import Action, Doing, Op, turn_id_of
from tests.exploration.protocol_tables import (
    ASSISTANT,
    Asking,
    FakeDatabase,
    FakePreviews,
    Nothing,
    Suspended,
    groups_among,
)
from tests.fakes.tool_door import DoorOfOneTurn

FIRST_CARD: Final = "prv_first"
WORKERS: Final = {"one": Worker(host="here", pid=1, token="a"), "two": Worker(host="here", pid=2, token="b")}
CALLER: Final = a_caller(an_administrator())


_TELLING_NOTHING: Final = (False,)


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
    acceptance = Acceptance(database, ask, {"delete_group": _tool(ask)}, worker, groups_among)
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
    """What `TurnTask` and `TurnRunner` do around the gate, without words, and with no events but a card's."""

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
            outcome = await self._gate.pass_call(
                raw, _already(situation), self._ledger, _door(), self._store, by_person=by_person
            )
            if isinstance(outcome, Previewed):
                self._ask("show card", outcome.preview.id)
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
    return SimpleNamespace(_database=database, _live={}, _news=news, _check_own=Nothing().find)


def _already(situation: Situation) -> Any:  # noqa: ANN401 - a source of situations
    async def source() -> Situation:
        return situation

    return source


def _door() -> Any:  # noqa: ANN401 - a door that leads nowhere
    return DoorOfOneTurn(caller=CALLER)
