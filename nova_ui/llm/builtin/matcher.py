"""How well a text fits the phrases of one tool: pieces in any order, details between them, little left unexplained."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import AnyTool, Phrasing, Slot, ToolKind
from nova_ui.llm.builtin.costs import MAX_CHANGE_COST, MAX_READ_COST, cost_of_ignoring
from nova_ui.llm.builtin.lexicon import FILLING, is_action
from nova_ui.llm.builtin.phrase import Gap, Phrase, Piece, Term, read_phrase
from nova_ui.llm.builtin.slots import Reading, Values, fill
from nova_ui.llm.builtin.words import Word

MAX_DETAILS_COST: Final = 0.5
_MISSING_COST: Final = 0.5
_TERM_WORTH: Final = 0.03
_SECOND_BEST_COST: Final = 0.2
_SKIPPED: Final = 0.02
_KEPT_PER_STATE: Final = 4


@dataclass(frozen=True, slots=True)
class Fit:
    """One way in which a text means a tool: what the words give, which slots they leave open, and what it costs."""

    tool: AnyTool
    values: Values
    open_slots: tuple[str, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Spoken:
    """A phrase with the arguments that its words alone give."""

    phrase: Phrase
    sets: Values
    is_shared: bool = False
    is_second_best: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """A tool with its phrases read."""

    tool: AnyTool
    phrases: tuple[Spoken, ...]
    details: tuple[Spoken, ...]

    @property
    def changes(self) -> bool:
        """Whether the tool writes or destroys."""
        return self.tool.kind is not ToolKind.READ

    def slot(self, name: str) -> Slot:
        """Return what a slot takes."""
        return self.tool.phrases.slots.get(name, Slot())


def grammar_of(tool: AnyTool) -> Grammar:
    """Read the phrases of a tool.

    Raises:
        ValueError: a phrase can't be read.

    """
    declared = tool.phrases
    plain = Phrasing(english=declared.english, german=declared.german)
    return Grammar(tool, _spoken((plain, *declared.variants)), _spoken(declared.details))


def _spoken(phrasings: Sequence[Phrasing]) -> tuple[Spoken, ...]:
    return tuple(
        Spoken(read_phrase(text), phrasing.sets, phrasing.is_shared, phrasing.is_second_best)
        for phrasing in phrasings
        for text in (*phrasing.english, *phrasing.german)
    )


def best_fit(grammar: Grammar, reading: Reading) -> Fit | None:
    """Return the cheapest fit of a tool, or None if too much of the text stays unexplained."""
    limit = MAX_CHANGE_COST if grammar.changes else MAX_READ_COST
    possible = [spoken for spoken in grammar.phrases if _is_possible(spoken.phrase, reading, grammar.changes)]
    if not possible:
        return None
    details = _found_details(grammar, reading)
    ignored = _costs(grammar, reading.words)
    fits = [fit for spoken in possible for fit in _Search(grammar, reading, spoken, details, ignored, limit).fits()]
    best = min(fits, key=lambda fit: fit.cost, default=None)
    return best if best is not None and best.cost <= limit else None


def details_alone(grammar: Grammar, reading: Reading) -> Fit | None:
    """Return what a text gives that names nothing but details of a tool, such as "in Finance"."""
    nothing = Spoken(Phrase("", (), (), (), ()), {})
    ignored = _costs(grammar, reading.words)
    found = _Search(grammar, reading, nothing, _found_details(grammar, reading), ignored, MAX_DETAILS_COST).fits()
    best = min((fit for fit in found if fit.values), key=lambda fit: fit.cost, default=None)
    return best if best is not None and best.cost <= MAX_DETAILS_COST else None


def _is_possible(phrase: Phrase, reading: Reading, changes: bool) -> bool:  # noqa: FBT001 - a fact, not a switch
    terms = phrase.told_terms if changes else phrase.terms
    return all(term.words & reading.folded or term.concepts & reading.concepts for term in terms)


def _costs(grammar: Grammar, words: Sequence[Word]) -> list[float]:
    following = [*words[1:], None]
    return [
        cost_of_ignoring(word, after, changes=grammar.changes) for word, after in zip(words, following, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Found:
    """A piece found in a text."""

    end: int
    cost: float
    values: Values
    open_slots: tuple[str, ...] = ()


def _found_details(grammar: Grammar, reading: Reading) -> Mapping[int, list[_Found]]:
    found: dict[int, list[_Found]] = {}
    for start in range(len(reading.words)):
        for spoken in grammar.details:
            for piece in spoken.phrase.pieces:
                for one in _match_piece(grammar, reading, piece, start):
                    if not one.open_slots:
                        values = {**spoken.sets, **one.values}
                        found.setdefault(start, []).append(_Found(one.end, one.cost + _SKIPPED, values))
    return found


def _match_piece(grammar: Grammar, reading: Reading, piece: Piece, start: int) -> Iterator[_Found]:
    """Yield the ways in which `piece` stands at `start`; its first element must stand exactly there."""
    yield from _match_elements(grammar, reading, piece, 0, _Found(start, 0.0, {}))


def _match_elements(grammar: Grammar, reading: Reading, piece: Piece, index: int, so_far: _Found) -> Iterator[_Found]:
    if index == len(piece):
        yield so_far
        return
    element = piece[index]
    for place, skipped in _places(reading.words, so_far.end, may_skip=index > 0):
        if isinstance(element, Term):
            if place < len(reading.words) and _stands_at(element, reading.words[place]):
                reached = _Found(place + 1, so_far.cost + skipped, so_far.values, so_far.open_slots)
                yield from _match_elements(grammar, reading, piece, index + 1, reached)
                break
        else:
            yield from _match_gap(grammar, reading, piece, index, _moved(so_far, place, skipped))
    if isinstance(element, Term) and element.is_optional:
        yield from _match_elements(grammar, reading, piece, index + 1, so_far)
    elif isinstance(element, Gap):
        without = (*so_far.open_slots, element.slot)
        reached = _Found(so_far.end, so_far.cost + _MISSING_COST, so_far.values, without)
        yield from _match_elements(grammar, reading, piece, index + 1, reached)


def _match_gap(grammar: Grammar, reading: Reading, piece: Piece, index: int, so_far: _Found) -> Iterator[_Found]:
    element = piece[index]
    if not isinstance(element, Gap):
        return
    for filled in fill(element.slot, grammar.slot(element.slot), reading, so_far.end):
        values = {**so_far.values, **filled.values}
        reached = _Found(filled.end, so_far.cost + filled.cost, values, so_far.open_slots)
        yield from _match_elements(grammar, reading, piece, index + 1, reached)


def _moved(found: _Found, place: int, cost: float) -> _Found:
    return _Found(place, found.cost + cost, found.values, found.open_slots)


def _places(words: Sequence[Word], start: int, *, may_skip: bool) -> Iterator[tuple[int, float]]:
    """Yield where the next element may stand: here, or behind words that only fill."""
    cost = 0.0
    yield start, cost
    while may_skip and start < len(words) and _only_fills(words[start]):
        start += 1
        cost += _SKIPPED
        yield start, cost


def _only_fills(word: Word) -> bool:
    return word.is_mark or (not word.is_quoted and word.folded in FILLING)


def _stands_at(term: Term, word: Word) -> bool:
    return not word.is_quoted and term.fits(word.folded)


@dataclass(frozen=True, slots=True)
class _State:
    cost: float
    values: Mapping[str, JsonValue]
    open_slots: tuple[str, ...] = ()


@dataclass(slots=True)
class _Search:
    """Goes through the words once, keeping the cheapest ways to have used some of the pieces."""

    grammar: Grammar
    reading: Reading
    spoken: Spoken
    details: Mapping[int, list[_Found]]
    ignored: Sequence[float]
    limit: float
    _states: list[dict[int, list[_State]]] = field(default_factory=list)

    def fits(self) -> list[Fit]:
        """Return the fits that use all pieces of the phrase."""
        count = len(self.reading.words)
        self._states = [{} for _ in range(count + 1)]
        self._states[0][0] = [_State(0.0, dict(self.spoken.sets))]
        for place in range(count):
            self._step(place)
        return [
            Fit(self.grammar.tool, state.values, (*state.open_slots, *lacking), state.cost + cost - self._worth)
            for used, states in self._states[count].items()
            for lacking, cost in self._lacking(used)
            for state in states
        ]

    @property
    def _worth(self) -> float:
        handicap = _SECOND_BEST_COST if self.spoken.is_second_best else 0.0
        return _TERM_WORTH * len(self.spoken.phrase.terms) - handicap

    def _lacking(self, used: int) -> Iterator[tuple[tuple[str, ...], float]]:
        """Yield the slots of the pieces that are not used and what that costs; nothing if one of them must be there."""
        pieces = self.spoken.phrase.pieces
        unused = [piece for number, piece in enumerate(pieces) if not used & (1 << number)]
        # Verbs such as "give" say too little by themselves: with them, nothing may be missing.
        has_verb = any(is_action(word) for word in self.reading.folded)
        told = self.spoken.phrase.told if self.grammar.changes and has_verb else pieces
        if not any(piece in told for piece in unused):
            slots = tuple(element.slot for piece in unused for element in piece if isinstance(element, Gap))
            yield slots, _MISSING_COST * len(unused)

    def _step(self, place: int) -> None:
        if not self._states[place]:
            return
        pieces = self.spoken.phrase.pieces
        matches = [list(_match_piece(self.grammar, self.reading, piece, place)) for piece in pieces]
        for used, states in self._states[place].items():
            for state in states:
                self._keep(place + 1, used, _State(state.cost + self.ignored[place], state.values, state.open_slots))
                for number, found in enumerate(matches):
                    if not used & (1 << number):
                        self._take_all(used | (1 << number), state, found, place)
                self._take_all(used, state, self.details.get(place, ()), place)

    def _take_all(self, used: int, state: _State, found: Sequence[_Found], place: int) -> None:
        for one in found:
            if one.end > place and not any(
                state.values.get(name, value) != value for name, value in one.values.items()
            ):
                values = {**state.values, **one.values}
                self._keep(one.end, used, _State(state.cost + one.cost, values, (*state.open_slots, *one.open_slots)))

    def _keep(self, place: int, used: int, state: _State) -> None:
        if state.cost > self.limit + self._worth:
            return  # costs only grow
        states = self._states[place].setdefault(used, [])
        states.append(state)
        states.sort(key=lambda one: one.cost)
        del states[_KEPT_PER_STATE:]
