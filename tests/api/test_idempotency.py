"""One key, one request: the same answer again, nothing twice."""

import asyncio

import pytest

from storage.nova.tables import IdentityRow
from tests.api.site import Site

KEY = {"Idempotency-Key": "4f0c"}


async def test_the_same_request_again_gets_the_same_answer(site: Site) -> None:
    first = await site.call("mara", "POST /groups", body={"display_name": "Guests"}, headers=KEY)
    second = await site.call("mara", "POST /groups", body={"display_name": "Guests"}, headers=KEY)

    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert first.headers["etag"] == second.headers["etag"]
    assert second.headers["idempotent-replayed"] == "true"
    assert len(await site.entries("group.created")) == 1


async def test_another_request_under_the_same_key_is_refused(site: Site) -> None:
    await site.call("mara", "POST /groups", body={"display_name": "Guests"}, headers=KEY)

    answer = await site.call("mara", "POST /groups", body={"display_name": "Other"}, headers=KEY)

    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_key_used")


async def test_keys_of_others_are_their_own(site: Site) -> None:
    await site.call("mara", "POST /groups", body={"display_name": "Guests"}, headers=KEY)

    answer = await site.call("otto", "POST /groups", body={"display_name": "Others"}, headers=KEY)

    assert answer.status_code == 201


async def test_twenty_at_once_do_it_once(site: Site) -> None:
    answers = await asyncio.gather(
        *(site.call("mara", "POST /groups", body={"display_name": "Guests"}, headers=KEY) for _ in range(20))
    )

    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len(await site.entries("group.created")) == 1


async def test_a_refused_request_frees_its_key(site: Site) -> None:
    refused = await site.call("mara", "POST /identities", body={"user_name": "tim", "display_name": "T"}, headers=KEY)
    done = await site.call("mara", "POST /identities", body={"user_name": "tom", "display_name": "T"}, headers=KEY)

    assert (refused.status_code, done.status_code) == (409, 201)


@pytest.mark.parametrize("key", ["x" * 201, "a\tb"])
async def test_a_key_that_is_not_right_is_refused(site: Site, key: str) -> None:
    answer = await site.call("mara", "POST /groups", body={"display_name": "G"}, headers={"Idempotency-Key": key})

    assert answer.status_code == 400


async def test_an_answer_is_not_given_again_to_somebody_with_other_rights(site: Site) -> None:
    first = await site.call("mara", "POST /groups", body={"display_name": "Guests"}, headers=KEY)
    await _become(site, "auditor")

    refused = await site.call("mara", "POST /groups", body={"display_name": "Guests"}, headers=KEY)
    await _become(site, "administrator")
    again = await site.call("mara", "POST /groups", body={"display_name": "Guests"}, headers=KEY)

    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert "Guests" not in refused.text
    assert again.json() == first.json()
    assert len(await site.entries("group.created")) == 1


async def _become(site: Site, role: str) -> None:
    async with site.database.transaction() as session:
        (await session.get_one(IdentityRow, site.people["mara"].id)).nova_roles = [role]
