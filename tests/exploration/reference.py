"""Sections B, C and E of the specification, once more, in as few words as they take: what a right server decides.

Nothing of the product is used here. Persons, assistants and cards are told of what happens; `judge` says what may
become of a call, and the server's answer is held against it. No limit on messages a minute is set where it is used.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

READ: Final = frozenset({"list_groups", "search_audit_log"})
WRITE: Final = frozenset({"update_group", "create_export", "update_my_profile"})
DESTRUCTIVE: Final = frozenset({"delete_group", "disable_identity", "end_my_session", "offboard_identity"})
FOR_EVERYONE: Final = frozenset({"list_groups", "end_my_session", "update_my_profile"})
FOR_AUDITORS: Final = frozenset({"search_audit_log", "create_export"})
STEPS: Final = frozenset({"end_identity_sessions", "revoke_assignment", "remove_group_member", "disable_identity"})
INNER: Final = {"offboard_identity": STEPS, "create_export": frozenset({"list_groups"})}
DEFAULTS: Final[dict[str, dict[str, object]]] = {"list_groups": {"limit": 25}, "create_export": {"format": "csv"}}
LIFETIME_MS: Final = 600_000
MODEL_CALLS, SAME_CALL, RESULT_CHARS, TURN_CHARS = 12, 3, 12_000, 60_000
RUN, ASK = "run", "ask"


@dataclass(frozen=True)
class Call:
    """A call as somebody makes it; `flaw` is the code that its arguments deserve, `about` the object it names."""

    name: str
    arguments: dict[str, object]
    about: str = ""
    confirmed: bool = False
    flaw: str | None = None

    @property
    def digest(self) -> str:
        """Equal for calls that mean the same (C6)."""
        whole = DEFAULTS.get(self.name, {}) | self.arguments
        plain = {key: int(value) if isinstance(value, float) else value for key, value in whole.items()}
        return json.dumps([self.name, plain], sort_keys=True)


@dataclass
class Person:
    roles: set[str]
    is_signed_in: bool = True
    requests_left: int | None = None  # to a model, by a budget if one is set


@dataclass
class Assistant:
    tools: set[str] | None  # None means all
    admins_only: bool = False
    button_only: bool = False
    named: frozenset[str] = frozenset()


@dataclass
class Card:
    id: str
    owner: str
    assistant: str
    number: int
    call: Call
    shown_ms: int
    version: int
    takes_words: bool
    name: str | None
    by_person: bool
    is_open: bool = True
    is_deleted: bool = False


@dataclass
class Turn:
    person: str
    assistant: str
    number: int
    at_start: frozenset[str]
    pressed: Card | None = None
    agreed: Card | None = None
    voided: Card | None = None
    model_calls: int = 0
    destructive: int = 0
    previews: int = 0
    shown: set[str] = field(default_factory=set)
    runs: Counter[str] = field(default_factory=Counter)
    chars: int = 0
    has_crossed: bool = False


class Reference:
    """The state that the rules speak of."""

    def __init__(self, persons: dict[str, Person], assistants: dict[str, Assistant]) -> None:
        self.persons = persons
        self.assistants = assistants
        self.cards: dict[str, Card] = {}
        self.numbers: Counter[tuple[str, str]] = Counter()
        self.versions: Counter[str] = Counter()
        self.now_ms = 0

    def exists_for(self, person: str, assistant: str) -> bool:
        """B5: an assistant for administrators only is none to others."""
        return not self.assistants[assistant].admins_only or "administrator" in self.persons[person].roles

    def accept(self, person: str, assistant: str, *, agrees: bool = False) -> Turn:
        """Count a typed message or an own call, and close the card before it unless the words agree (C4, C5, C7)."""
        turn = self._begin(person, assistant)
        for card in self._open_cards(person, assistant):
            is_following = card.number + 1 == turn.number and self.now_ms - card.shown_ms <= LIFETIME_MS
            if agrees and is_following and card.takes_words:
                turn.agreed = card
            else:
                card.is_open, turn.voided = False, card
        return turn

    def press(self, person: str, assistant: str, card_id: str, name: str) -> Turn | str:
        """Count a press of the button, or say why it is none (C4, C5, C8, C15)."""
        card = self.cards[card_id]
        if (card.owner, card.assistant) != (person, assistant) or card.is_deleted:
            return "not_found"
        number = self.numbers[person, assistant] + 1
        if not card.is_open or card.number + 1 != number or self.now_ms - card.shown_ms > LIFETIME_MS:
            card.is_open = card.is_open and self.now_ms - card.shown_ms <= LIFETIME_MS
            return "confirmation_invalid"
        if card.name is not None and name != card.name:
            return "name_differs"
        turn = self._begin(person, assistant)
        card.is_open, turn.pressed = False, card
        return turn

    def ask_model(self, turn: Turn) -> bool:
        """Count a request to the model, and say whether it may be sent (E1, E6)."""
        person, turn.model_calls = self.persons[turn.person], turn.model_calls + 1
        left, person.requests_left = person.requests_left, person.requests_left and person.requests_left - 1
        return turn.model_calls <= MODEL_CALLS and left != 0

    def judge_press(self, turn: Turn) -> set[str]:
        """Say what may become of the call whose button was pressed (C8, C11, C14)."""
        card = turn.pressed
        assert card is not None
        noes = self._noes(turn, card.call) - {"read_only_reply"}
        return noes or {RUN if card.version == self.versions[card.call.about] else ASK}

    def judge(self, turn: Turn, call: Call) -> set[str]:
        """Say what may become of a call: `RUN`, `ASK`, or one of the refusals that fit."""
        noes = self._noes(turn, call)
        if noes:
            return noes
        if turn.runs[call.digest] >= SAME_CALL:
            return {"limit_repeated_call"}
        if call.name not in DESTRUCTIVE:
            return {RUN}
        claim = self._judge_claim(turn, call) if call.confirmed else None
        return claim or ({"limit_destructive"} if turn.destructive + turn.previews else {ASK})

    def _judge_claim(self, turn: Turn, call: Call) -> set[str] | None:
        """C3 to C7: only the person's own words in this message, for exactly this call; None: as if not claimed."""
        invalid = {"confirmation_invalid"}
        if call.digest in turn.shown:
            return invalid
        agreed = turn.agreed
        if agreed is None:
            return invalid if turn.voided is not None and turn.voided.call.digest == call.digest else None
        if self.now_ms - agreed.shown_ms > LIFETIME_MS:
            return invalid
        if agreed.call.digest != call.digest:
            return None
        if turn.destructive + turn.previews:
            return {"limit_destructive"}
        return {RUN if agreed.version == self.versions[call.about] else ASK}

    def _noes(self, turn: Turn, call: Call) -> set[str]:
        """A2, A3, B1, B2, B7, B8, C8, D2, E1, E5: whatever stands against any call."""
        person, assistant = self.persons[turn.person], self.assistants[turn.assistant]
        reaches = {call.name} | INNER.get(call.name, frozenset())
        needed = "auditor" if call.name in FOR_AUDITORS else "administrator"
        may = call.name in FOR_EVERYONE or "administrator" in person.roles or needed in person.roles
        is_tool = call.name in READ | WRITE | DESTRUCTIVE
        listed = is_tool and all(assistant.tools is None or one in assistant.tools & turn.at_start for one in reaches)
        against = {
            str(call.flaw): call.flaw is not None,
            "not_permitted": not person.is_signed_in or not may,
            "not_released": not listed or not self.exists_for(turn.person, turn.assistant),
            "read_only_reply": turn.pressed is not None and call.name not in READ,
            "limit_model_calls": turn.model_calls >= MODEL_CALLS,
            "limit_tool_results": turn.has_crossed or turn.chars >= TURN_CHARS,
        }
        return {code for code, stands in against.items() if stands}

    def _begin(self, person: str, assistant: str) -> Turn:
        self.numbers[person, assistant] += 1
        at_start = frozenset(self.assistants[assistant].tools or ())
        return Turn(person, assistant, self.numbers[person, assistant], at_start)

    def _open_cards(self, person: str, assistant: str) -> list[Card]:
        return [one for one in self.cards.values() if one.is_open and (one.owner, one.assistant) == (person, assistant)]
