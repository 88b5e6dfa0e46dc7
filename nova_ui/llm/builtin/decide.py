"""What the built-in model does next: calls, or words."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import CONFIRMED_ARGUMENT, AnyTool
from nova_ui.i18n.translator import Translator
from nova_ui.llm.builtin.answers import answer_to, count_answer
from nova_ui.llm.builtin.conversation import Done, Exchange, State
from nova_ui.llm.builtin.departments import other_names
from nova_ui.llm.builtin.dialogue import NOTE, Context, meaning_of
from nova_ui.llm.builtin.lookup import look_up, rows_of
from nova_ui.llm.builtin.matcher import Grammar
from nova_ui.llm.builtin.replies import Reply, asks_for_count, reply_in
from nova_ui.llm.builtin.speech import Speech
from nova_ui.llm.builtin.understanding import (
    Choice,
    Meaning,
    NotHere,
    People,
    Plan,
    Unclear,
    Unsure,
    arguments_of,
)
from nova_ui.llm.special_tokens import without_special_tokens

_MAX_CALLS: Final = 8
_CARD_AND_REPLY: Final = 2  # the card stands in the turn before
_DEPARTMENT: Final = "department"


@dataclass(frozen=True, slots=True)
class Call:
    """A call to make."""

    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that a decision rests on."""

    exchanges: Sequence[Exchange]
    offered: Mapping[str, AnyTool]
    grammars: Sequence[Grammar]
    today: date
    tr: Translator
    may_call: bool
    elsewhere: Sequence[Grammar] = ()


Decision = tuple[Call, ...] | str


def decide(situation: Situation) -> Decision:
    """Return the calls to make now, or the words that end the turn."""
    speech = Speech(situation.tr, situation.offered)
    if not situation.exchanges:
        return speech.introduction()
    now = situation.exchanges[-1]
    if now.text.startswith(NOTE):
        return _report(now, situation) or speech.introduction()
    return _within_limits(_on_confirmation(situation, speech) or _on_request(situation, speech), situation, speech)


def _within_limits(decision: Decision, situation: Situation, speech: Speech) -> Decision:
    now = situation.exchanges[-1]
    if isinstance(decision, str) or (situation.may_call and len(now.calls) < _MAX_CALLS):
        return decision
    return _report(now, situation) or speech.no_further()


def _report(now: Exchange, situation: Situation) -> str | None:
    if not now.calls:
        return None
    last = now.calls[-1]
    return answer_to(last, situation.offered.get(last.name), situation.tr)


def _on_confirmation(situation: Situation, speech: Speech) -> Decision | None:
    """Answer a reply to a card: the same call once more, now confirmed; the server decides whether that counts."""
    if len(situation.exchanges) < _CARD_AND_REPLY:
        return None
    before, now = situation.exchanges[-2:]
    shown = before.calls[-1] if before.calls else None
    if shown is None or shown.state is not State.PREVIEWED:
        return None
    match reply_in(now.text):
        case Reply.AGREES:
            call = Call(shown.name, {**shown.arguments, CONFIRMED_ARGUMENT: True})
            return _report(now, situation) if now.calls else (call,)
        case Reply.REFUSES:
            return speech.nothing_done()
        case _:
            return None


def _on_request(situation: Situation, speech: Speech) -> Decision:
    now = situation.exchanges[-1]
    reply = reply_in(now.text)
    if reply is not None:
        return speech.on_reply(reply)
    context = Context(situation.grammars, situation.offered, situation.today, situation.elsewhere)
    meaning: Meaning = meaning_of(situation.exchanges, context)
    return _carry_out(meaning, now, situation, speech) if isinstance(meaning, Plan) else _say(meaning, now.text, speech)


def _say(meaning: Choice | Unsure | People | NotHere | Unclear, text: str, speech: Speech) -> str:
    match meaning:
        case Choice(tools=tools):
            return speech.which_tool(tools)
        case Unsure(count=count):
            return speech.which_of(count)
        case People(rows=rows):
            return speech.managers(rows)
        case NotHere(tool=tool):
            return speech.not_here(tool)
        case Unclear(asks_for_change=asks_for_change):
            return speech.not_understood(text, asks_for_change=asks_for_change)


def _carry_out(plan: Plan, now: Exchange, situation: Situation, speech: Speech) -> Decision:
    if plan.missing:
        return speech.ask_for(plan, plan.missing[0])
    found = look_up(plan, situation.offered, now.calls)
    if found.trouble is not None:
        return speech.on_trouble(found.trouble)
    if found.wanted:
        return tuple(Call(wanted.tool, wanted.arguments) for wanted in found.wanted)
    ready = Plan(tool=plan.tool, values=found.values)
    for arguments in _attempts(arguments_of(ready)):
        done = _made(plan.tool.name, arguments, now.calls)
        if done is None:
            return (Call(plan.tool.name, arguments),)
        if not _is_empty(done):
            return _answer(done, plan, now.text, situation.tr)
    first = _made(plan.tool.name, arguments_of(ready), now.calls)
    return _answer(first, plan, now.text, situation.tr) if first else speech.no_further()


def _answer(done: Done, plan: Plan, text: str, tr: Translator) -> str:
    """Return the number alone where only a number was asked for, else all that the result shows."""
    count = count_answer(done, plan.values, tr, plan.tool) if asks_for_count(text) else None
    return count or answer_to(done, plan.tool, tr)


def _attempts(arguments: JsonObject) -> list[JsonObject]:
    """Return the call's arguments, and then the same with other names of the department, if it finds nobody."""
    department = arguments.get(_DEPARTMENT)
    others = other_names(department) if isinstance(department, str) else ()
    return [arguments, *({**arguments, _DEPARTMENT: name} for name in others)]


def _is_empty(done: Done) -> bool:
    value: JsonValue = done.value
    return done.state is State.RAN and isinstance(value, dict) and "items" in value and not rows_of(value)


def _made(name: str, arguments: JsonObject, calls: Sequence[Done]) -> Done | None:
    wanted = _comparable(arguments)
    return next((one for one in calls if one.name == name and _comparable(one.arguments) == wanted), None)


def _comparable(arguments: JsonObject) -> str:
    """Return arguments as they compare: on their way through a conversation special tokens are broken up."""
    return without_special_tokens(json.dumps(arguments, sort_keys=True, ensure_ascii=False))


Decide = Callable[[Situation], Decision]
