"""Administration of assistants: interface only (B6), and rules B3 and B4 in whatever order it is edited."""

import asyncio

import pytest
from httpx import Response
from sqlalchemy import update
from sqlmodel import col

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.identity import Caller, Identity, IdentityId, Role, SessionId
from nova_ui.errors import NovaForbidden
from nova_ui.nova.context import RequestContext
from nova_ui.nova_client.origin import Origin
from storage.chat.tables import AssistantRow
from tests.api.site import Site

ONE = "/administration/assistants/desk"
ADMIN = "/administration/assistants/admin"


async def a_desk(site: Site, **fields: object) -> Response:
    body = {"key": "desk", "names": {"en": "Desk"}, "tool_names": ["list_groups"], **fields}
    return await site.call("mara", "POST /administration/assistants", body=body)


async def patch(site: Site, body: dict[str, object], *, path: str = ONE, who: str = "mara") -> Response:
    return await site.call(who, f"PATCH {path}", body=body)


async def test_b3_all_tools_and_other_people_never_meet_in_either_order(site: Site) -> None:
    """Abuse case 14."""
    together = await a_desk(site, all_tools=True, audience="everyone")
    await a_desk(site, audience="everyone")
    widened = await patch(site, {"all_tools": True})
    await patch(site, {"audience": "administrators"})
    await patch(site, {"all_tools": True})
    opened = await patch(site, {"audience": "everyone"})
    to_roles = await patch(site, {"audience": "roles", "audience_roles": ["auditor"]})
    swapped = await patch(site, {"audience": "everyone", "all_tools": False})

    assert [answer.status_code for answer in (together, widened, opened, to_roles, swapped)] == [
        409,
        409,
        409,
        409,
        200,
    ]
    assert widened.json()["rule"] == "B3"


async def test_b3_two_halves_at_the_same_moment_never_meet(site: Site) -> None:
    """Abuse case 14."""
    await a_desk(site)
    for _ in range(5):
        await patch(site, {"audience": "administrators", "all_tools": False})

        answers = await asyncio.gather(
            patch(site, {"all_tools": True}), patch(site, {"audience": "everyone"}, who="otto")
        )

        shown = (await site.call("mara", f"GET {ONE}")).json()
        assert not (shown["all_tools"] and shown["audience"] != "administrators")
        assert sorted(answer.status_code for answer in answers) in ([200, 409], [200, 412])


@pytest.mark.parametrize(
    "body",
    [
        {"all_tools": False},
        {"audience": "everyone"},
        {"audience": "roles", "audience_roles": ["administrator"]},
        {"enabled": False},
        {"all_tools": False, "tool_names": ["list_groups"]},
    ],
)
async def test_b4_the_admin_chat_is_not_weakened(site: Site, body: dict[str, object]) -> None:
    """Abuse case 15."""
    answer = await patch(site, body, path=ADMIN)

    assert (answer.status_code, answer.json()["code"]) == (409, "protected_object")
    shown = (await site.call("mara", f"GET {ADMIN}")).json()
    assert (shown["all_tools"], shown["audience"], shown["enabled"]) == (True, "administrators", True)


async def test_b4_the_admin_chat_is_not_deleted_but_may_be_renamed(site: Site) -> None:
    """Abuse case 15."""
    deleted = await site.call("mara", f"DELETE {ADMIN}")
    renamed = await patch(site, {"names": {"en": "Root", "de": "Wurzel"}}, path=ADMIN)
    second = await a_desk(site, key="admin")

    assert (deleted.status_code, deleted.json()["code"]) == (409, "protected_object")
    assert renamed.json()["names"]["en"] == "Root"
    assert second.json()["field"] == "key"


async def test_b4_an_edited_row_weakens_nothing(site: Site) -> None:
    """Abuse case 15."""
    await patch(site, {"names": {"en": "Root"}}, path=ADMIN)
    async with site.database.transaction() as session:
        broken = update(AssistantRow).where(col(AssistantRow.key) == "admin")
        await session.exec(broken.values(all_tools=False, audience="everyone", enabled=False, tool_names=[]))

    shown = (await site.call("mara", f"GET {ADMIN}")).json()
    after = await patch(site, {"position": 3}, path=ADMIN)

    assert (shown["all_tools"], shown["audience"], shown["enabled"]) == (True, "administrators", True)
    assert after.status_code == 200
    row = await site.get(AssistantRow, "admin")
    assert (row.all_tools, row.audience, row.enabled) == (True, "administrators", True)


async def test_b6_a_chat_changes_and_reads_nothing_here_and_the_attempt_is_logged(site: Site) -> None:
    """Abuse case 15."""
    await a_desk(site)
    attempts: list[tuple[str, dict[str, object] | None]] = [
        ("GET /administration/assistants", None),
        (f"GET {ONE}", None),
        ("GET /administration/tools", None),
        (f"PATCH {ONE}", {"tool_names": []}),
        (f"DELETE {ONE}", None),
        ("POST /administration/assistants", {"key": "new", "names": {"en": "New"}}),
    ]

    answers = [await site.call("mara", endpoint, body=body, via="admin") for endpoint, body in attempts]

    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "interface_only")}
    refused = [entry for entry in await site.entries() if entry.outcome == "refused"]
    assert [entry.action for entry in refused] == ["assistant.updated", "assistant.deleted", "assistant.created"]
    assert {entry.via for entry in refused} == {"ai_chat:admin"}
    assert (await site.call("mara", f"GET {ONE}")).json()["tool_names"] == ["list_groups"]


async def test_b6_every_operation_of_the_administration_is_marked(site: Site) -> None:
    paths = site.api.openapi()["paths"]
    administration = {path: methods for path, methods in paths.items() if path.startswith("/administration")}

    assert administration
    assert all(one["x-nova-interface-only"] for methods in administration.values() for one in methods.values())


@pytest.mark.parametrize("who", ["paul", "lea", "sam"])
async def test_only_administrators_administer(site: Site, who: str) -> None:
    assert (await site.call(who, "GET /administration/assistants")).status_code == 403
    assert (await patch(site, {"enabled": False}, path=ADMIN, who=who)).status_code == 403


async def test_a_change_is_logged_and_of_the_prompt_only_that_it_changed(site: Site) -> None:
    await a_desk(site)

    await patch(site, {"prompt": "You are the desk.", "enabled": False})

    [entry] = await site.entries("assistant.updated")
    assert entry.details["changes"] == [{"field": "prompt"}, {"field": "enabled", "before": True, "after": False}]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"tool_names": ["no_such_tool"]}, "tool_names"),
        ({"audience": "roles"}, "audience_roles"),
        ({"audience": "friends"}, "audience"),
        ({"names": {"fr": "Bureau"}}, "names.fr.[key]"),
        ({"position": "1"}, "position"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_what_an_assistant_may_not_hold(site: Site, body: dict[str, object], field: str) -> None:
    await a_desk(site)

    answer = await patch(site, body)

    assert answer.status_code in {400, 422}
    assert answer.json()["field"].replace("(unreadable name)", "[key]") == field


async def test_tools_are_shown_with_their_kinds(site: Site) -> None:
    items = (await site.call("mara", "GET /administration/tools")).json()["items"]

    assert {item["name"]: item["kind"] for item in items} == {"delete_group": "destructive", "list_groups": "read"}


async def test_b6_the_service_refuses_a_chat_by_itself(site: Site) -> None:
    mara = site.people["mara"]
    identity = Identity(
        id=IdentityId(mara.id), user_name="mara", display_name="Mara", roles=frozenset({Role.ADMINISTRATOR, Role.USER})
    )
    context = RequestContext(
        caller=Caller(session_id=SessionId(mara.session_id), identity=identity),
        origin=Origin(assistant_key=AssistantKey("admin")),
        request_id="rid_1",
    )

    with pytest.raises(NovaForbidden) as refused:
        await site.nova.assistants.delete(context, "helpdesk", None)

    assert refused.value.code == "interface_only"
