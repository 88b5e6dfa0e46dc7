"""What each statement does to the shared state, as PostgreSQL does it at its weakest: others' commits are seen at once,
a row that another transaction has written must be waited for, and what was read may be old when something is written.

SQLite allows only some of these orders.
"""

from collections.abc import Callable
from typing import Final

from tests.exploration.protocol_code import WORKERS
from tests.exploration.protocol_sql import RealWrites
from tests.exploration.protocol_state import (
    COUNTER,
    Card,
    Doing,
    Op,
    Run,
    State,
    Thread,
    TurnState,
    card_key,
    is_locked,
    read,
    rows_seen,
    turn_key,
    with_thread,
    written,
)

_YES: Final = True
_NO: Final = False
_WRITES_CARD: Final = {"close", "consume", "record", "show card"}
_WRITE_CARDS: Final = {"close before", "close unshown"}


class World:
    """Performs statements; of a statement that has to wait it returns None."""

    def __init__(self, writes: RealWrites) -> None:
        self._writes = writes

    def perform(self, state: State, place: int, op: Op) -> State | None:
        """Return the state after the statement, its answer heard."""
        key = _row_written(op)
        if key is not None and is_locked(state, place, key):
            return None
        if op.name in _WRITE_CARDS and any(is_locked(state, place, card_key(card.id)) for card in _cards(state, place)):
            return None
        if op.name == "add turn" and any(
            is_locked(state, place, other) for other in rows_seen_by_all(state) if other.startswith("turn:")
        ):
            return None
        statement: Callable[..., State] = getattr(self, f"_{op.name.replace(' ', '_')}")
        return statement(state, place, *op.args)

    def _now(self, state: State, place: int) -> State:
        return _heard(state, place, state.now_ms)

    def _count_message(self, state: State, place: int) -> State:
        number = _int(read(state, place, COUNTER)) + 1
        return _heard(_write(state, place, COUNTER, number), place, number)

    def _find_card(self, state: State, place: int, preview_id: str) -> State:
        return _heard(state, place, read(state, place, card_key(preview_id)))

    def _list_open(self, state: State, place: int) -> State:
        return _heard(state, place, tuple(card for card in _cards(state, place) if card.closed is None))

    def _used_up_by(self, state: State, place: int, turn_id: str) -> State:
        return _heard(state, place, tuple(card for card in _cards(state, place) if card.consumed_by == turn_id))

    def _add_card(self, state: State, place: int, card: Card) -> State:
        return _heard(_write(state, place, card_key(card.id), card), place, None)

    def _close(self, state: State, place: int, preview_id: str, reason: str) -> State:
        return self._update(state, place, *self._writes.close(_card(state, place, preview_id), reason))

    def _close_before(self, state: State, place: int, turn_id: str) -> State:
        turn, closed = _turn(state, place, turn_id), []
        for card in _cards(state, place):
            has_won, after = self._writes.close_before(card, turn, turn_id)
            if has_won:
                state = _write(state, place, card_key(card.id), after)
                closed.append(card.id)
        return _heard(state, place, tuple(closed))

    def _close_unshown(self, state: State, place: int, turn_id: str, shown: tuple[str, ...]) -> State:
        for card in _cards(state, place):
            after = self._writes.close_unshown(card, turn_id, shown)
            state = state if after == card else _write(state, place, card_key(card.id), after)
        return _heard(state, place, None)

    def _shown_by(self, state: State, place: int, turn_id: str) -> State:
        return _heard(
            state, place, tuple(card.id for card in _cards(state, place) if card.is_shown and card.by == turn_id)
        )

    def _show_card(self, state: State, place: int, preview_id: str) -> State:
        shown = _card(state, place, preview_id)._replace(is_shown=True)
        rows = {**dict(state.rows), card_key(preview_id): shown}
        return _heard(state._replace(rows=tuple(sorted(rows.items()))), place, None)

    def _record(self, state: State, place: int, preview_id: str, outcome: str) -> State:
        return self._update(state, place, *self._writes.record(_card(state, place, preview_id), outcome))

    def _consume(self, state: State, place: int, preview_id: str, turn_id: str, now_ms: int) -> State:
        turn = read(state, place, turn_key(turn_id))
        assert turn is None or isinstance(turn, TurnState)
        card = _card(state, place, preview_id)
        return self._update(state, place, *self._writes.consume(card, turn, turn_id, now_ms))

    def _update(self, state: State, place: int, has_won: bool, card: Card) -> State:  # noqa: FBT001
        changed = _write(state, place, card_key(card.id), card) if has_won else state
        return _heard(changed, place, has_won)

    def _add_turn(self, state: State, place: int, turn_id: str, number: int, worker: str) -> State:
        if any(turn.state == "running" for turn in _turns(state, place)):
            return _heard(state, place, _NO)
        turn = TurnState(turn_id, number, worker)
        return _heard(_write(state, place, turn_key(turn_id), turn), place, _YES)

    def _stop(self, state: State, place: int, turn_id: str) -> State:
        turn = _turn(state, place, turn_id)
        if turn is None or turn.state != "running":
            return _heard(state, place, _NO)
        return _heard(_write(state, place, turn_key(turn_id), turn._replace(is_stopped=True)), place, _YES)

    def _hold(self, state: State, place: int, turn_id: str) -> State:
        turn = _turn(state, place, turn_id)
        if turn is None or turn.state != "running" or turn.is_stopped:
            return _heard(state, place, _NO)
        return _heard(_write(state, place, turn_key(turn_id), turn), place, _YES)

    def _finish(self, state: State, place: int, turn_id: str, worker: str, *end: object) -> State:
        turn = _turn(state, place, turn_id)
        if turn is None or turn.state != "running" or turn.worker != worker:
            return _heard(state, place, _NO)
        ended = turn._replace(state=str(end[0]), told_unknown=end[1] is True)
        return _heard(_write(state, place, turn_key(turn_id), ended), place, _YES)

    def _look(self, state: State, place: int, turn_id: str, worker: str) -> State:
        turn = _turn(state, place, turn_id)
        goes_on = turn is not None and turn.state == "running" and turn.worker == worker and not turn.is_stopped
        return _heard(state, place, (goes_on, state.now_ms))

    def _list_running(self, state: State, place: int) -> State:
        running = [(turn.id, turn.worker) for turn in _turns(state, place) if turn.state == "running"]
        return _heard(state, place, tuple(running))

    def _is_alive(self, state: State, place: int, pid: int) -> State:
        worker = next(one.id for one in WORKERS.values() if one.pid == pid)
        return _heard(state, place, state.crashed != worker)

    def _run(self, state: State, place: int, about: str) -> State:
        return _heard(state._replace(runs=(*state.runs, Run(place, about))), place, None)

    def _commit(self, state: State, place: int) -> State:
        rows = {**dict(state.rows), **dict(state.threads[place].writes)}
        return _heard(_without_writes(state._replace(rows=tuple(sorted(rows.items()))), place), place, None)

    def _rollback(self, state: State, place: int) -> State:
        return _heard(_without_writes(state, place), place, None)


def crash(state: State, worker: str) -> State:
    """Let a process die: what it had not committed is gone, nothing of it goes on, and the other one looks after it."""
    other = next(one.id for one in WORKERS.values() if one.id != worker)
    threads = tuple(
        thread._replace(worker=other)
        if thread.action.doing is Doing.RECOVER
        else thread._replace(heard=(), writes=(), end=thread.end or "crashed")
        if thread.worker == worker
        else thread
        for thread in state.threads
    )
    return state._replace(threads=threads, crashed=worker)


def rows_seen_by_all(state: State) -> set[str]:
    return {key for key, _ in state.rows} | {key for thread in state.threads for key, _ in thread.writes}


def cards_of(state: State) -> list[Card]:
    return [row for _, row in state.rows if isinstance(row, Card)]


def turns_of(state: State) -> list[TurnState]:
    return [row for _, row in state.rows if isinstance(row, TurnState)]


def _row_written(op: Op) -> str | None:
    if op.name == "count message":
        return COUNTER
    if op.name in _WRITES_CARD:
        return card_key(str(op.args[0]))
    return turn_key(str(op.args[0])) if op.name in {"stop", "hold", "finish"} else None


def _heard(state: State, place: int, answer: object = None) -> State:
    action, worker, heard, writes, end = state.threads[place]
    return with_thread(state, place, Thread(action, worker, (*heard, answer), writes, end))


def _write(state: State, place: int, key: str, row: Card | TurnState | int) -> State:
    return with_thread(state, place, written(state.threads[place], key, row))


def _without_writes(state: State, place: int) -> State:
    return with_thread(state, place, state.threads[place]._replace(writes=()))


def _cards(state: State, place: int) -> list[Card]:
    return [row for row in rows_seen(state, place).values() if isinstance(row, Card)]


def _turns(state: State, place: int) -> list[TurnState]:
    return [row for row in rows_seen(state, place).values() if isinstance(row, TurnState)]


def _card(state: State, place: int, preview_id: str) -> Card:
    row = read(state, place, card_key(preview_id))
    assert isinstance(row, Card)
    return row


def _turn(state: State, place: int, turn_id: str) -> TurnState | None:
    row = read(state, place, turn_key(turn_id))
    assert row is None or isinstance(row, TurnState)
    return row


def _int(row: object) -> int:
    assert isinstance(row, int)
    return row
