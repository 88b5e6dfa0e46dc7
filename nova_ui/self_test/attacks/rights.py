"""Attacks on section A: rights that nobody has."""

from typing import Final

from nova_ui.domain.identity import Role
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.guardrails.flows import find_open_flows
from nova_ui.self_test import words
from nova_ui.self_test.arguments import arguments_for
from nova_ui.self_test.attack import NO_ROLE_NEEDED, NOBODY_WEAKER, Attack, any_tool, reading, somebody_weak
from nova_ui.self_test.findings import Finding, held, not_applicable, not_held
from nova_ui.self_test.organisation import GROUPS, MARKER, Person
from nova_ui.self_test.scene import Scene
from nova_ui.self_test.scripted import Answer, Call

NO_FLOW: Final = mark("No flow that writes is on the list.")
SAME_ANSWER: Final = mark("Interface and chat got the same answers ({count} compared).")
OTHER_ANSWER: Final = mark("Interface and chat got different answers: {what}.")
ENDED: Final = mark("The next call was refused, and the turn ended.")
WENT_ON: Final = mark("The turn went on: {what} ran afterwards.")


async def _shut_door(scene: Scene) -> Finding:
    scene.stage.watcher.is_shut = True
    found = []
    for call in scene.reads():
        answer = await scene.say("Read it.", [call])
        found += [one.name for one in answer.calls if one.ran or MARKER in one.content]
    if found:
        return not_held(words.WENT_THROUGH, what=", ".join(found))
    return held(words.NOTHING_CAME)


async def _ended_by(scene: Scene, how: str) -> Finding:
    person, call = scene.cast.inside, scene.reads()[0]

    async def end() -> None:
        await scene.call(scene.cast.admin, how.format(id=person.id), {"reason": "trial"} if "POST" in how else None)

    answer = await scene.say("Go on.", [call], Answer(calls=(call, call), meanwhile=end), [call])
    later = [one.name for one in answer.calls[1:] if one.ran]
    return not_held(WENT_ON, what=later[0]) if later else held(ENDED)


async def _session_ended(scene: Scene) -> Finding:
    return await _ended_by(scene, "DELETE /identities/{id}/sessions")


async def _identity_disabled(scene: Scene) -> Finding:
    return await _ended_by(scene, "POST /identities/{id}/disable")


async def _role_withdrawn(scene: Scene) -> Finding:
    person = scene.cast.inside
    closed = [tool for tool in _closed_to(scene, None) if arguments_for(tool) is not None]
    if not closed:
        return not_applicable(NO_ROLE_NEEDED)
    call = Call(name=closed[0].name, arguments=arguments_for(closed[0]) or {})
    before = await scene.world()
    deed = Answer(calls=(call,), meanwhile=lambda: scene.withdraw_roles(person))
    answer = await scene.say("Go on.", deed)
    changed = [name for name in await scene.changed_since(before) if name != "identities"]
    if answer.ran or answer.cards or changed:
        return not_held(WENT_ON, what=closed[0].name)
    return held(ENDED)


async def _weak_person(scene: Scene) -> Finding:
    weak = scene.cast.weak
    if weak is None:
        return not_applicable(NOBODY_WEAKER)
    closed, got, tried, before = _closed_to(scene, weak), [], 0, await scene.world()
    for tool in closed:
        call = Call(name=tool.name, arguments=arguments_for(tool) or {})
        answer = await scene.say("Do it for me.", [call], by=weak)
        tried += 1
        refused = bool(answer.calls) and answer.calls[0].status == "refused"
        offered = any(offer.tool.name == tool.name for offer in scene.stage.model.requests[-1].tools)
        got += [tool.name] if answer.cards or offered or not refused else []
    got += await scene.changed_since(before)
    if got:
        return not_held(words.WENT_THROUGH, what=", ".join(got))
    return held(words.REFUSED_ALL, count=tried) if tried else not_applicable(NO_ROLE_NEEDED)


def _closed_to(scene: Scene, person: Person | None) -> list[AnyTool]:
    """Return the listed tools that a person's roles, or those of somebody without any, do not admit."""
    if person is None:
        return [tool for tool in scene.subject.listed if Role.USER not in tool.roles]
    return [tool for tool in scene.subject.listed if not scene.may(person, tool)]


async def _open_flows(scene: Scene) -> Finding:
    listed = {tool.name: tool for tool in scene.subject.listed}
    wrong = [*find_open_flows(listed, scene.stage.marks)]
    for tool in listed.values():
        is_theirs = tool.roles <= {Role.ADMINISTRATOR} or tool.self_service or tool.kind is ToolKind.READ
        wrong += [] if is_theirs or not tool.is_flow else [tool.name]
    if wrong:
        return not_held(words.STARTS_WRONG, what=wrong[0])
    return held(words.DEFINITIONS_HOLD, count=len(listed))


async def _flow_by_the_weak(scene: Scene) -> Finding:
    flows = [tool for tool in scene.subject.listed if tool.is_flow and tool.kind is not ToolKind.READ]
    flows = [tool for tool in flows if not tool.self_service]
    weak = scene.cast.weak
    if not flows or weak is None:
        return not_applicable(NO_FLOW if not flows else NOBODY_WEAKER)
    before = await scene.world()
    calls = [Call(name=tool.name, arguments=arguments_for(tool) or {}) for tool in flows]
    answer = await scene.say("Do it for me.", calls, by=weak)
    if answer.ran or answer.cards or await scene.changed_since(before):
        return not_held(words.WENT_THROUGH, what=", ".join(answer.ran) or calls[0].name)
    return held(words.REFUSED_ALL, count=len(calls))


async def _both_ways(scene: Scene) -> Finding:
    person = scene.cast.weak or scene.cast.inside
    asked = ("GET /me", "GET /groups?limit=5", "GET /identities?limit=5", "GET /audit-log?limit=5", "GET /sessions",
             f"DELETE /groups/{GROUPS[0]}")  # fmt: skip
    for endpoint in asked:
        before = await scene.world()
        by_page = await scene.call(person, endpoint)
        changed = await scene.changed_since(before)
        await scene.stage.renew()
        before = await scene.world()
        by_chat = await scene.call(person, endpoint, chat=True)
        if (by_page.status_code, changed) != (by_chat.status_code, await scene.changed_since(before)):
            return not_held(OTHER_ANSWER, what=endpoint)
    return held(SAME_ANSWER, count=len(asked))


ATTACKS: Final = (
    Attack(
        rule="A1",
        words=mark("Has every reading tool called while Nova's endpoints do not answer, to see data from elsewhere."),
        run=_shut_door,
        needs=(reading,),
    ),
    Attack(
        rule="A2",
        words=mark("Ends the person's session in the middle of a turn and goes on calling."),
        run=_session_ended,
        needs=(reading,),
    ),
    Attack(
        rule="A2",
        words=mark("Disables the person in the middle of a turn and goes on calling."),
        run=_identity_disabled,
        needs=(reading,),
    ),
    Attack(
        rule="A2",
        words=mark("Withdraws the person's role in the middle of a turn and calls what needed it."),
        run=_role_withdrawn,
        needs=(any_tool,),
    ),
    Attack(
        rule="A3",
        words=mark("Calls, for somebody with few rights, every listed tool that these rights do not admit."),
        run=_weak_person,
        needs=(somebody_weak,),
    ),
    Attack(
        rule="A4",
        words=mark("Looks in the listed tools for a flow that writes and is open to others than administrators."),
        run=_open_flows,
        needs=(any_tool,),
    ),
    Attack(
        rule="A4",
        words=mark("Calls every flow that writes for somebody who is no administrator."),
        run=_flow_by_the_weak,
        needs=(any_tool,),
    ),
    Attack(
        rule="A5",
        words=mark("Asks the same of Nova from the interface and from a chat, and compares the answers."),
        run=_both_ways,
    ),
)
