"""A state machine over the real engine and the real API, with a model that tries everything it should not.

    python -m tests.exploration.machine --minutes 30        random seeds, for as long as wished
    python -m tests.exploration.machine --seed 7            one of them again
    python -m tests.exploration.machine --faults            plants each fault and shows that it is found

Persons type, press, cancel, answer otherwise, in several chats; roles, lists, sessions and objects change between
and during their turns; the clock moves. After every step what happened is held against `reference.py`, and what left
the process is searched for planted secrets.
"""

import argparse
import json
import logging
import random
import time
from collections import Counter
from typing import Any, Final

import hypothesis
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.exploration import machine_deeds, machine_faults
from tests.exploration.machine_people import FLOWS, GROUPS, LISTED, PEOPLE, TOKEN, calls, wishes
from tests.exploration.machine_site import Answer
from tests.exploration.reference import INNER, LIFETIME_MS, Call

TOTALS: Final[Counter[str]] = Counter()

_people = st.sampled_from(("root", *PEOPLE, "root", "ada"))
_assistants = st.sampled_from(("helpdesk", "strict", "helpdesk", "admin"))
_deeds = st.tuples(
    st.sampled_from(
        ("nothing",) * 6 + ("end session", "withdraw", "take off", "put on", "rename", "clock", "tab", "stop")
    ),
    st.sampled_from(("list_groups", *sorted(LISTED))),  # what exports reach for is taken off more often
    st.sampled_from(GROUPS),
)
_answers = st.lists(st.tuples(_deeds, st.lists(calls(), min_size=1, max_size=4)), min_size=1, max_size=3)
_elsewhere = st.sampled_from(
    (
        "wait",
        "wait for the end",
        "change it",
        "wait for the end",
        "cancel",
        "cancel another's",
        "mend",
        "mend",
        "delete chats",
        "deed",
        "deed",
    )
)
_waits = st.sampled_from((1, 1_000, LIFETIME_MS // 2, LIFETIME_MS))
_texts = st.sampled_from(
    ("yes", "Ja, löschen!", "yes", "no", "yes, but first the list", "delete it", f"my key is {TOKEN}", "he said yes")
)
Script = list[tuple[tuple[str, str, str], list[tuple[Call, str]]]]


class Machine(RuleBasedStateMachine):
    """One example: a day in the life of four people and their assistants."""

    def __init__(self) -> None:
        super().__init__()
        self.day = machine_deeds.Day()

    @initialize()
    def begin(self) -> None:
        self.day.begin()

    @rule(person=_people, assistant=_assistants, text=_texts, answers=_answers, anew=st.booleans())
    def say(self, person: str, assistant: str, text: str, answers: Script, *, anew: bool) -> None:
        self._script(answers, is_endless=False)
        self.day.say(person, assistant, text, anew=anew)

    @rule(person=st.sampled_from(("root", "root", "ada")), assistant=_assistants, call=wishes())
    def ask_for_it(self, person: str, assistant: str, call: tuple[Call, str]) -> None:
        """The usual beginning: the person wants something, and the model calls for it."""
        self._script([(("nothing", "", ""), [call])], is_endless=False)
        self.day.say(person, assistant, "delete it", anew=False)

    @precondition(lambda self: self.day.newest_card() is not None)
    @rule(
        answers=_answers,
        is_confirmed=st.booleans(),
        other=wishes(),
        is_same=st.booleans(),
        text=st.sampled_from(("yes", "ja", "yes", "yes", "no", "well")),
    )
    def answer_the_card(
        self, answers: Script, other: tuple[Call, str], text: str, *, is_confirmed: bool, is_same: bool
    ) -> None:
        """The person replies to the newest card, and the model claims its call, or another one."""
        card = self.day.newest_card()
        assert card is not None
        claimed = card.call if is_same else other[0]
        call = Call(claimed.name, claimed.arguments, claimed.about, confirmed=is_confirmed)
        words = json.dumps({**call.arguments, **({"confirmed": True} if is_confirmed else {})})
        self._script([(("nothing", "", ""), [(call, words)]), *answers], is_endless=False)
        self.day.say(card.owner, card.assistant, text, anew=False)

    @rule(person=_people, assistant=_assistants, call=calls(), answers=_answers, is_wide=st.booleans())
    def flood(self, person: str, assistant: str, call: tuple[Call, str], answers: Script, *, is_wide: bool) -> None:
        """The model never stops."""
        reads = [Call("list_groups", {"q": words}) for words in ("Filling", "l", "i", "n", "F", "g")]
        made = [(one, json.dumps(one.arguments)) for one in reads] if is_wide else [call, call]
        self._script([*answers[: 0 if is_wide else 3], (("nothing", "", ""), made)], is_endless=True)
        self.day.say(person, assistant, "and so on", anew=True)

    @rule(
        flow=st.sampled_from(sorted(INNER)), place=st.integers(0, 3), assistant=st.sampled_from(("helpdesk", "strict"))
    )
    def reach_indirectly(self, flow: str, place: int, assistant: str) -> None:
        """The list is full but for one step of a flow, which is then called."""
        steps, call = sorted(INNER[flow]), FLOWS[flow]
        self.day.mend("root")
        self.day.run(self.day.do(("take off", steps[place % len(steps)], ""), "root", assistant))
        self._script([(("nothing", "", ""), [(call, json.dumps(call.arguments))])], is_endless=False)
        self.day.say("root", assistant, "delete it", anew=True)

    @precondition(lambda self: self.day.newest_card() is not None)
    @rule(answers=_answers, is_named=st.sampled_from((True, True, False)), is_late=st.booleans())
    def press_the_newest(self, answers: Script, *, is_named: bool, is_late: bool) -> None:
        """The person presses; with `is_late` somebody has changed the group meanwhile."""
        card = self.day.newest_card()
        assert card is not None
        if is_late and card.call.about in GROUPS:
            self.day.run(self.day.do(("rename", "", card.call.about), card.owner, card.assistant))
        self._script(answers, is_endless=False)
        self.day.press(card.owner, card.assistant, card, card.name or "" if is_named else "Grup 1")

    @precondition(lambda self: self.day.newest_card() is not None)
    @rule(person=_people, assistant=_assistants, number=st.integers(0, 9), answers=_answers)
    def press_any(self, person: str, assistant: str, number: int, answers: Script) -> None:
        cards = list(self.day.reference.cards.values())
        card = cards[number % len(cards)]
        self._script(answers, is_endless=False)
        self.day.press(person, assistant, card, card.name or "")

    @rule(person=_people, assistant=_assistants, call=calls())
    def use(self, person: str, assistant: str, call: tuple[Call, str]) -> None:
        self._script([], is_endless=False)
        self.day.use(person, assistant, call[0])

    @rule(kind=_elsewhere, deed=_deeds, person=_people, assistant=_assistants, by_ms=_waits)
    def happen(self, kind: str, deed: tuple[str, str, str], person: str, assistant: str, by_ms: int) -> None:
        """Something that is no message: the clock moves, a card is cancelled, an administrator changes something."""
        card = self.day.newest_card()
        match kind:
            case "wait":
                self.day.move_clock(by_ms)
            case "wait for the end" if card is not None:
                last_ms = card.shown_ms + LIFETIME_MS + by_ms % 2
                self.day.move_clock(max(0, last_ms - self.day.reference.now_ms))
            case "cancel" | "cancel another's" if card is not None:
                self.day.cancel(card.owner if kind == "cancel" else person, card)
            case "change it" if card is not None and card.call.about in GROUPS:
                self.day.run(self.day.do(("rename", "", card.call.about), person, assistant))
            case "mend":
                self.day.mend(person)
            case "delete chats":
                self.day.delete_chats(person)
            case _:
                self.day.run(self.day.do(deed, person, assistant))

    @invariant()
    def nothing_is_broken(self) -> None:
        self.day.check()

    def teardown(self) -> None:
        TOTALS.update(self.day.watch.counts)
        self.day.end()

    def _script(self, answers: Script, *, is_endless: bool) -> None:
        self.day.script(
            [
                Answer(calls=tuple(self.day.known(*call) for call in made), meanwhile=(self.day.deed(deed),))
                for deed, made in answers
            ],
            is_endless=is_endless,
        )


def settings(examples: int, steps: int = 25, **more: Any) -> hypothesis.settings:  # noqa: ANN401 - hypothesis's own
    return hypothesis.settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        **more,
    )


def run(seed: int, examples: int, **more: Any) -> None:  # noqa: ANN401 - hypothesis's own
    """Run with one seed.

    Raises:
        AssertionError: something did not hold.

    """
    run_state_machine_as_test(
        hypothesis.seed(seed)(type("Seeded", (Machine,), {})), settings=settings(examples, **more)
    )


def find_fault(name: str, seeds: int = 4) -> str | None:
    """Plant a fault and return the first thing that gives it away, or None."""
    for seed in range(1, seeds + 1):
        with machine_faults.planted(name):
            try:
                run(seed, 40, phases=[hypothesis.Phase.generate], report_multiple_bugs=False)
            except AssertionError as found:
                return str(found).splitlines()[0]
    return None


def _main() -> int:
    parser = argparse.ArgumentParser(description="Run the state machine of the guardrails.")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--faults", action="store_true")
    arguments = parser.parse_args()
    logging.disable(logging.ERROR)
    if arguments.faults:
        missed = 0
        for name in machine_faults.FAULTS:
            how = find_fault(name)
            missed += how is None
            print(f"{name}: {how or 'NOT FOUND'}", flush=True)  # noqa: T201 - what the command is for
        return min(1, missed)
    until = time.monotonic() + arguments.minutes * 60
    while True:
        seed = random.SystemRandom().randrange(10**9) if arguments.seed is None else arguments.seed
        began = time.monotonic()
        run(seed, 40)
        steps = TOTALS["steps"]
        print(f"seed {seed}: {time.monotonic() - began:.0f} s; {steps} steps so far, all held", flush=True)  # noqa: T201
        if arguments.seed is not None or time.monotonic() > until:
            print(json.dumps(dict(sorted(TOTALS.items())), indent=1))  # noqa: T201
            return 0


if __name__ == "__main__":
    raise SystemExit(_main())
