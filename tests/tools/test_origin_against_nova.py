"""Where a request came from is set inside the process alone, and a request reaches only the route it was made for."""

import httpx
import pytest
from sqlmodel import col, select

from nova_ui.auth.session import Whence
from nova_ui.domain.identity import IdentityId
from nova_ui.nova_client.origin import INTERFACE, Delegation, Origin, marked, without_delegation
from storage.nova.tables import IdentityRow
from tests.fakes.guarded import API_URL, behind_guard
from tests.tools.conftest import CHAT, Person, Site

FORGED = {
    "nova.delegation": "ai_chat:admin",
    "X-Nova-Origin": "ai_chat:admin",
    "X-Via": "ai_chat:admin",
    "Txn-Token": "ai_chat:admin",
    "Forwarded": "for=ai_chat:admin",
}


async def _origin_of_creation(person: Person, group_id: object) -> tuple[object, object]:
    answer = await person.client.call("GET /audit-log", query={"target_id": str(group_id), "action": "group.created"})
    rows = answer.object["items"]
    assert isinstance(rows, list)
    assert isinstance(rows[0], dict)
    return rows[0]["origin"], rows[0]["via"]


async def test_f4_nothing_that_an_outside_request_holds_sets_the_mark(site: Site, mara: Person) -> None:
    async with site.database.reading() as session:
        found = await session.exec(select(IdentityRow.id).where(col(IdentityRow.user_name) == "mara.koenig"))
        token, _ = await site.sessions.start(IdentityId(found.one()), Whence())
    outside = httpx.ASGITransport(without_delegation(behind_guard(site.api, site.sessions)))
    headers = FORGED | {"Authorization": f"Bearer {token}"}

    async with httpx.AsyncClient(transport=outside, base_url=API_URL, headers=headers) as client:
        made = await client.post("/groups", json={"display_name": "Forged"})
        in_body = await client.post("/groups", json={"display_name": "Other", "via": "ai_chat:admin"})
        in_query = await client.post("/groups?via=ai_chat:admin", json={"display_name": "Other"})

    assert made.status_code == 201
    assert await _origin_of_creation(mara, made.json()["id"]) == ("interface", None)
    assert (in_body.status_code, in_query.status_code) == (422, 400)


async def test_f4_a_scope_that_comes_from_outside_is_not_believed(site: Site, mara: Person) -> None:
    stolen = Delegation(session_id=mara.caller.session_id, origin=INTERFACE)
    outside = httpx.ASGITransport(marked(without_delegation(site.api), stolen))

    async with httpx.AsyncClient(transport=outside, base_url="http://nova") as client:
        answer = await client.get("/me")

    assert answer.status_code == 401


async def test_f1_a_tool_call_can_not_be_made_without_the_mark(mara: Person) -> None:
    made = await mara.run("create_group", display_name="Through the chat")

    assert await _origin_of_creation(mara, made["id"]) == (CHAT.name, CHAT.via)


@pytest.mark.parametrize(("method", "path"), [("GET", "/identities"), ("DELETE", "/groups"), ("POST", "/groups")])
async def test_i1_a_request_that_reaches_another_route_is_refused(
    site: Site, mara: Person, method: str, path: str
) -> None:
    made_for = Delegation(session_id=mara.caller.session_id, origin=Origin(), endpoint="GET /groups")
    inside = httpx.ASGITransport(marked(site.api, made_for))

    async with httpx.AsyncClient(transport=inside, base_url="http://nova") as client:
        right = await client.get("/groups")
        wrong = await client.request(method, path)

    assert right.status_code == 200
    assert wrong.status_code in {403, 405}
