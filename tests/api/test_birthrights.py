"""What the rules would give is told before, exactly as they then give it, to those who oversee."""

import pytest
from sqlmodel import col, select

from storage.nova.tables import AssignmentRow
from tests.api.site import Site
from tests.api.test_rules import make_group, new_role

EVALUATE = "POST /roles/evaluate-birthrights"


async def _told(site: Site, **body: object) -> dict[str, list[str]]:
    answer = await site.call("paul", EVALUATE, body=body)
    assert answer.status_code == 200, answer.text
    return {
        name: [one["role"]["display_name"] if "role" in one else one["display_name"] for one in rows]
        for name, rows in answer.json().items()
    }


async def test_what_is_told_is_what_then_happens_to_who_moves(site: Site) -> None:
    crm = await new_role(site, "crm-user", birthright_rule='department eq "Finance"')
    await make_group(site, role_ids=[await new_role(site, "quotes")])  # Sales, where tim is
    tim = site.people["tim"].id

    told = await _told(site, identity_id=tim, department="Finance")
    entries = await site.entries()
    await site.call("mara", f"PATCH /identities/{tim}", body={"department": "Finance"})

    assert {name: len(rows) for name, rows in told.items()} == {"joining": 0, "leaving": 1, "granted": 1, "revoked": 1}
    assert told["leaving"] == ["Sellers"]
    done = [entry.action for entry in (await site.entries())[len(entries) :]]
    assert sorted(done) == [
        "assignment.granted",
        "assignment.revoked",
        "group.member_removed",
        "identity.updated",
    ]
    async with site.database.reading() as session:
        held = select(AssignmentRow.role_id).where(
            col(AssignmentRow.identity_id) == tim, col(AssignmentRow.status) == "active"
        )
        assert (await session.exec(held)).all() == [crm]


async def test_who_joins_is_weighed_by_the_attributes_alone(site: Site) -> None:
    await make_group(site)

    assert (await _told(site, department="Sales"))["joining"] == ["Sellers"]
    assert (await _told(site, department="Legal"))["joining"] == []
    assert (await _told(site))["joining"] == []


@pytest.mark.parametrize("who", ["lea", "tim", "sam"])
async def test_a1_only_those_who_oversee_may_ask(site: Site, who: str) -> None:
    assert (await site.call(who, EVALUATE, body={"department": "Sales"})).status_code == 403


async def test_an_attribute_that_no_rule_looks_at_is_refused(site: Site) -> None:
    answer = await site.call("mara", EVALUATE, body={"nova_roles": ["administrator"]})

    assert (answer.status_code, answer.json()["field"]) == (422, "nova_roles")
