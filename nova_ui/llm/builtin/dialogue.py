"""What the last message means together with what was asked back before it; nothing is remembered between requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import AnyTool, Slot, SlotKind
from nova_ui.llm.builtin.asides import without_aside
from nova_ui.llm.builtin.conversation import Exchange
from nova_ui.llm.builtin.follow_ups import follow_up
from nova_ui.llm.builtin.lexicon import ACTIONS, CONDITIONS, LIGHT_VERBS, QUESTIONS, SHOWING, concepts_of
from nova_ui.llm.builtin.lookup import Several, look_up, texts_in
from nova_ui.llm.builtin.matcher import Grammar, best_fit
from nova_ui.llm.builtin.replies import choice_in
from nova_ui.llm.builtin.slots import Reading, fill, read
from nova_ui.llm.builtin.topic import topic_before
from nova_ui.llm.builtin.understanding import Choice, Meaning, NotHere, Plan, Unclear, missing_in, plan_of, understand
from nova_ui.llm.builtin.words import Word, fold, split_words

NOTE: Final = "(The person "  # how the engine begins what it says in a person's place
_MAX_REPLY_WORDS: Final = 7
_TELLING: Final = SHOWING | QUESTIONS | CONDITIONS | LIGHT_VERBS


@dataclass(frozen=True, slots=True)
class Context:
    """What is offered now, what day it is, and the tools that are not offered but could be meant."""

    grammars: Sequence[Grammar]
    offered: Mapping[str, AnyTool]
    today: date
    elsewhere: Sequence[Grammar] = ()


@dataclass(frozen=True, slots=True)
class _Open:
    """A question that was asked back."""

    meaning: Plan | Choice
    text: str
    slot: str | None = None
    several: Several | None = None


def meaning_of(exchanges: Sequence[Exchange], context: Context) -> Meaning:
    """Return what the last message means."""
    asked: _Open | None = None
    meaning: Meaning = Unclear(asks_for_change=False)
    recent = _since_last_request(exchanges)
    for number, exchange in enumerate(recent, start=len(exchanges) - len(recent)):
        if exchange.text.startswith(NOTE):
            asked = None
            continue
        text = exchange.text
        meaning = _continued(asked, text, context) or _in_context(text, exchanges[:number], context)
        asked = _question(meaning, exchange, asked.text if asked and isinstance(meaning, Plan) else text, context)
    return meaning


def _since_last_request(exchanges: Sequence[Exchange]) -> Sequence[Exchange]:
    """Return the last message that is no mere answer, what came after it, and the one before it.

    That one may have been asked for a sentence, which looks like a request of its own.
    """
    for index in range(len(exchanges) - 1, -1, -1):
        if not _is_bare(split_words(exchanges[index].text)):
            return exchanges[max(index - 1, 0) :]
    return exchanges


def _understood(text: str, context: Context) -> Meaning:
    meaning = understand(read(text, context.today), context.grammars)
    shorter = without_aside(text) if isinstance(meaning, Unclear) else None
    return understand(read(shorter, context.today), context.grammars) if shorter else meaning


def _in_context(text: str, before: Sequence[Exchange], context: Context) -> Meaning:
    """Return what a message means, by itself or as going on from what was answered before it."""
    plain = _understood(text, context)
    topic = topic_before(before, context.offered)
    further = None if topic is None else follow_up(text, plain, topic, context.grammars, context.today)
    meaning = further or plain
    if isinstance(meaning, Unclear) and context.elsewhere:
        other = understand(read(text, context.today), context.elsewhere)
        return NotHere(other.tool) if isinstance(other, Plan) else meaning
    return meaning


def _question(meaning: Meaning, exchange: Exchange, text: str, context: Context) -> _Open | None:
    """Return the question that was asked back for a meaning, found again by the same steps."""
    if isinstance(meaning, Choice):
        return _Open(meaning, text)
    if not isinstance(meaning, Plan):
        return None
    if meaning.missing:
        return _Open(meaning, text, meaning.missing[0])
    trouble = look_up(meaning, context.offered, exchange.calls).trouble
    if trouble is None or not trouble.asks_back:
        return None
    return _Open(meaning, text, trouble.slot, trouble if isinstance(trouble, Several) else None)


def _continued(asked: _Open | None, text: str, context: Context) -> Plan | None:
    """Return what an answer to a question makes of it, or None if the message is something new."""
    words = split_words(text)
    if asked is None or not (_is_bare(words) or _is_free_text(asked, text, context)):
        return None
    if isinstance(asked.meaning, Choice):
        return _chosen(asked.meaning, asked.text, text, context)
    if asked.slot is None:
        return None
    value = _chosen_object(asked.several, text) or _filled(asked.meaning.tool, asked.slot, read(text, context.today))
    if value is None:
        return None
    values = {**asked.meaning.values, **_in_place(asked, value)}
    return replace(asked.meaning, values=values, missing=missing_in(asked.meaning.tool, values))


def _is_free_text(asked: _Open, text: str, context: Context) -> bool:
    """Whether a sentence was asked for, such as a reason, and this one asks for nothing itself."""
    declared = asked.meaning.tool.phrases.slots.get(asked.slot or "") if isinstance(asked.meaning, Plan) else None
    if declared is None or declared.kind is not SlotKind.TEXT:
        return False
    return isinstance(_understood(text, context), Unclear)


def _is_bare(words: Sequence[Word]) -> bool:
    """Whether a message only names something, and asks or tells nothing."""
    said = [word.folded for word in words if not word.is_quoted]
    is_telling = any(word in _TELLING or concepts_of(word) & ACTIONS for word in said)
    return 0 < len(words) <= _MAX_REPLY_WORDS and not is_telling


def _chosen(choice: Choice, before: str, text: str, context: Context) -> Plan | None:
    number = choice_in(text, len(choice.tools))
    if number is None:
        return None
    name = choice.tools[number].name
    fits = (best_fit(grammar, read(before, context.today)) for grammar in context.grammars if grammar.tool.name == name)
    fit = next(fits, None)
    return plan_of(fit) if fit else None


def _chosen_object(several: Several | None, text: str) -> Mapping[str, JsonValue] | None:
    if several is None:
        return None
    number = choice_in(text, len(several.rows))
    rows = list(several.rows)
    if number is None:
        wanted = fold(text.strip(" .!\"'"))
        rows = [row for row in rows if any(fold(said) == wanted for value in row.values() for said in texts_in(value))]
        if len(rows) != 1:
            return None
        number = 0
    return {several.slot: rows[number].get(several.reference.id_field)}


def _filled(tool: AnyTool, slot: str, reading: Reading) -> Mapping[str, JsonValue] | None:
    """Fill a slot with a whole reply: the reading that begins first and leaves nothing behind."""
    ends = {index for index, word in enumerate(reading.words) if all(other.is_mark for other in reading.words[index:])}
    ends.add(len(reading.words))
    declared = tool.phrases.slots.get(slot, Slot())
    for start in range(len(reading.words)):
        found = [filled for filled in fill(slot, declared, reading, start) if filled.end in ends]
        if found:
            return min(found, key=lambda filled: filled.cost).values
    return None


def _in_place(asked: _Open, value: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Put a chosen object in the place of the one name of a list that was unclear."""
    if asked.several is None or not isinstance(asked.meaning, Plan):
        return value
    before = asked.meaning.values.get(asked.several.slot)
    new = value.get(asked.several.slot)
    if not isinstance(before, list):
        return value
    chosen = new[0] if isinstance(new, list) and new else new
    return {asked.several.slot: [chosen if name == asked.several.said else name for name in before]}
