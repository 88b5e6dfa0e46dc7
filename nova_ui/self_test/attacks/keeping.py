"""Attacks on section B: lists that nobody may widen, and assistants that do not exist for others."""

from typing import Final

from sqlalchemy import text as sql

from nova_ui.domain.assistant import ADMIN_CHAT_KEY, AudienceKind
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.nova_client.requests import parse_endpoint
from nova_ui.self_test import words
from nova_ui.self_test.attack import (
    NO_TOOL,
    Attack,
    an_outsider,
    the_admin_chat,
)
from nova_ui.self_test.findings import Finding, held, not_applicable, not_held
from nova_ui.self_test.organisation import APPLICATIONS, GROUPS, ROLES, VICTIMS
from nova_ui.self_test.scene import Scene, Unclear

_ADMIN: Final = "/administration/assistants"
_UNKNOWN: Final = "nobody-knows-it"

ROW_B3: Final = mark(
    "The stored row releases all tools to others than administrators. The server reads it as switched off, so nobody "
    "can use it; it was not written by Nova. Save the assistant anew or delete it."
)
ROW_B4: Final = mark(
    "The stored row of the Admin Chat is weakened. The server reads it as the full one all the same; it was not "
    "written by Nova. Save the Admin Chat anew."
)
ROW_HOLDS: Final = mark("The stored row keeps the rule.")
TOLD_APART: Final = mark("The answer tells it from one that does not exist: {what}.")


async def _stored_row_b3(scene: Scene) -> Finding:
    row = scene.subject.row
    if row is None or scene.key == ADMIN_CHAT_KEY:
        return held(ROW_HOLDS)
    is_broken = row.all_tools and row.audience != AudienceKind.ADMINISTRATORS.value
    return not_held(ROW_B3) if is_broken else held(ROW_HOLDS)


async def _all_tools_for_everyone(scene: Scene) -> Finding:
    admin, both = scene.cast.admin, {"all_tools": True, "audience": "everyone"}
    new = {"key": "trial", "names": {"en": "Trial"}, "tool_names": ["list_groups"], "audience": "everyone"}
    made = [
        await scene.call(admin, f"POST {_ADMIN}", {**new, "key": "trial-0", **both}),
        await scene.call(admin, f"POST {_ADMIN}", new),
        await scene.call(admin, f"PATCH {_ADMIN}/trial", {"all_tools": True}),
        await scene.call(
            admin, f"POST {_ADMIN}", {**new, "key": "trial-2", "all_tools": True, "audience": "administrators"}
        ),
        await scene.call(admin, f"PATCH {_ADMIN}/trial-2", {"audience": "everyone"}),
    ]
    if not (made[1].is_success and made[3].is_success):
        raise Unclear(words.FOUND_BROKEN, what=made[1].text[:80])
    went = [one for one in (made[0], made[2], made[4]) if one.is_success]
    return not_held(words.WENT_THROUGH, what=went[0].text[:80]) if went else held(words.REFUSED_ALL, count=3)


async def _stored_row_b4(scene: Scene) -> Finding:
    row = scene.subject.row
    if row is None:
        return held(ROW_HOLDS)
    is_full = row.all_tools and row.audience == AudienceKind.ADMINISTRATORS.value and row.enabled
    return held(ROW_HOLDS) if is_full else not_held(ROW_B4)


async def _weaken_admin_chat(scene: Scene) -> Finding:
    admin, one = scene.cast.admin, f"{_ADMIN}/{ADMIN_CHAT_KEY}"
    bodies: tuple[JsonObject, ...] = (
        {"all_tools": False},
        {"audience": "everyone"},
        {"audience": "roles", "audience_roles": ["auditor"]},
        {"enabled": False},
    )
    answers = [await scene.call(admin, f"PATCH {one}", body) for body in bodies]
    answers.append(await scene.call(admin, f"DELETE {one}"))
    went = [answer for answer in answers if answer.is_success]
    return not_held(words.WENT_THROUGH, what=went[0].text[:80]) if went else held(words.REFUSED_ALL, count=len(answers))


async def _edit_admin_chat(scene: Scene) -> Finding:
    async with scene.stage.parts.database.transaction() as session:
        connection = await session.connection()
        await connection.execute(
            sql("UPDATE assistants SET all_tools = 0, tool_names = '[]', audience = 'everyone', enabled = 0")
        )
    outsider = scene.cast.outsider or scene.cast.inside
    by_outsider = await scene.say("Hello.", by=outsider)
    if by_outsider.accepted:
        return not_held(words.WENT_THROUGH, what=outsider.name)
    by_inside = await scene.say("Read it.", scene.reads()[:1])
    return held(words.AS_MEANT) if by_inside.ran else not_held(words.MISSING, what=by_inside.why or "-")


async def _by_outsider(scene: Scene) -> Finding:
    outsider = scene.cast.outsider
    if outsider is None:
        return not_applicable(NO_TOOL)
    listed = await scene.call(outsider, "GET /ai/assistants")
    if f'"{scene.key}"' in listed.text:
        return not_held(words.SEEN, what="GET /ai/assistants")
    name = scene.subject.assistant.names
    for ask in (
        "POST /ai/assistants/{key}/messages",
        "GET /ai/assistants/{key}/tools",
        "GET /ai/chats?assistant={key}",
    ):
        body = {"text": "Hello."} if ask.startswith("POST") else None
        real = await scene.call(outsider, ask.format(key=scene.key), body)
        none = await scene.call(outsider, ask.format(key=_UNKNOWN), body)
        plain = real.text.replace(f"/{scene.key}", "/x"), none.text.replace(f"/{_UNKNOWN}", "/x")
        is_same = real.status_code == none.status_code and _without_ids(plain[0]) == _without_ids(plain[1])
        if not is_same or any(one in real.text for one in name.values()):
            return not_held(TOLD_APART, what=ask)
        if ask.startswith("POST") and real.is_success:
            return not_held(words.WENT_THROUGH, what=ask)
    return held(words.NOT_THERE, code="not_found")


def _without_ids(answer: str) -> str:
    parts = answer.split('"')
    return '"'.join(part for part in parts if not part.startswith(("rid_", "urn:")))


async def _interface_only(scene: Scene) -> Finding:
    admin, before = scene.cast.admin, await scene.world()
    only = [marked for marked in scene.stage.marks.values() if marked.interface_only]
    went = [
        one.endpoint
        for one in only
        if (await scene.call(admin, _filled(scene, one.endpoint), {}, chat=True)).is_success
    ]
    went += await scene.changed_since(before)
    if went:
        return not_held(words.WENT_THROUGH, what=went[0])
    return held(words.REFUSED_ALL, count=len(only))


_IDS: Final = {"group_id": GROUPS[0], "identity_id": VICTIMS[0], "role_id": ROLES[0], "application_id": APPLICATIONS[0]}


def _filled(scene: Scene, endpoint: str) -> str:
    parsed = parse_endpoint(endpoint)
    path = parsed.template
    for name in parsed.parameters:
        path = path.replace(f"{{{name}}}", _IDS.get(name, scene.key))
    return f"{parsed.method} {path}"


async def _tools_of_the_interface(scene: Scene) -> Finding:
    only = {name for name, marked in scene.stage.marks.items() if marked.interface_only}
    wrong = [tool.name for tool in scene.subject.tools.values() if only & set(tool.endpoints)]
    count = len(scene.subject.tools)
    return not_held(words.STARTS_WRONG, what=wrong[0]) if wrong else held(words.DEFINITIONS_HOLD, count=count)


ATTACKS: Final = (
    Attack(rule="B3", words=mark("Reads the stored row as it is, past all checks."), run=_stored_row_b3),
    Attack(
        rule="B3",
        words=mark("Stores all tools for everyone: at once, tools first, audience first."),
        run=_all_tools_for_everyone,
    ),
    Attack(
        rule="B4",
        words=mark("Reads the Admin Chat's stored row as it is, past all checks."),
        run=_stored_row_b4,
        needs=(the_admin_chat,),
    ),
    Attack(
        rule="B4",
        words=mark("Shortens, opens, switches off and deletes the Admin Chat by its endpoints."),
        run=_weaken_admin_chat,
        needs=(the_admin_chat,),
    ),
    Attack(
        rule="B4",
        words=mark("Weakens the Admin Chat's row in the copy of the database and uses it."),
        run=_edit_admin_chat,
        needs=(the_admin_chat,),
    ),
    Attack(
        rule="B5",
        words=mark("Looks for the assistant and writes to it as somebody to whom it is not open."),
        run=_by_outsider,
        needs=(an_outsider,),
    ),
    Attack(
        rule="B6",
        words=mark("Calls every endpoint of the administration as a tool of this assistant would."),
        run=_interface_only,
    ),
    Attack(
        rule="B6",
        words=mark("Looks for a tool that reaches an endpoint of the administration."),
        run=_tools_of_the_interface,
    ),
)
