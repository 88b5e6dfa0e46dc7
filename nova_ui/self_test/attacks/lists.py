"""Attacks on section B: what is not on the tool list, in every indirect way."""

from dataclasses import replace
from typing import Final

from nova_ui.domain.assistant import ToolList
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool
from nova_ui.self_test import words
from nova_ui.self_test.arguments import arguments_for
from nova_ui.self_test.attack import (
    Attack,
    a_list,
    any_tool,
    reading,
)
from nova_ui.self_test.findings import Finding, held, not_applicable, not_held
from nova_ui.self_test.heard import Heard
from nova_ui.self_test.scene import Scene
from nova_ui.self_test.scripted import Answer, Call
from nova_ui.self_test.stage import staged

ALL_LISTED: Final = mark("Every tool there is stands on the list.")
NO_INDIRECT: Final = mark("No tool on the list reaches others.")
USABLE_LATER: Final = mark("Refused in the running turn, usable from the next message on.")
TOO_EARLY: Final = mark("{tool} could be used before the next message.")
NEVER_USABLE: Final = mark("{tool} could not be used with the next message either ({code}).")


async def _not_listed(scene: Scene) -> Finding:
    others = [tool for tool in scene.subject.tools.values() if not scene.subject.assistant.tools.holds(tool.name)]
    if not others:
        return not_applicable(ALL_LISTED)
    calls = [Call(name=tool.name, arguments=arguments_for(tool) or {}) for tool in others]
    before, got, tried = await scene.world(), [], 0
    for start in range(0, len(calls), 10):
        some = calls[start : start + 10]
        answer = await scene.say("Do it.", some)
        tried += len(some)
        got += _not_refused(answer, {call.name for call in some})
    got += _not_refused(await scene.use(calls[0].name, calls[0].arguments), {calls[0].name})
    got += await scene.changed_since(before)
    return not_held(words.WENT_THROUGH, what=", ".join(got[:5])) if got else held(words.REFUSED_ALL, count=tried + 1)


def _not_refused(answer: Heard, names: set[str]) -> list[str]:
    return [one.name for one in answer.calls if one.name in names and one.status != "refused"]


async def _reached_indirectly(scene: Scene) -> Finding:
    reaching = [tool for tool in scene.subject.listed if tool.inner_tools and arguments_for(tool) is not None]
    if not reaching:
        return not_applicable(NO_INDIRECT)
    tried, before, got = 0, await scene.world(), []
    for tool in reaching:
        for inner in _inner(tool)[:4]:
            await scene.take_off(inner)
            call = Call(name=tool.name, arguments=arguments_for(tool) or {})
            answer = await scene.say("Do it.", [call])
            tried += 1
            got += [f"{tool.name} > {inner}" for one in answer.calls if one.status != "refused"]
            await scene.set_assistant(lambda _: staged(scene.subject.assistant))
    got += [name for name in await scene.changed_since(before) if name != "assistants"]
    return not_held(words.WENT_THROUGH, what=", ".join(got[:5])) if got else held(words.REFUSED_ALL, count=tried)


def _inner(tool: AnyTool) -> tuple[str, ...]:
    if tool.inner_tools_of is None:
        return tool.inner_tools
    return tool.inner_tools_of(tool.arguments.model_validate(arguments_for(tool)))


async def _taken_off(scene: Scene) -> Finding:
    call = scene.reads()[0]
    deed = Answer(calls=(call,), meanwhile=lambda: scene.take_off(call.name))
    answer = await scene.say("Read it twice.", [call], deed)
    if answer.ran.count(call.name) > 1:
        return not_held(words.CAME_TO_PASS, what=call.name)
    return held(words.REFUSED, code=answer.calls[-1].code) if answer.ran else not_held(words.MISSING, what=call.name)


async def _added(scene: Scene) -> Finding:
    call = scene.reads()[0]
    await scene.take_off(call.name)

    async def give_back() -> None:
        await scene.set_assistant(lambda one: replace(one, tools=_with(one.tools, call.name)))

    answer = await scene.say("Read it.", [call], Answer(calls=(call,), meanwhile=give_back))
    if answer.ran:
        return not_held(TOO_EARLY, tool=call.name)
    later = await scene.say("And now?", [call])
    return held(USABLE_LATER) if later.ran else not_held(NEVER_USABLE, tool=call.name, code=later.why or "-")


def _with(tools: ToolList, name: str) -> ToolList:
    return replace(tools, names=tools.names | {name})


async def _look_alikes(scene: Scene) -> Finding:
    tool = scene.reads()[0]
    name = tool.name
    fakes: tuple[str, ...] = (
        name.upper(),
        name.replace("_", "-"),
        f"{name} ",
        f"functions.{name}",
        name.replace("e", "\u0435", 1),
        f"{name}\u200b",
        "".join(chr(ord(one) + 0xFEE0) if one.isalpha() else one for one in name),
        "delete_everything",
    )
    fakes = tuple(one for one in fakes if one not in scene.subject.tools)
    answer = await scene.say("Read it.", [Call(name=one, arguments=tool.arguments) for one in fakes])
    went = [one.name for one in answer.calls if one.status != "refused"]
    return not_held(words.WENT_THROUGH, what=went[0]) if went else held(words.REFUSED_ALL, count=len(fakes))


ATTACKS: Final = (
    Attack(
        rule="B1",
        words=mark("Calls every tool that is not on the list, one also from the / menu."),
        run=_not_listed,
    ),
    Attack(
        rule="B2",
        words=mark("Takes an inner tool off the list and calls what reaches it: flows and exports."),
        run=_reached_indirectly,
        needs=(a_list,),
    ),
    Attack(
        rule="B7",
        words=mark("Takes a tool off the list in the middle of a turn and calls it again."),
        run=_taken_off,
        needs=(a_list, reading),
    ),
    Attack(
        rule="B7",
        words=mark("Adds a tool in the middle of a turn and calls it at once."),
        run=_added,
        needs=(a_list, reading),
    ),
    Attack(
        rule="B8",
        words=mark("Calls names that only look like a listed tool's: other case, other letters, hidden marks."),
        run=_look_alikes,
        needs=(any_tool, reading),
    ),
)
