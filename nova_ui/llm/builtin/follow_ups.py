"""What a message means that rests on the one before: "only the active ones", "and in Finance?", "suspend her".

Pronouns and gaps stand for what the last answer showed, and only where that is one thing; between several nothing is
guessed. What changes something still needs its verb in the message itself (rule 2 of the built-in model).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, ToolArguments, ToolKind
from nova_ui.llm.builtin.lexicon import FILLING, SHOWING, concepts_of
from nova_ui.llm.builtin.matcher import Grammar, details_alone
from nova_ui.llm.builtin.slots import read
from nova_ui.llm.builtin.topic import NOUNS, PERSON, Topic, managers_of
from nova_ui.llm.builtin.understanding import Meaning, People, Plan, Unsure, understand
from nova_ui.llm.builtin.words import Word, split_words

_ALL: Final = frozenset(NOUNS)
_PEOPLE: Final = frozenset({PERSON})
_HIM: Final = frozenset({"he", "him", "she", "ihn", "ihm", "er"})
_IT: Final = frozenset({"it", "them", "they", "es", "sie", "ihnen", "her"})
_HIS: Final = frozenset({"his", "her", "its", "their", "sein", "seine", "seinen", "seiner", "seines"}) | frozenset(
    {"ihr", "ihre", "ihren", "ihrer", "deren", "dessen"}
)
_THIS: Final = frozenset({"this", "that", "these", "those"}) | frozenset(
    {"diese", "dieser", "diesen", "diesem", "dieses", "jene", "jener", "jenen"}
)
_ARTICLES: Final = frozenset({"the", "die", "der", "das", "den", "dem"})
_ONE: Final = frozenset({"one", "ones"})
_OF_THEM: Final = frozenset({"davon", "of", "them", "these", "those", "von", "ihnen", "da"})
_POINTING: Final = _HIM | _IT | _HIS | _THIS | _ONE
_ORDINALS: Final = {
    word: place
    for place, words in {
        0: "first erste ersten erster erstes",
        1: "second zweite zweiten zweiter zweites",
        2: "third dritte dritten dritter drittes",
        -1: "last letzte letzten letzter letztes",
    }.items()
    for word in words.split()
}
_GOING_ON: Final = frozenset({"and", "und", "only", "just", "nur", "but", "aber", "lediglich"})
_SMALL: Final = _GOING_ON | _ARTICLES | frozenset({"please", "bitte", "now", "jetzt", "also", "auch", "then", "dann"})
_OPENINGS: Final = (("what", "about"), ("how", "about"), ("was", "ist", "mit"), ("wie", "ist", "es", "mit"))
_REASONS: Final = frozenset({"because", "since", "as", "weil", "da", "denn"})
_KINDS: Final = {"identity": PERSON, "group": "grp", "role": "rol", "application": "app", "single_right": "ent"}
_MAX_WORDS: Final = 9
_NOT_KEPT: Final = frozenset({"limit", "cursor"})


@dataclass(frozen=True, slots=True)
class _Said:
    """A message, its words, what it rests on and what is offered."""

    text: str
    words: Sequence[Word]
    topic: Topic
    grammars: Sequence[Grammar]
    today: date

    def understood(self, text: str) -> Meaning:
        return understand(read(text, self.today), self.grammars)


def follow_up(text: str, plain: Meaning, topic: Topic, grammars: Sequence[Grammar], today: date) -> Meaning | None:
    """Return what a message means that rests on `topic`; None if it does not. `plain` is what it means by itself."""
    words = [word for word in split_words(text) if not word.is_mark]
    if not 0 < len(words) <= _MAX_WORDS or _names_its_object(plain):
        return None
    said = _Said(text, words, topic, grammars, today)
    return _their_managers(said) or _narrowed(said) or _another(said) or _pointed_at(said)


def _names_its_object(plain: Meaning) -> bool:
    """Whether a message is whole without the one before, as one is that names what it is about."""
    if not isinstance(plain, Plan) or plain.missing:
        return False
    return any(
        isinstance(one, str) and not any(word.folded in _POINTING for word in split_words(one))
        for value in plain.values.values()
        for one in (value if isinstance(value, list) else [value])
    )


def _their_managers(said: _Said) -> Meaning | None:
    is_asked = any("manager" in concepts_of(word.folded) for word in said.words)
    if not is_asked or not any(word.folded in _HIS for word in said.words) or "get_identity" not in _offered(said):
        return None
    people, managers = said.topic.ids(_PEOPLE), managers_of(said.topic)
    if len(managers) > 1:
        return People(said.topic.rows)
    only = managers or people
    return Plan(tool=_offered(said)["get_identity"], values={"identity_id": only[0]}) if len(only) == 1 else None


def _offered(said: _Said) -> Mapping[str, AnyTool]:
    return {grammar.tool.name: grammar.tool for grammar in said.grammars}


def _rest(words: Sequence[Word]) -> tuple[list[Word], bool]:
    """Return the words without those that only lead on, and whether there were any that do."""
    folded = tuple(word.folded for word in words)
    opening = next((one for one in _OPENINGS if folded[: len(one)] == one), ())
    rest = list(words[len(opening) :])
    goes_on = bool(opening) or any(word.folded in _GOING_ON for word in rest)
    while rest and rest[0].folded in _SMALL:
        rest.pop(0)
    while rest and rest[-1].folded in _ONE | _SMALL | {"davon"}:
        rest.pop()
    return rest, goes_on


def _narrowed(said: _Said) -> Plan | None:
    """Ask for the same list with one more condition, or another one."""
    rest, goes_on = _rest(said.words)
    tool = said.topic.tool
    grammar = next((one for one in said.grammars if one.tool is tool), None)
    if not goes_on or not rest or not said.topic.is_list or grammar is None or tool.kind is not ToolKind.READ:
        return None
    fit = details_alone(grammar, read(_text_of(said, rest), said.today))
    if fit is None or fit.open_slots:
        return None
    return Plan(tool=tool, values={**_kept(said.topic.arguments), **fit.values})


def _another(said: _Said) -> Plan | None:
    """Ask the same about another object, which is named; only what reads is asked again like this."""
    rest, goes_on = _rest(said.words)
    tool = said.topic.tool
    if not goes_on or not rest or tool.kind is not ToolKind.READ:
        return None
    kinds = {kind for concept in concepts_of(rest[0].folded) if (kind := _KINDS.get(concept))}
    name = rest[1:] if kinds else rest
    if not name or not all(word.looks_like_a_name for word in name) or (not kinds and concepts_of(name[0].folded)):
        return None
    asked = [slot for slot, value in said.topic.arguments.items() if _takes(slot, value, kinds)]
    if len(asked) != 1:
        return None
    return Plan(tool=tool, values={**_kept(said.topic.arguments), asked[0]: _text_of(said, name)})


def _takes(slot: str, value: JsonValue, kinds: set[str]) -> bool:
    is_id = isinstance(value, str) and value[3:4] == "_"
    if kinds:
        return is_id and str(value)[:3] in kinds
    return is_id or slot in {"q", "department"}


def _kept(arguments: JsonObject) -> JsonObject:
    return {name: value for name, value in arguments.items() if name not in _NOT_KEPT}


@dataclass(frozen=True, slots=True)
class _Pointer:
    """Words that point at something: from which word to which, and at objects of which kinds, or at which row."""

    start: int
    end: int
    kinds: frozenset[str]
    row: int | None = None
    is_possessive: bool = False


def _pointed_at(said: _Said) -> Meaning | None:
    pointer = _find_pointer(said)
    if pointer is None:
        return None
    ids = _row(said.topic, pointer.row) if pointer.row is not None else said.topic.ids(pointer.kinds)
    fitting = next((meaning for one in ids[:1] if (meaning := _put_in(said, pointer, one)) is not None), None)
    return fitting if len(ids) == 1 or fitting is None else Unsure(max(said.topic.total, len(ids)))


def _row(topic: Topic, place: int) -> list[str]:
    if not topic.is_list or not -1 <= place < len(topic.rows) or (place == -1 and topic.total > len(topic.rows)):
        return []
    own = topic.rows[place].get("id") if topic.rows else None
    return [own] if isinstance(own, str) and own[:3] in NOUNS else []


def _find_pointer(said: _Said) -> _Pointer | None:
    for place, word in enumerate(said.words):
        if word.is_quoted:
            continue
        if word.folded in _REASONS:
            return None
        found = _pointer_at(said.words, place)
        if found is not None:
            return found
    return None


def _pointer_at(words: Sequence[Word], place: int) -> _Pointer | None:
    folded = words[place].folded
    following = words[place + 1].folded if place + 1 < len(words) else ""
    if folded in _ORDINALS:
        return _ordinal(words, place)
    if folded in _THIS:
        kinds = frozenset(kind for concept in concepts_of(following) if (kind := _KINDS.get(concept)))
        is_longer = bool(kinds) or following in _ONE
        return _Pointer(place, place + 1 + is_longer, kinds or _ALL) if is_longer or not following else None
    if folded in _HIS and _is_noun(following):
        return _Pointer(place, place + 1, _PEOPLE if folded in {"his", "her"} else _ALL, is_possessive=True)
    is_formal = words[place].text == "Sie" and place > 0
    if folded in _HIM or (folded in _IT and not is_formal):
        return _Pointer(place, place + 1, _PEOPLE if folded in _HIM | {"her"} else _ALL)
    return None


def _is_noun(folded: str) -> bool:
    return bool(concepts_of(folded)) and folded not in FILLING


def _ordinal(words: Sequence[Word], place: int) -> _Pointer | None:
    start = place - 1 if place and words[place - 1].folded in _ARTICLES else place
    end = place + 1
    kinds: frozenset[str] = frozenset()
    if end < len(words):
        kinds = frozenset(kind for concept in concepts_of(words[end].folded) if (kind := _KINDS.get(concept)))
        end += bool(kinds) or words[end].folded in _ONE
    while end < len(words) and words[end].folded in _OF_THEM:
        end += 1
    is_count = end < len(words) and words[end].folded.isdigit()
    return None if is_count else _Pointer(start, end, kinds or _ALL, row=_ORDINALS[words[place].folded])


def _put_in(said: _Said, pointer: _Pointer, found: str) -> Plan | None:
    """Return what a message means with an id in the place of what points at it."""
    before, after = said.words[: pointer.start], said.words[pointer.end :]
    while before and before[0].folded in _SMALL:
        before = before[1:]
    name = f"{NOUNS.get(found[:3], '')} {found}"
    if not any(_says_something(word) for word in (*before, *after)):
        texts: tuple[str, ...] = (f"show {name}",)
    elif pointer.is_possessive:
        texts = (f"{_text_of(said, before)} {_text_of(said, after)} {_of(said)} {name}",)
    else:
        texts = tuple(f"{_text_of(said, before)} {one} {_text_of(said, after)}" for one in (name, found))
    return next((plan for text in texts if (plan := _plan_with(said, text, found)) is not None), None)


def _says_something(word: Word) -> bool:
    return not (word.folded in SHOWING or word.folded in FILLING or word.folded in _SMALL)


def _of(said: _Said) -> str:
    return "von" if any(word.folded in _HIS and word.folded[0] in "sd" for word in said.words) else "of"


def _plan_with(said: _Said, text: str, found: str) -> Plan | None:
    meaning = said.understood(text.strip())
    if not isinstance(meaning, Plan) or meaning.missing:
        return None
    slots = [name for name, value in meaning.values.items() if value in (found, [found])]
    return meaning if any(found[:3] in _kinds_of(meaning.tool.arguments, slot) for slot in slots) else None


@lru_cache(maxsize=512)
def _kinds_of(arguments: type[ToolArguments], slot: str) -> frozenset[str]:
    """Return which ids an argument takes, by its own pattern."""
    schema = str(arguments.model_json_schema().get("properties", {}).get(slot, {}))
    return frozenset(re.findall(r"\^([a-z]{3})_", schema))


def _text_of(said: _Said, words: Sequence[Word]) -> str:
    return " ".join(_original(said, words))


def _original(said: _Said, words: Sequence[Word]) -> Iterator[str]:
    for word in words:
        yield said.text[word.start : word.end] or word.text
