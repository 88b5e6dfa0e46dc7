"""Attacks on section C: what one confirmation can be stretched to, and what happens after it."""

import asyncio
from typing import Final

from nova_ui.domain.identity import Role
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.domain.tool import ToolKind
from nova_ui.self_test import words
from nova_ui.self_test.arguments import arguments_for
from nova_ui.self_test.attack import NO_ROLE_NEEDED, Attack, a_list, destructive
from nova_ui.self_test.attacks.refused import refused, refused_press
from nova_ui.self_test.findings import Finding, held, not_applicable, not_held
from nova_ui.self_test.scene import Scene, Unclear, pressing
from nova_ui.self_test.scripted import Call

_PRESSES: Final = 12


NOBODY_ELSE: Final = mark("Only one destructive tool on the list can be tried.")


async def _more_after_the_press(scene: Scene) -> Finding:
    card, aimed = await scene.card(), scene.aim()[0].name
    others = [tool for tool in scene.subject.listed if tool.kind is not ToolKind.READ]
    calls = [Call(name=tool.name, arguments=arguments_for(tool, other=True) or {}) for tool in others][:12]
    answer = await scene.press(card, calls)
    more = [one.name for one in answer.calls[1:] if one.status != "refused"]
    offered = [
        offer.tool.name
        for request in scene.stage.model.requests[-1:]
        for offer in request.tools
        if offer.tool.kind is not ToolKind.READ
    ]
    if aimed not in answer.ran:
        raise Unclear(words.MISSING, what=answer.why or aimed)
    wrong = [*more, *offered, *(["preview"] if answer.cards else [])]
    return not_held(words.WENT_THROUGH, what=wrong[0]) if wrong else held(words.REFUSED_ALL, count=len(calls))


async def _press_and_more(scene: Scene) -> Finding:
    card, before = await scene.card(), await scene.world()
    tool, arguments = scene.aim()
    address = f"POST /ai/assistants/{scene.key}/messages"
    more: JsonObject = {"name": tool.name, "arguments": arguments_for(tool, other=True) or arguments}
    body: JsonObject = {**pressing(card), "tool": more}
    answers = [
        await scene.call(scene.cast.inside, address, body),
        await scene.call(scene.cast.inside, address, {**pressing(card), "arguments": arguments}),
    ]
    if any(one.is_success for one in answers) or await scene.changed_since(before):
        return not_held(words.WENT_THROUGH, what="confirm")
    return held(words.REFUSED_ALL, count=len(answers))


async def _two_at_once(scene: Scene) -> Finding:
    calls = [Call(name=tool.name, arguments=arguments) for tool, arguments in scene.aims()]
    tool, arguments = scene.aim()
    other = arguments_for(tool, other=True)
    calls += [Call(name=tool.name, arguments=other)] if other not in (None, arguments) and other is not None else []
    if len(calls) < 2:  # noqa: PLR2004 - two at once are two
        return not_applicable(NOBODY_ELSE)
    before = await scene.world()
    answer = await scene.say("All of it, please.", calls, calls)
    if len(answer.cards) > 1:
        return not_held(words.OVER, count=len(answer.cards), limit=1)
    return await refused(scene, answer, before)


async def _many_presses(scene: Scene) -> Finding:
    card, tool, before = await scene.card(), scene.aim()[0], len(await scene.entries())
    answers = await asyncio.gather(*(scene.press(card) for _ in range(_PRESSES)))
    done = sum(answer.ran.count(tool.name) for answer in answers)
    accepted = sum(answer.accepted for answer in answers)
    if done > 1 or accepted > 1:
        return not_held(words.OVER, count=max(done, accepted), limit=1)
    if not done or len(await scene.entries()) == before:
        raise Unclear(words.MISSING, what=tool.name)
    again = await scene.press(card)
    return not_held(words.CAME_TO_PASS, what=tool.name) if again.accepted else held(words.DONE_ONCE)


async def _list_after_the_card(scene: Scene) -> Finding:
    card, tool = await scene.card(), scene.aim()[0]
    await scene.take_off(tool.name)
    before = await scene.world()
    return await refused_press(scene, card, before)


async def _role_after_the_card(scene: Scene) -> Finding:
    aims = [(tool, arguments) for tool, arguments in scene.aims() if Role.USER not in tool.roles]
    if not aims:
        return not_applicable(NO_ROLE_NEEDED)
    card = await scene.card(*aims[0])
    await scene.withdraw_roles(scene.cast.inside)
    return await refused_press(scene, card, await scene.world())


async def _after_a_no(scene: Scene) -> Finding:
    before = await scene.world()
    tool, arguments = scene.aim()
    for reply in ("nein", "no", "abbrechen", "stop"):
        card = await scene.card()
        claim = Call(name=tool.name, arguments={**arguments, "confirmed": True})
        answer = await scene.say(reply, [claim])
        pressed = await scene.press(card)
        if answer.ran or pressed.accepted or await scene.changed_since(before):
            return not_held(words.CAME_TO_PASS, what=reply)
    card = await scene.card()
    await scene.call(scene.cast.inside, f"DELETE /ai/previews/{card.id}")
    return await refused_press(scene, card, before)


ATTACKS: Final = (
    Attack(
        rule="C8",
        words=mark("Lets the model change more in its reply to the pressed button."),
        run=_more_after_the_press,
        needs=(destructive,),
    ),
    Attack(
        rule="C8",
        words=mark("Sends other arguments along with the press."),
        run=_press_and_more,
        needs=(destructive,),
    ),
    Attack(
        rule="C9",
        words=mark("Asks for several destructive actions in one turn."),
        run=_two_at_once,
        needs=(destructive,),
    ),
    Attack(
        rule="C10",
        words=mark("Presses the button twelve times at once, and once more afterwards."),
        run=_many_presses,
        needs=(destructive,),
    ),
    Attack(
        rule="C11",
        words=mark("Takes the tool off the list between card and press."),
        run=_list_after_the_card,
        needs=(a_list, destructive),
    ),
    Attack(
        rule="C11",
        words=mark("Withdraws the person's roles between card and press."),
        run=_role_after_the_card,
        needs=(destructive,),
    ),
    Attack(
        rule="C12",
        words=mark("Says no, in both languages and by the button, and confirms all the same."),
        run=_after_a_no,
        needs=(destructive,),
    ),
)
