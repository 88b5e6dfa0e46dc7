"""What is tried: each rule is a step, drawn by hypothesis."""

import json
from collections import Counter
from typing import Final, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.exploration.machine_deeds import Day, DeedWords
from tests.exploration.machine_model import Answer
from tests.exploration.machine_people import FLOWS, GROUPS, LISTED, PEOPLE, TOKEN, calls, wishes
from tests.exploration.machine_site import the_site
from tests.exploration.reference import INNER, LIFETIME_MS, Call, Card

TOTALS: Final[Counter[str]] = Counter()
FOUND: Final[list[tuple[int, str]]] = []  # after how many steps something did not hold, and what


class Where(NamedTuple):
    """Who does something, with which assistant, in a tab of which application."""

    person: str
    assistant: str
    app: int


_apps = st.integers(0, 1)
_assistants = st.sampled_from(("helpdesk", "strict", "helpdesk", "admin"))
_wheres = st.builds(Where, st.sampled_from(("root", *PEOPLE, "root", "ada")), _assistants, _apps)
_by_root = st.builds(Where, st.sampled_from(("root", "root", "ada")), _assistants, _apps)
_deeds = st.tuples(
    st.sampled_from(
        ("nothing",) * 7 + ("end session", "withdraw", "take off", "put on", "rename", "clock", "tab", "stop", "budget")
    ),
    st.sampled_from(("list_groups", *sorted(LISTED))),  # what exports reach for is taken off more often
    st.sampled_from(GROUPS),
    _apps,
)
_NOTHING: Final = ("nothing", "", "", 0)
_answers = st.lists(st.tuples(_deeds, st.lists(calls(), min_size=1, max_size=3)), min_size=1, max_size=2)
_elsewhere = st.sampled_from(
    ("wait", "wait for the end", "wait for the end", "change it", "cancel", "cancel another's", "delete chats")
    + ("deed",) * 3
)
_waits = st.sampled_from((1, 1_001, LIFETIME_MS // 2, LIFETIME_MS))
_texts = st.sampled_from(
    ("yes", "Ja, löschen!", "yes", "no", "yes, but first the list", "delete it", f"my key is {TOKEN}", "he said yes")
)
Script = list[tuple[DeedWords, list[tuple[Call, str]]]]


class Machine(RuleBasedStateMachine):
    """One example: a day in the life of four people and their assistants."""

    postgresql: str | None = None  # the address of a database to be emptied; None: SQLite

    def __init__(self) -> None:
        super().__init__()
        self.day = Day(the_site(self.postgresql))
        self.was_flooded = False

    @initialize()
    def begin(self) -> None:
        self.day.begin()

    @rule(where=_wheres, text=_texts, answers=_answers, anew=st.booleans())
    def say(self, where: Where, text: str, answers: Script, *, anew: bool) -> None:
        self._script(where.app, answers)
        self.day.say(where.person, where.assistant, text, anew=anew)

    @rule(where=_by_root, call=wishes())
    def ask_for_it(self, where: Where, call: tuple[Call, str]) -> None:
        """The usual beginning: the person wants something, and the model calls for it."""
        self._script(where.app, [(_NOTHING, [call])])
        self.day.say(where.person, where.assistant, "delete it", anew=False)

    @precondition(lambda self: self.day.newest_card() is not None)
    @rule(
        app=_apps,
        answers=_answers,
        is_confirmed=st.booleans(),
        other=wishes(),
        is_same=st.booleans(),
        text=st.sampled_from(("yes", "ja", "yes", "yes", "no", "well")),
    )
    def answer_the_card(
        self, app: int, answers: Script, other: tuple[Call, str], text: str, *, is_confirmed: bool, is_same: bool
    ) -> None:
        """The person replies to the newest card, and the model claims its call, or another one."""
        card = self._card()
        claimed = card.call if is_same else other[0]
        call = Call(claimed.name, claimed.arguments, claimed.about, confirmed=is_confirmed)
        words = json.dumps({**call.arguments, **({"confirmed": True} if is_confirmed else {})})
        self._script(app, [(_NOTHING, [(call, words)]), *answers])
        self.day.say(card.owner, card.assistant, text, anew=False)

    @precondition(lambda self: not self.was_flooded)
    @rule(where=_wheres, call=calls(), answers=_answers, is_wide=st.booleans())
    def flood(self, where: Where, call: tuple[Call, str], answers: Script, *, is_wide: bool) -> None:
        """The model never stops. Once a day: it takes as long as ten other steps."""
        self.was_flooded = True
        reads = [Call("list_groups", {"q": words}) for words in ("Filling", "l", "i", "n", "F", "g")]
        made = [(one, json.dumps(one.arguments)) for one in reads]
        script = [(_NOTHING, made), (_NOTHING, made[:1])] if is_wide else [*answers, (_NOTHING, [call, call])]
        self._script(where.app, script, is_endless=True)
        self.day.say(where.person, where.assistant, "and so on", anew=True)

    @rule(
        app=_apps,
        flow=st.sampled_from(sorted(INNER)),
        place=st.integers(0, 3),
        assistant=st.sampled_from(("helpdesk", "strict")),
    )
    def reach_indirectly(self, app: int, flow: str, place: int, assistant: str) -> None:
        """The list is full but for one step of a flow, which is then called."""
        steps, call = sorted(INNER[flow]), FLOWS[flow]
        self.day.mend()
        self.day.run(self.day.do(("take off", steps[place % len(steps)], "", app), "root", assistant))
        self._script(app, [(_NOTHING, [(call, json.dumps(call.arguments))])])
        self.day.say("root", assistant, "delete it", anew=True)

    @precondition(lambda self: self.day.newest_card() is not None)
    @rule(
        app=_apps,
        answers=_answers,
        is_named=st.sampled_from((True, True, False)),
        before=st.sampled_from(("nothing", "a change", "a change", "the last moment", "a moment too many")),
    )
    def press_the_newest(self, app: int, answers: Script, before: str, *, is_named: bool) -> None:
        """The person presses, perhaps after somebody has changed the group, or just in time, or just not."""
        card = self._card()
        if before == "a change" and card.call.about in GROUPS:
            self.day.run(self.day.do(("rename", "", card.call.about, app), card.owner, card.assistant))
        if before in {"the last moment", "a moment too many"}:
            self._wait_for_the_end_of(card, int(before == "a moment too many"))
        self._script(app, answers)
        self.day.press(card.owner, card.assistant, card, card.name or "" if is_named else "Grup 1")

    @precondition(lambda self: self.day.newest_card() is not None)
    @rule(where=_wheres, number=st.integers(0, 9), answers=_answers)
    def press_any(self, where: Where, number: int, answers: Script) -> None:
        cards = list(self.day.reference.cards.values())
        card = cards[number % len(cards)]
        self._script(where.app, answers)
        self.day.press(where.person, where.assistant, card, card.name or "")

    @rule(where=_wheres, call=calls())
    def use(self, where: Where, call: tuple[Call, str]) -> None:
        self._script(where.app, [])
        self.day.use(where.person, where.assistant, call[0])

    @rule(kind=_elsewhere, deed=_deeds, where=_wheres, by_ms=_waits)
    def happen(self, kind: str, deed: DeedWords, where: Where, by_ms: int) -> None:
        """Something that is no message: the clock moves, a card is cancelled, an administrator changes something."""
        card, self.day.app = self.day.newest_card(), where.app
        match kind:
            case "wait":
                self.day.move_clock(by_ms)
            case "wait for the end" if card is not None:
                self._wait_for_the_end_of(card, by_ms % 2)
            case "cancel" | "cancel another's" if card is not None:
                self.day.cancel(card.owner if kind == "cancel" else where.person, card)
            case "change it" if card is not None and card.call.about in GROUPS:
                renamed = ("rename", "", card.call.about, where.app)
                self.day.run(self.day.do(renamed, where.person, where.assistant))
            case "delete chats":
                self.day.delete_chats(where.person)
            case _:
                self.day.run(self.day.do(deed, where.person, where.assistant))

    @precondition(lambda self: self.day.is_out_of_order())
    @rule()
    def mend(self) -> None:
        """Everybody is given back what was taken: else little would be left to be tried."""
        self.day.mend()

    @invariant()
    def nothing_is_broken(self) -> None:
        try:
            self.day.looks.check()
        except AssertionError as broken:
            FOUND.append((TOTALS["steps"] + self.day.watch.counts["looks"] - 1, str(broken)))
            raise

    def teardown(self) -> None:
        TOTALS.update(self.day.watch.counts)
        TOTALS["days"] += 1
        TOTALS["steps"] = TOTALS["looks"] - TOTALS["days"]  # the first look of a day is at its beginning
        self.day.end()

    def _card(self) -> Card:
        card = self.day.newest_card()
        assert card is not None
        return card

    def _wait_for_the_end_of(self, card: Card, more_ms: int) -> None:
        last_ms = card.shown_ms + LIFETIME_MS + more_ms
        self.day.move_clock(max(0, last_ms - self.day.reference.now_ms))

    def _script(self, app: int, answers: Script, *, is_endless: bool = False) -> None:
        self.day.app = app
        self.day.script(
            [
                Answer(calls=tuple(self.day.known(*call) for call in made), meanwhile=(self.day.deed(deed),))
                for deed, made in answers
            ],
            is_endless=is_endless,
        )
