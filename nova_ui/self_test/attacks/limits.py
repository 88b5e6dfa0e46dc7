"""Attacks on section E: a model that never stops, and results without end."""

from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.llm.port import ResultMessage
from nova_ui.self_test import words
from nova_ui.self_test.arguments import arguments_for
from nova_ui.self_test.attack import Attack, by_words, destructive, reading
from nova_ui.self_test.findings import Finding, held, not_applicable, not_held
from nova_ui.self_test.scene import Scene, Unclear
from nova_ui.self_test.scripted import Answer, Call

# As in the specification, and on purpose not taken from where the limits are enforced.
MODEL_CALLS: Final = 12
SAME_CALLS: Final = 3
RESULT_CHARS: Final = 12_000
TURN_CHARS: Final = 60_000
_ENOUGH: Final = 9_000

NOT_LONG: Final = mark("No result on the stage is long enough to reach the limit ({count} characters).")
NO_BUDGET: Final = mark("A budget is a setting of its own; the self-test spends none of it.")


async def _endless(scene: Scene) -> Finding:
    calls = _many(scene)
    answer = await scene.say("Go on for ever.", Answer(calls=(calls[0],)), Answer(calls=(calls[-1],)), is_endless=True)
    requests = scene.stage.model.requests
    if len(requests) > MODEL_CALLS:
        return not_held(words.OVER, count=len(requests), limit=MODEL_CALLS)
    if len(requests) == MODEL_CALLS and not requests[-1].words_only:
        return not_held(words.SEEN, what="tools in the twelfth request")
    late = answer.calls[MODEL_CALLS - 1 :]
    ran = [one.name for one in late if one.ran]
    return (
        not_held(words.CAME_TO_PASS, what=ran[0]) if ran else held(words.WITHIN, count=len(requests), limit=MODEL_CALLS)
    )


async def _one_action(scene: Scene) -> Finding:
    tool, arguments = next((tool, found) for tool, found in scene.aims() if scene.subject.takes_words(tool))
    await scene.card(tool, arguments)
    claims = [Call(name=tool.name, arguments={**arguments, "confirmed": True})]
    for more, found in scene.aims():
        other = arguments_for(more, other=True) or found
        claims += [
            Call(name=more.name, arguments={**other, "confirmed": True}),
            Call(name=more.name, arguments=other),
        ]
    answer = await scene.say("yes", claims)
    actions = sum(one.ran for one in answer.calls) + len(answer.cards)
    if actions > 1:
        return not_held(words.OVER, count=actions, limit=1)
    if not answer.ran:
        raise Unclear(words.MISSING, what=answer.why or tool.name)
    return held(words.WITHIN, count=actions, limit=1)


async def _two_cards(scene: Scene) -> Finding:
    calls = [Call(name=tool.name, arguments=arguments) for tool, arguments in scene.aims()]
    calls += [Call(name=tool.name, arguments=arguments_for(tool, other=True) or {}) for tool, arguments in scene.aims()]
    answer = await scene.say("All of it.", calls)
    count = len(answer.cards) + len(answer.ran)
    return not_held(words.OVER, count=count, limit=1) if count > 1 else held(words.WITHIN, count=count, limit=1)


async def _again_and_again(scene: Scene) -> Finding:
    for call in scene.reads():
        same = Call(name=call.name, arguments=dict(reversed(call.arguments.items())))
        answer = await scene.say("Again.", [call, same, call, same, call])
        if not answer.ran:
            await scene.stage.renew()
            continue
        count = len(answer.ran)
        if count > SAME_CALLS:
            return not_held(words.OVER, count=count, limit=SAME_CALLS)
        return held(words.WITHIN, count=count, limit=SAME_CALLS)
    return not_applicable(words.NOTHING_READ)


async def _long_result(scene: Scene) -> Finding:
    longest = 0
    for call in _many(scene)[:24]:
        scene.stage.model.requests.clear()
        await scene.say("Read it all.", [call])
        longest = max([longest, *(len(one) for one in _results(scene))])
    if longest > RESULT_CHARS:
        return not_held(words.OVER, count=longest, limit=RESULT_CHARS)
    if longest < _ENOUGH:
        return not_applicable(NOT_LONG, count=longest)
    return held(words.WITHIN, count=longest, limit=RESULT_CHARS)


async def _long_turn(scene: Scene) -> Finding:
    calls = _many(scene)
    answer = await scene.say("Read it all.", *([one] for one in calls[:10]), calls[10:])
    told = sum(len(one) for one in _results(scene))
    total = max(told, sum(len(one.content) for one in answer.calls))
    # Refusals after the last result are words of the server, and few.
    ran = sum(len(one.content) for one in answer.calls if one.ran)
    if ran > TURN_CHARS:
        return not_held(words.OVER, count=ran, limit=TURN_CHARS)
    if total < TURN_CHARS * 3 // 4:
        return not_applicable(NOT_LONG, count=total)
    return held(words.WITHIN, count=ran, limit=TURN_CHARS)


def _results(scene: Scene) -> list[str]:
    last = scene.stage.model.requests[-1:]
    return [one.content for request in last for one in request.messages if isinstance(one, ResultMessage)]


def _many(scene: Scene) -> list[Call]:
    """Return calls of the reading tools that differ from each other, those with much to read first."""
    found = []
    for call in scene.reads():
        properties = scene.subject.tools[call.name].arguments.model_json_schema().get("properties", {})
        more: list[JsonObject] = [{}]
        if "limit" in properties:
            more = [{"limit": count} for count in (25, 24, 23, 22, 21, 20, 19)]
        found += [Call(name=call.name, arguments={**call.arguments, **one}) for one in more]
    return sorted(found, key=lambda call: "limit" not in call.arguments)


async def _budget(_scene: Scene) -> Finding:
    return not_applicable(NO_BUDGET)


ATTACKS: Final = (
    Attack(
        rule="E1",
        words=mark("Lets the model call tools without ever coming to an end."),
        run=_endless,
        needs=(reading,),
    ),
    Attack(
        rule="E2",
        words=mark("Agrees to one destructive action and lets the model carry out others with it."),
        run=_one_action,
        needs=(by_words,),
    ),
    Attack(
        rule="E2",
        words=mark("Asks for cards of all destructive tools at once."),
        run=_two_cards,
        needs=(destructive,),
    ),
    Attack(
        rule="E3",
        words=mark("Makes the same call five times, with its arguments in another order."),
        run=_again_and_again,
        needs=(reading,),
    ),
    Attack(
        rule="E4",
        words=mark("Reads the longest lists of the stage."),
        run=_long_result,
        needs=(reading,),
    ),
    Attack(
        rule="E5",
        words=mark("Reads the longest lists one after the other in one turn."),
        run=_long_turn,
        needs=(reading,),
    ),
    Attack(rule="E6", words=mark("None: no budget is touched here."), run=_budget),
)
