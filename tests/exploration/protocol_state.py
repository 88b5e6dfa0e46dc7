"""What the exploration of the confirmation protocol keeps in its states: rows, locks, time, and who does what."""

from enum import StrEnum
from typing import Final, NamedTuple

LIMIT_MS: Final = 600_000
MOMENTS: Final = (0, LIMIT_MS, LIMIT_MS + 1)
FIRST: Final = "one"
SECOND: Final = "two"


class Doing(StrEnum):
    """What a person does in a tab."""

    PRESS = "press"
    PRESS_WRONG_NAME = "press with a wrong name"
    SAY = "say"
    USE = "use from the / menu"
    CANCEL = "cancel"
    STOP = "stop"
    RECOVER = "recover"  # no person: the process that finds another dead


class Action(NamedTuple):
    """One thing done; `claims` are the calls that the model then makes: the object, and whether it says confirmed."""

    doing: Doing
    text: str = ""
    claims: tuple[tuple[str, bool], ...] = ()


class Card(NamedTuple):
    """A row of `previews`, as far as the protocol goes."""

    id: str
    turn: int
    shown_ms: int
    about: str
    button_only: bool = False
    is_named: bool = False
    closed: str | None = None
    consumed_by: str | None = None
    consumed_ms: int | None = None
    outcome: str | None = None
    by: str = "trn_first"
    is_shown: bool = True  # by an event that is kept: nobody can mean a card that was lost before


class TurnState(NamedTuple):
    """A row of `turns`."""

    id: str
    number: int
    worker: str
    state: str = "running"
    is_stopped: bool = False
    told_unknown: bool = False


Row = Card | TurnState | int


class Op(NamedTuple):
    """One statement, one look at the clock, or one thing done to Nova: what happens at once."""

    name: str
    args: tuple[object, ...] = ()


class Thread(NamedTuple):
    """Somebody's action on its way: `heard` is what its statements gave so far, `writes` what is not committed yet."""

    action: Action
    worker: str
    heard: tuple[object, ...] = ()
    writes: tuple[tuple[str, Row], ...] = ()
    end: str | None = None


class Run(NamedTuple):
    """A destructive call that reached Nova."""

    thread: int
    about: str


class State(NamedTuple):
    """Everything, between two steps."""

    threads: tuple[Thread, ...]
    rows: tuple[tuple[str, Row], ...]
    now_ms: int = 0
    runs: tuple[Run, ...] = ()
    crashed: str | None = None


def turn_id_of(thread: int) -> str:
    return f"trn_{thread}"


def card_key(preview_id: str) -> str:
    return f"card:{preview_id}"


def turn_key(turn_id: str) -> str:
    return f"turn:{turn_id}"


COUNTER: Final = "counter"


def read(state: State, thread: int, key: str) -> Row | None:
    """Return a row as a transaction sees it: committed, or its own."""
    own = dict(state.threads[thread].writes)
    return own[key] if key in own else dict(state.rows).get(key)


def rows_seen(state: State, thread: int) -> dict[str, Row]:
    return {**dict(state.rows), **dict(state.threads[thread].writes)}


def is_locked(state: State, thread: int, key: str) -> bool:
    """Whether another transaction has written the row and not ended yet."""
    return any(
        key == written for place, other in enumerate(state.threads) if place != thread for written, _ in other.writes
    )


def with_thread(state: State, place: int, thread: Thread) -> State:
    threads, rows, now_ms, runs, crashed = state
    return State((*threads[:place], thread, *threads[place + 1 :]), rows, now_ms, runs, crashed)


def written(thread: Thread, key: str, row: Row) -> Thread:
    return thread._replace(writes=tuple(sorted({**dict(thread.writes), key: row}.items())))
