"""Sessions: who sees them, who ends them, and that pages and turns hear of it."""

from storage.nova.tables import SessionRow
from tests.api.site import Site


async def test_everyone_sees_their_own_sessions_and_overseers_all(site: Site) -> None:
    own = (await site.call("sam", "GET /me/sessions")).json()["items"]
    everybody = (await site.call("paul", "GET /sessions")).json()
    refused = await site.call("sam", "GET /sessions")

    assert [item["current"] for item in own] == [True]
    assert everybody["total"] == 7
    assert refused.status_code == 403


async def test_one_ends_another_own_session_but_not_the_current_one(site: Site) -> None:
    other = await site.sign_in("sam2", site.people["sam"].id)

    done = await site.call("sam", f"DELETE /me/sessions/{other.session_id}")
    current = await site.call("sam", f"DELETE /me/sessions/{site.people['sam'].session_id}")
    foreign = await site.call("sam", f"DELETE /me/sessions/{site.people['tim'].session_id}")

    assert done.json()["object"]["status"] == "ended"
    assert current.json()["code"] == "self_lockout"
    assert foreign.status_code == 404
    assert site.ended == [frozenset({other.session_id})]
    assert (await site.call("sam2", "GET /me")).json()["code"] == "session_ended"


async def test_an_administrator_ends_every_session_of_somebody(site: Site) -> None:
    sam, again = site.people["sam"], await site.sign_in("sam2", site.people["sam"].id)

    answer = await site.call("mara", f"DELETE /identities/{sam.id}/sessions")

    assert {effect["id"] for effect in answer.json()["effects"]} == {sam.session_id, again.session_id}
    assert site.ended == [frozenset({sam.session_id, again.session_id})]
    assert len(await site.entries("session.ended")) == 2


async def test_nothing_is_announced_before_it_is_committed(site: Site) -> None:
    answer = await site.call("mara", f"DELETE /identities/{site.people['tim'].id}")

    assert answer.status_code == 409
    assert site.ended == []
    assert (await site.get(SessionRow, site.people["tim"].session_id)).ended_at is None


async def test_auditors_end_nobody(site: Site) -> None:
    assert (await site.call("paul", f"DELETE /sessions/{site.people['sam'].session_id}")).status_code == 403
