"""Starts a server of the races: one that can be told to die, and in which something may be broken on purpose.

    RACES_KILL_AT=FILE python -m tests.races.planted "unknown outcomes are forgotten" --demo --data-dir FOLDER

Each fault takes away what holds a promise up. Where several things hold it, each of which would do alone, the fault
takes all of them. With "" nothing is broken. Where the server can die is told in `kill_points.py`.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from unittest.mock import patch

from sqlalchemy import text, update
from sqlmodel import col

import app
from nova_ui.chat import accept
from nova_ui.chat.accept import Acceptance, Accepted, Sending, TurnStarted
from nova_ui.chat.confirm import StoredPreviews, confirmation_invalid
from nova_ui.chat.recorder import TurnRecorder
from nova_ui.chat.recovery import Recovery
from nova_ui.domain.chat import ConfirmMessage, TurnId
from nova_ui.domain.preview import CloseReason, Preview, PreviewOutcome
from nova_ui.nova_client.client import NovaDoor
from nova_ui.nova_client.origin import ASGIApp, Receive, Scope, Send, delegation_of
from storage.chat.previews import PreviewTable
from storage.chat.tables import PreviewRow
from storage.database import Database
from tests.races.kill_points import obey_orders

FALTERING: Final = "nova falters"
USED_UP_LATE: Final = "used up after the call"
HOW_VARIABLE: Final = "RACES_HOW"  # names the file that says how Nova falters
Plant = Callable[[], None]


def _replace(target: object, name: str, fake: object) -> None:
    patch.object(target, name, fake).start()


def _use_up_after_the_call() -> None:
    """Press: the card is only looked at; it is used up when the outcome is recorded."""

    async def look_only(*_: object) -> None:
        return None

    async def look_only_for_words(_self: object, _preview: Preview, _now: datetime) -> bool:
        return True

    async def use_up_then(self: Any, preview: Preview, outcome: PreviewOutcome) -> None:  # noqa: ANN401 - see below
        async with self._database.transaction() as session:
            await PreviewTable(session).consume(preview, self._turn.id, preview.shown_at)
        await record(self, preview, outcome)

    record = StoredPreviews.record_outcome
    _replace(accept, "consume_pressed", look_only)
    _replace(StoredPreviews, "consume", look_only_for_words)
    _replace(StoredPreviews, "record_outcome", use_up_then)
    close = PreviewTable.close

    async def close_others(self: Any, owner: Any, preview_id: Any, reason: CloseReason) -> bool:  # noqa: ANN401
        return False if reason is CloseReason.MESSAGE_BETWEEN else await close(self, owner, preview_id, reason)

    _replace(PreviewTable, "close", close_others)


def _read_then_write() -> None:
    """Press: the card is read first and written later, and neither numbers nor the one running turn hold off others."""
    read_before: ContextVar[Preview | None] = ContextVar("read_before")
    accept_as_usual, migrate = Acceptance.accept, Database.migrate

    async def read_then_accept(self: Any, sending: Sending) -> Accepted | TurnStarted:  # noqa: ANN401 - private
        async with self._database.reading() as session:
            message = sending.message
            if isinstance(message, ConfirmMessage):
                read_before.set(await PreviewTable(session).find(sending.caller.identity.id, message.preview_id))
        return await accept_as_usual(self, sending)

    async def read_already(*_: object) -> Preview | None:
        return read_before.get()

    def is_open(preview: Preview, _turn: object, _now: object) -> None:
        if preview.closed is not None:
            raise confirmation_invalid(preview.closed.value)

    async def write(self: Any, preview: Preview, by: TurnId, now: datetime) -> bool:  # noqa: ANN401 - private
        used = {"closed": "executed", "consumed_at": now, "consumed_by": by, "outcome": "unknown"}
        await self._session.exec(update(PreviewRow).where(col(PreviewRow.id) == preview.id).values(**used))
        return True

    async def migrate_without_index(self: Database) -> None:
        await migrate(self)
        async with self.transaction() as session:
            await (await session.connection()).execute(text("DROP INDEX IF EXISTS ux_turns_running"))

    _replace(Acceptance, "accept", read_then_accept)
    _replace(accept, "get_pressed", read_already)
    _replace(accept, "check_pressed", is_open)
    _replace(PreviewTable, "consume", write)
    _replace(Database, "migrate", migrate_without_index)


def _show_calls_when_they_have_ended() -> None:
    """Writing calls are told only together with their result."""
    begin = TurnRecorder.begin_call

    def begin_quietly(self: Any, raw: Any) -> None:  # noqa: ANN401 - private
        emit = self._live.emit
        with patch.object(self._live, "emit", lambda *_: None):
            begin(self, raw)
        self._live.emit = emit

    _replace(TurnRecorder, "begin_call", begin_quietly)


def _forget_unknown_outcomes() -> None:
    """A turn that a dead process left is closed without a look at what it had used up."""

    async def none_of_them(_self: object, _turn_ids: object) -> tuple[Preview, ...]:
        return ()

    _replace(PreviewTable, "list_of_turns", none_of_them)


def _never_sweep() -> None:
    """Nobody closes the turns of dead processes."""

    async def sweep_nothing(_self: object, _own: object) -> int:
        return 0

    _replace(Recovery, "sweep", sweep_nothing)


def _let_nova_falter() -> None:
    """Nova's answers to the chat are slow, fail or are cut, as a file says at the moment."""
    how = Path(os.environ[HOW_VARIABLE])
    begin = NovaDoor.__init__

    def read() -> str:
        return how.read_text() if how.exists() else ""

    def begin_faltering(self: NovaDoor, api: ASGIApp) -> None:
        async def faltering(scope: Scope, receive: Receive, send: Send) -> None:
            delegation = delegation_of(scope)
            is_chat = delegation is not None and delegation.origin.is_chat
            await _falter(read() if is_chat else "", api, scope, receive, send)

        begin(self, faltering, call_seconds=1.0)

    _replace(NovaDoor, "__init__", begin_faltering)


async def _falter(how: str, api: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    is_reading_a_card = (
        scope["method"] == "GET" and scope["path"].count("/") > 1
    )  # what is confirmed is looked at first

    async def cut(message: Any) -> None:  # noqa: ANN401 - an ASGI message is foreign
        if message["type"] == "http.response.body":
            raise ConnectionAbortedError
        await send(message)

    async def swallow(_message: object) -> None:
        return None

    match "" if is_reading_a_card else how:
        case "slow":
            await asyncio.sleep(3600)
        case "fail before":
            raise RuntimeError
        case "fail after":
            await api(scope, receive, swallow)
            raise RuntimeError
        case "cut":
            await api(scope, receive, cut)
        case _:
            await api(scope, receive, send)


FAULTS: Final[Mapping[str, Plant]] = MappingProxyType(
    {
        USED_UP_LATE: _use_up_after_the_call,
        "read, then write": _read_then_write,
        "calls are shown when they have ended": _show_calls_when_they_have_ended,
        "unknown outcomes are forgotten": _forget_unknown_outcomes,
        "dead turns are left": _never_sweep,
        FALTERING: _let_nova_falter,
    }
)


if __name__ == "__main__":
    if sys.argv[1]:
        FAULTS[sys.argv[1]]()
    obey_orders()  # around what was planted
    sys.exit(app.main(sys.argv[2:]))
