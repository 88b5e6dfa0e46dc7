"""Who calls: sessions, CSRF, bearer tokens, delegations, and the route they were made for (rules A2, I1)."""

from datetime import timedelta

import pytest

from nova_ui.domain.identity import SessionId
from nova_ui.nova_client.origin import INTERFACE, Delegation, marked
from storage.nova.tables import IdentityRow, SessionRow
from tests.api.site import CSRF, NOW, Site

ME = {"preferred_language": "de"}


async def test_a_change_with_the_cookie_needs_the_csrf_token(site: Site) -> None:
    cookie = {"Cookie": f"nova_session={site.people['sam'].token}"}

    without = await site.outside("PATCH /me", body=ME, headers=cookie)
    wrong = await site.outside("PATCH /me", body=ME, headers={**cookie, "X-CSRF-Token": "other"})
    right = await site.outside("PATCH /me", body=ME, headers={**cookie, "X-CSRF-Token": CSRF})
    reading = await site.outside("GET /me", headers=cookie)

    assert [answer.status_code for answer in (without, wrong, right, reading)] == [403, 403, 200, 200]
    assert without.json()["code"] == "csrf_failed"


async def test_a_script_brings_a_bearer_token(site: Site) -> None:
    token = site.people["sam"].token

    right = await site.outside("PATCH /me", body=ME, headers={"Authorization": f"Bearer {token}"})
    wrong = await site.outside("GET /me", headers={"Authorization": f"Bearer {token[:-1]}x"})
    other = await site.outside("GET /me", headers={"Authorization": f"Basic {token}"})

    assert [answer.status_code for answer in (right, wrong, other)] == [200, 401, 401]


async def test_nobody_is_signed_in_without_anything(site: Site) -> None:
    answer = await site.outside("GET /me")

    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a2_an_ended_session_is_refused_at_the_very_next_call(site: Site) -> None:
    async with site.database.transaction() as session:
        row = await session.get(SessionRow, site.people["sam"].session_id)
        assert row is not None
        row.ended_at = NOW

    answer = await site.call("sam", "GET /me")

    assert (answer.status_code, answer.json()["code"]) == (401, "session_ended")


async def test_a2_a_withdrawn_role_counts_at_the_very_next_call(site: Site) -> None:
    assert (await site.call("paul", "GET /audit-log")).status_code == 200
    async with site.database.transaction() as session:
        row = await session.get(IdentityRow, site.people["paul"].id)
        assert row is not None
        row.nova_roles = []

    assert (await site.call("paul", "GET /audit-log")).status_code == 403


async def test_a2_a_session_that_ran_out_is_refused(site: Site) -> None:
    site.clock.moment = NOW + timedelta(days=31)

    assert (await site.call("sam", "GET /me")).json()["code"] == "session_ended"


@pytest.mark.parametrize(
    ("made_for", "reached", "status"),
    [
        ("GET /groups/{group_id}", "GET /groups/grp_00000000000000000000", 404),
        ("GET /groups/{group_id}", "DELETE /groups/grp_00000000000000000000", 403),
        ("DELETE /groups/{group_id}", "DELETE /identities/idn_00000000000000000000", 403),
        ("GET /groups", "GET /docs", 403),
        ("GET /me", "GET /me", 200),
    ],
)
async def test_i1_a_delegated_request_reaches_its_own_route_or_none(
    site: Site, made_for: str, reached: str, status: int
) -> None:
    """Abuse case 40."""
    session_id = SessionId(site.people["mara"].session_id)
    delegation = Delegation(session_id=session_id, origin=INTERFACE, endpoint=made_for)

    answer = await site.send(marked(site.api, delegation), reached)

    assert answer.status_code == status
    assert await site.entries() == []


async def test_i1_a_misled_deletion_deletes_nothing(site: Site) -> None:
    """Abuse case 40."""
    session_id = SessionId(site.people["mara"].session_id)
    delegation = Delegation(session_id=session_id, origin=INTERFACE, endpoint="DELETE /groups/{group_id}")

    answer = await site.send(marked(site.api, delegation), f"DELETE /identities/{site.people['sam'].id}")

    assert answer.status_code == 403
    assert (await site.call("mara", f"GET /identities/{site.people['sam'].id}")).status_code == 200
