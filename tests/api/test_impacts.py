"""The impact of each destructive action names exactly what the action then does (rule C13)."""

from collections import Counter
from collections.abc import Callable

import pytest

from storage.ids import new_id
from storage.nova.tables import AssignmentRow
from tests.api.site import Site, a_connection, a_group, a_membership, a_role, an_application, an_identity
from tests.api.test_identity_endings import an_assignment, give_everything


async def prepare(site: Site) -> dict[str, str]:
    await give_everything(site, "sam")
    group, role = a_group("Leavers", owner_ids=[]), a_role("old-role")
    tim, nina = site.people["tim"].id, site.people["nina"].id
    await site.add(group, role)
    ended: AssignmentRow = an_assignment(nina, role.id, status="revoked")
    granted = an_assignment(tim, (await _new_role(site)), source="group", source_id=group.id)
    direct = an_assignment(nina, await _new_role(site))
    ids = {"group": group.id, "role": role.id, "assignment": direct.id}
    await site.add(a_membership(group, tim), a_membership(group, nina), ended, granted, direct)
    retiring, running = an_application("retiring", status="disabled"), an_application("running")
    apps = {"retiring": retiring.id, "running": running.id}
    roles = [a_role(f"role-of-{name}", application_id=key) for name, key in apps.items()]
    held = [an_assignment(tim, one.id) for one in roles]
    await site.add(retiring, running)
    await site.add(*roles, *(a_connection(key) for key in apps.values()))
    await site.add(*held)
    export = await site.call("mara", "POST /exports", body={"resource": "groups"})
    gone = an_identity("gone", status="disabled", phone_numbers=["+49 30 1"])
    ids["gone"] = gone.id
    await site.add(gone)
    await site.add(an_assignment(ids["gone"], await _new_role(site)), a_membership(group, ids["gone"]))
    body = {"key": "spare", "names": {"en": "Spare"}}
    await site.call("mara", "POST /administration/assistants", body=body)
    profile = {"key": "spare", "name": "Spare", "base_url": "https://models.example/v1", "models": ["m"]}
    await site.call("mara", "POST /administration/ai-configuration/profiles", body=profile)
    routine = {
        "key": "spare",
        "names": {"en": "Spare"},
        "prompt": "Look.",
        "schedule": "0 7 * * 1",
        "acts_as": tim,
        "deliver_to": [tim],
    }
    await site.call("mara", "POST /administration/ai-routines", body=routine)
    other = await site.sign_in("mara2", site.people["mara"].id)
    return {
        **ids,
        **apps,
        "sam": site.people["sam"].id,
        "tim": tim,
        "export": export.json()["id"],
        "session": site.people["nina"].session_id,
        "own": other.session_id,
    }


async def _new_role(site: Site) -> str:
    role = a_role(f"role-{new_id('rol')[4:]}")
    role_id = role.id
    await site.add(role)
    return role_id


CASES = [
    ("GET /identities/{sam}/impact?action=delete", "DELETE /identities/{sam}"),
    ("GET /identities/{sam}/impact?action=suspend", "POST /identities/{sam}/suspend"),
    ("GET /identities/{sam}/impact?action=disable", "POST /identities/{sam}/disable"),
    ("GET /identities/{gone}/impact?action=archive", "POST /identities/{gone}/archive"),
    ("GET /identities/{sam}/impact?action=end_sessions", "DELETE /identities/{sam}/sessions"),
    ("GET /groups/{group}/impact?action=delete", "DELETE /groups/{group}"),
    ("GET /groups/{group}/impact?action=remove_member&identity_id={tim}", "DELETE /groups/{group}/members/{tim}"),
    (
        "GET /groups/{group}/impact?action=replace_members&identity_ids={tim},{sam}",
        "PUT /groups/{group}/members",
    ),
    ("GET /roles/{role}/impact?action=delete", "DELETE /roles/{role}"),
    ("GET /assignments/{assignment}/impact?action=revoke", "DELETE /assignments/{assignment}"),
    ("GET /sessions/{session}/impact?action=end", "DELETE /sessions/{session}"),
    ("GET /me/sessions/{own}/impact?action=end", "DELETE /me/sessions/{own}"),
    ("GET /applications/{running}/impact?action=disable", "POST /applications/{running}/disable"),
    ("GET /applications/{retiring}/impact?action=delete", "DELETE /applications/{retiring}"),
    ("GET /exports/{export}/impact?action=delete", "DELETE /exports/{export}"),
    ("GET /notifications/impact?action=send&nova_role=auditor", "POST /notifications"),
    ("GET /administration/assistants/spare/impact?action=delete", "DELETE /administration/assistants/spare"),
    (
        "GET /administration/ai-configuration/profiles/spare/impact?action=delete",
        "DELETE /administration/ai-configuration/profiles/spare",
    ),
    ("GET /administration/ai-routines/spare/impact?action=delete", "DELETE /administration/ai-routines/spare"),
]


BODIES: dict[str, Callable[[dict[str, str]], object]] = {
    "POST /notifications": lambda _: {"audience": {"nova_role": "auditor"}, "title": "News", "body": "Read this."},
    "PUT /groups/{group}/members": lambda ids: {"identity_ids": [ids["tim"], ids["sam"]]},
}


def body_of(action: str, ids: dict[str, str]) -> object:
    """Return the body of an action, or None."""
    return BODIES[action](ids) if action in BODIES else None


@pytest.mark.parametrize(("impact", "action"), CASES)
async def test_c13_the_impact_tells_what_the_action_does(site: Site, impact: str, action: str) -> None:
    ids = await prepare(site)
    logged = len(await site.entries())

    told = await site.call("mara", impact.format(**ids))
    still = len(await site.entries())
    done = await site.call("mara", action.format(**ids), body=body_of(action, ids))

    assert (told.status_code, done.status_code) == (200, 200), (told.text, done.text)
    assert still == logged
    assert told.json()["refusal"] is None
    happened = Counter((effect["type"], effect["result"]) for effect in done.json()["effects"])
    assert {(one["type"], one["result"]): one["count"] for one in told.json()["effects"]} == dict(happened)
    named = {name for one in told.json()["effects"] for name in one["names"]}
    assert named == {effect["display"] for effect in done.json()["effects"] if effect["display"]}


@pytest.mark.parametrize(("impact", "action"), CASES)
async def test_c13_the_impact_refuses_what_the_action_refuses_to_an_auditor(
    site: Site, impact: str, action: str
) -> None:
    ids = await prepare(site)

    told = await site.call("paul", impact.format(**ids))
    refused = await site.call("paul", action.format(**ids), body=body_of(action, ids))

    assert refused.status_code in {403, 404}
    if told.status_code == 200:
        assert told.json()["refusal"]["code"] == refused.json()["code"]
    else:
        assert told.status_code == refused.status_code


async def test_every_destructive_operation_names_an_impact_that_exists_and_is_compared(site: Site) -> None:
    paths = site.api.openapi()["paths"]
    operations = [
        (f"{method.upper()} {path}", operation)
        for path, methods in paths.items()
        for method, operation in methods.items()
    ]
    ids = {operation["operationId"] for _, operation in operations}
    destructive = {
        endpoint: operation for endpoint, operation in operations if operation["x-nova-kind"] == "destructive"
    }

    assert all(operation["x-nova-impact"] in ids for operation in destructive.values())
    compared_elsewhere = {
        "PUT /roles/{role_id}/entitlements",  # these two take a body
        "POST /approvals/decisions",
        "DELETE /administrators/{identity_id}",  # these two ask for a fresh sign-in
        "DELETE /me/mfa/totp",
        "DELETE /lifecycle-routines/{routine_id}",  # with tests/contract, which compares them all
    }
    assert compared_elsewhere <= destructive.keys()
    assert len(destructive) == len(CASES) + len(compared_elsewhere)
