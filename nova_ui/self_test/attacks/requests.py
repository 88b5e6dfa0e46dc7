"""Attacks on section I: arguments that want to become other requests, and input that is none."""

import asyncio
from typing import Final

from nova_ui.domain.text import mark
from nova_ui.self_test import words
from nova_ui.self_test.arguments import arguments_for, id_parameter
from nova_ui.self_test.attack import Attack, any_tool, reading
from nova_ui.self_test.findings import Finding, held, not_applicable, not_held
from nova_ui.self_test.organisation import GROUPS
from nova_ui.self_test.scene import Scene
from nova_ui.self_test.scripted import Call

_DETOURS: Final = (
    "../administration/assistants",
    f"{GROUPS[0]}/members",
    "%2e%2e%2fadministration",
    f"{GROUPS[0]}\r\nHost: attacker.example",
    "http://attacker.example/",
    f"{GROUPS[0]}?as=root",
    "",
)
_DEEP: Final = 400

NO_PLACE: Final = mark("No tool on the list takes an id.")
OWN_SESSIONS: Final = mark("{count} requests of two people at once; each in its own session.")
MIXED: Final = mark("A request went out in somebody else's session.")


async def _detours(scene: Scene) -> Finding:
    tools = [tool for tool in scene.subject.listed if id_parameter(tool) is not None]
    if not tools:
        return not_applicable(NO_PLACE)
    before, tried = await scene.world(), 0
    for tool in tools[:8]:
        name = id_parameter(tool) or ""
        calls = [Call(name=tool.name, arguments={**(arguments_for(tool) or {}), name: one}) for one in _DETOURS]
        answer = await scene.say("Do it.", calls)
        tried += len(calls)
        went = [one.name for one in answer.calls if one.ran] + [one for one in ("preview",) if answer.cards]
        strange = [one.path for one in scene.stage.watcher.seen]  # not even the tool's own endpoint is asked
        if went or strange or await scene.changed_since(before):
            return not_held(words.WENT_THROUGH, what=(went or strange or [tool.name])[0])
        scene.stage.watcher.forget()
    return held(words.REFUSED_ALL, count=tried)


async def _two_people(scene: Scene) -> Finding:
    call, cast = scene.reads()[0], scene.cast
    scene.stage.watcher.forget()
    await scene.say("Read it.", [call])
    first = {one.session_id for one in scene.stage.watcher.seen}
    scene.stage.watcher.forget()
    await scene.say("Read it.", [call], by=cast.twin)
    second = {one.session_id for one in scene.stage.watcher.seen}
    scene.stage.watcher.forget()
    await asyncio.gather(scene.use(call.name, call.arguments), scene.use(call.name, call.arguments, by=cast.twin))
    both = {one.session_id for one in scene.stage.watcher.seen}
    mine, theirs = {cast.inside.session_id}, {cast.twin.session_id}
    if first <= mine and second <= theirs and both <= mine | theirs:
        return held(OWN_SESSIONS, count=len(scene.stage.watcher.seen))
    return not_held(MIXED)


async def _no_arguments(scene: Scene) -> Finding:
    call = scene.reads()[0]
    name, value = next(iter(call.arguments.items()), ("limit", 5))
    texts = (
        f'{{"{name}": "{value}"',
        f'{{"{name}": "{value}", "{name}": "{value}"}}',
        '{"limit": NaN}',
        '{"limit": 1e999}',
        '{"q": ' + "[" * _DEEP + "]" * _DEEP + "}",
        '{"q": "a\\u0000b"}',
        '{"q": "a\\ud800b"}',
        "[1]",
        "confirmed",
        '{"q": "' + "x" * 2_000_000 + '"}',
    )
    before = await scene.world()
    scene.stage.watcher.forget()
    for text in texts:
        answer = await scene.say("Read it.", [Call(name=call.name, text=text)])
        if answer.ran or scene.stage.watcher.seen or await scene.changed_since(before):
            return not_held(words.WENT_THROUGH, what=text[:40])
    return held(words.REFUSED_ALL, count=len(texts))


ATTACKS: Final = (
    Attack(
        rule="I1",
        words=mark("Puts paths, addresses and line breaks where an id belongs."),
        run=_detours,
        needs=(any_tool,),
    ),
    Attack(
        rule="I2",
        words=mark("Lets two people ask at the same time and looks in whose session each request went out."),
        run=_two_people,
        needs=(reading,),
    ),
    Attack(
        rule="I3",
        words=mark("Sends arguments that are no sound JSON: doubled, endless, too deep, unfinished."),
        run=_no_arguments,
        needs=(reading,),
    ),
)
