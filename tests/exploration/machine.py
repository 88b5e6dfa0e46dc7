"""A state machine over the real engine and the real API, with a model that tries everything it should not.

    python -m tests.exploration.machine --minutes 30        random seeds, for as long as wished
    python -m tests.exploration.machine --seed 7            one of them again
    python -m tests.exploration.machine --faults            plants each fault and shows that it is found
    python -m tests.exploration.machine --database postgresql+psycopg://…   the same over a PostgreSQL server

Persons type, press, cancel, answer otherwise, in several chats, with tabs at two applications over one database; roles,
lists, sessions, budgets and objects change between and during their turns; the clock moves. After every step what
happened is held against `reference.py`, and what left the process is searched for planted secrets. With `--database` a
database is made on that server and dropped again.
"""

import argparse
import json
import logging
import random
import time
from contextlib import ExitStack
from typing import Any, Final

import hypothesis
from hypothesis.stateful import run_state_machine_as_test

from tests.exploration import machine_faults
from tests.exploration.machine_rules import FOUND, TOTALS, Machine
from tests.fakes.databases import postgresql_database

MAX_STEPS_TO_A_FAULT: Final = 4_000
_EXAMPLES: Final = 40


def settings(examples: int, **more: Any) -> hypothesis.settings:  # noqa: ANN401 - hypothesis's own
    return hypothesis.settings(
        max_examples=examples,
        stateful_step_count=25,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        **more,
    )


def run(seed: int, examples: int, *, postgresql: str | None = None, **more: Any) -> None:  # noqa: ANN401 - as above
    """Run with one seed.

    Raises:
        AssertionError: something did not hold.

    """
    seeded = type("Seeded", (Machine,), {"postgresql": postgresql})
    run_state_machine_as_test(hypothesis.seed(seed)(seeded), settings=settings(examples, **more))


def find_fault(name: str, *, max_steps: int = MAX_STEPS_TO_A_FAULT, postgresql: str | None = None) -> str | None:
    """Plant a fault and return after how many steps what gives it away, or None; the same each time."""
    TOTALS.clear()
    FOUND.clear()
    seed = 0
    while not FOUND and TOTALS["steps"] < max_steps:
        seed += 1
        with machine_faults.planted(name):
            try:
                run(
                    seed,
                    _EXAMPLES,
                    postgresql=postgresql,
                    phases=[hypothesis.Phase.generate],
                    report_multiple_bugs=False,
                )
            except AssertionError:
                if not FOUND:  # it was no rule that broke, but the machine
                    raise
    if not FOUND:
        return None
    steps, broken = FOUND[0]
    return f"{steps} steps: {broken.splitlines()[0][:300]}"


def _find_faults(postgresql: str | None) -> int:
    missed = 0
    for name in machine_faults.FAULTS:
        how = find_fault(name, postgresql=postgresql)
        missed += how is None
        print(f"{name}\n    {how or 'NOT FOUND'}", flush=True)  # noqa: T201 - what the command is for
    return min(1, missed)


def _go_on(seed: int | None, minutes: float, postgresql: str | None) -> int:
    until = time.monotonic() + minutes * 60
    while True:
        chosen = random.SystemRandom().randrange(10**9) if seed is None else seed
        began = time.monotonic()
        run(chosen, _EXAMPLES, postgresql=postgresql)
        took_s = time.monotonic() - began
        print(f"seed {chosen}: {took_s:.0f} s; {TOTALS['steps']} steps so far, all held", flush=True)  # noqa: T201
        if seed is not None or time.monotonic() > until:
            print(json.dumps(dict(sorted(TOTALS.items())), indent=1))  # noqa: T201
            return 0


def _main() -> int:
    parser = argparse.ArgumentParser(description="Run the state machine of the guardrails.")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--database", help="a PostgreSQL server, as postgresql+psycopg://…; without it SQLite")
    arguments = parser.parse_args()
    logging.disable(logging.ERROR)
    with ExitStack() as stack:
        server = arguments.database
        made = None if server is None else stack.enter_context(postgresql_database(server))
        return _find_faults(made) if arguments.faults else _go_on(arguments.seed, arguments.minutes, made)


if __name__ == "__main__":
    raise SystemExit(_main())
