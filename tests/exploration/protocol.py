"""Explores the confirmation protocol: every order of what people, models, clocks and crashes can do, up to a bound.

    python -m tests.exploration.protocol                 pairs of actions, as the tests do it
    python -m tests.exploration.protocol --actions 3     triples; takes minutes

It starts with one card that was shown in message 1, in three kinds (plain, button only, name to be typed). Two
processes and several tabs then act at once: they press, type, cancel, stop; the model claims what it likes; the clock
stands at 0:00.000, 10:00.000 or 10:00.001; a process dies between any two statements, and another one recovers its
turn. Each step is one statement (rules C3 to C10, C12, C15).
"""

import argparse
import asyncio
import itertools
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.exploration.protocol_code import FIRST_CARD, WORKERS, RealCode
from tests.exploration.protocol_rules import find_broken_end, find_broken_step
from tests.exploration.protocol_sql import RealWrites
from tests.exploration.protocol_state import (
    COUNTER,
    FIRST,
    MOMENTS,
    SECOND,
    Action,
    Card,
    Doing,
    Op,
    State,
    Thread,
    card_key,
    with_thread,
)
from tests.exploration.protocol_tables import replaced_tables
from tests.exploration.protocol_world import World, crash

SAME: Final = ("grp_1", True)
OTHER: Final = ("grp_2", True)
UNCLAIMED: Final = ("grp_1", False)

ACTIONS: Final = (
    Action(Doing.PRESS, claims=(SAME,)),
    Action(Doing.SAY, "Yes.", (SAME, SAME)),
    Action(Doing.SAY, "ja, löschen", (OTHER,)),
    Action(Doing.SAY, "yes", (UNCLAIMED, SAME)),
    Action(Doing.SAY, "no", (SAME,)),
    Action(Doing.SAY, "yes, but show me the list first", (SAME,)),
    Action(Doing.PRESS_WRONG_NAME),
    Action(Doing.USE, claims=(UNCLAIMED,)),
    Action(Doing.CANCEL),
    Action(Doing.STOP),
)
CARDS: Final = (
    Card(FIRST_CARD, 1, 0, "grp_1"),
    Card(FIRST_CARD, 1, 0, "grp_1", button_only=True),
    Card(FIRST_CARD, 1, 0, "grp_1", is_named=True),
)
WRITES: Final = frozenset({"add card", "close", "close unshown", "consume", "record", "stop", "finish"})
AT_ONCE: Final = frozenset({"rollback", "is alive"})
MAX_STATES: Final = 2_000_000


@dataclass(kw_only=True)
class Explored:
    """What was seen; `broken` is the first rule that did not hold, with the way there."""

    scenarios: int = 0
    states: int = 0
    steps: int = 0
    runs: int = 0
    broken: str | None = None


class Explorer:
    """Goes through every state that can be reached from a start."""

    def __init__(self, code: RealCode, world: World) -> None:
        self._code = code
        self._world = world

    def explore(self, start: State, seen: Explored) -> None:
        """Visit every state once; stops at the first that breaks a rule."""
        may_crash = any(thread.action.doing is Doing.RECOVER for thread in start.threads)
        came_from: dict[State, tuple[State, str] | None] = {start: None}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            is_end = True
            for step, after in self._steps(state, may_crash=may_crash):
                is_end = is_end and step.startswith("clock")
                seen.steps += 1
                broken = find_broken_step(state, after)
                if broken is None and after in came_from:
                    continue
                came_from.setdefault(after, (state, step))
                if broken is not None:
                    seen.broken = f"{broken}\n{_way(came_from, after)}"
                    return
                waiting.append(after)
            broken = find_broken_end(state) if is_end else None
            if broken is not None:
                seen.broken = f"{broken}\n{_way(came_from, state)}"
                return
            seen.runs += is_end and bool(state.runs)
            assert len(came_from) <= MAX_STATES, "a bound of the exploration does not hold"
        seen.states += len(came_from)

    def _steps(self, state: State, *, may_crash: bool) -> Iterator[tuple[str, State]]:
        is_time_asked = False
        for place, thread in enumerate(state.threads):
            if thread.end is not None or (thread.action.doing is Doing.RECOVER and state.crashed is None):
                continue
            op = self._next(state, place)
            assert op is not None
            is_time_asked = is_time_asked or op.name in {"now", "look"}
            after = self._world.perform(state, place, op)
            if after is not None:
                yield f"{place} {op.name} {op.args}", self._go_on(after, place, op)
        later = [moment for moment in MOMENTS if moment > state.now_ms]
        if later and is_time_asked:
            yield f"clock at {later[0]} ms", state._replace(now_ms=later[0])
        if may_crash and state.crashed is None:
            for worker in {one.worker for one in state.threads if one.end is None and one.heard}:
                yield f"{worker} dies", crash(state, worker)

    def _next(self, state: State, place: int) -> Op | None:
        thread = state.threads[place]
        next_one = self._code.next(place, thread.action, thread.worker, thread.heard)
        return next_one if isinstance(next_one, Op) else None

    def _go_on(self, state: State, place: int, last: Op) -> State:
        """Do at once what makes no difference for anybody else when it is done.

        That is the commit right after a statement that writes: whoever reads the row in between could have done so
        before, whoever writes it waits, and a crash takes back both. Likewise what only looks at what can't change.
        """
        while True:
            thread = state.threads[place]
            next_one = self._code.next(place, thread.action, thread.worker, thread.heard)
            if isinstance(next_one, str):
                return with_thread(state, place, thread._replace(end=next_one, heard=()))
            is_same_moment = (last.name in WRITES and next_one.name == "commit") or next_one.name in AT_ONCE
            after = self._world.perform(state, place, next_one) if is_same_moment else None
            if after is None:
                return state
            state, last = after, next_one


def starts(actions: int, *, wholly: bool) -> Iterator[State]:
    """Yield every start with so many actions at once, each next one on the other process.

    Unless `wholly`, processes die only where the card is a plain one, which most actions can confirm.
    """
    workers = (WORKERS[FIRST].id, WORKERS[SECOND].id)
    for card, done in itertools.product(CARDS, itertools.product(ACTIONS, repeat=actions)):
        if not _is_first_of_its_like(done):
            continue
        threads = [Thread(action, workers[place % 2]) for place, action in enumerate(done)]
        if wholly or card is CARDS[0]:
            threads.append(Thread(Action(Doing.RECOVER), ""))
        rows = ((card_key(card.id), card), (COUNTER, 1))
        yield State(tuple(threads), tuple(sorted(rows)))


def _is_first_of_its_like(done: tuple[Action, ...]) -> bool:
    """Processes are alike, and so are tabs; only the action that another one stops is told apart from the rest."""
    told_apart = 1 if any(action.doing is Doing.STOP for action in done) else 0
    return done[0].doing is not Doing.STOP and list(done[told_apart:]) == sorted(done[told_apart:])


def explore_all(actions: int = 2, *, wholly: bool = False) -> Explored:
    """Explore every start with one to `actions` actions; the first broken rule ends it."""
    seen = Explored()
    with asyncio.Runner() as runner, replaced_tables():
        writes = RealWrites(runner)
        explorer = Explorer(RealCode(runner), World(writes))
        try:
            for count in range(1, actions + 1):
                for start in starts(count, wholly=wholly or count == 1):
                    seen.scenarios += 1
                    explorer.explore(start, seen)
                    if seen.broken is not None:
                        return seen
        finally:
            writes.shut_down()
    return seen


def _way(came_from: dict[State, tuple[State, str] | None], state: State) -> str:
    steps: list[str] = []
    at = state
    while (before := came_from[at]) is not None:
        at, step = before
        steps.append(step)
    actions = [f"{place}: {thread.action} in {thread.worker}" for place, thread in enumerate(at.threads)]
    return "\n".join([f"  {at.rows}", *(f"  {one}" for one in (*actions, *reversed(steps)))])


def _main() -> int:
    parser = argparse.ArgumentParser(description="Explore the confirmation protocol.")
    parser.add_argument("--actions", type=int, default=2, help="how many actions at once")
    parser.add_argument("--wholly", action="store_true", help="let processes die whatever the card demands")
    logging.disable(logging.WARNING)
    arguments = parser.parse_args()
    began = time.monotonic()
    seen = explore_all(arguments.actions, wholly=arguments.wholly)
    print(  # noqa: T201 - what the command is for
        f"{seen.scenarios} starts, {seen.states} states, {seen.steps} steps, {seen.runs} ends with an execution, "
        f"{time.monotonic() - began:.1f} s: {seen.broken or 'every rule held in every state'}"
    )
    return 0 if seen.broken is None else 1


if __name__ == "__main__":
    raise SystemExit(_main())
