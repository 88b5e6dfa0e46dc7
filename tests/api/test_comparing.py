"""Two identities side by side, and who reports to whom."""

import pytest

from tests.api.site import NOW, Site, a_group, a_membership, a_role, an_identity
from tests.api.test_identity_endings import an_assignment


async def test_a_comparison_parts_what_is_shared_from_what_only_one_has(site: Site) -> None:
    tim, nina = site.people["tim"].id, site.people["nina"].id
    both, left, right = a_role("mail"), a_role("crm", privileged=True), a_role("wiki")
    group = a_group("Sales team")
    role_ids, group_id = {"mail": both.id, "crm": left.id, "wiki": right.id}, group.id
    await site.add(both, left, right, group)
    await site.add(
        an_assignment(tim, role_ids["mail"]),
        an_assignment(nina, role_ids["mail"], source="birthright"),
        an_assignment(tim, role_ids["crm"]),
        an_assignment(nina, role_ids["wiki"]),
        an_assignment(nina, role_ids["crm"], status="revoked"),
        a_membership(group, tim),
    )

    answer = (await site.call("paul", "GET /identities/compare", query={"left": tim, "right": nina})).json()

    assert [item["id"] for item in answer["shared"]] == [role_ids["mail"]]
    assert answer["shared"][0]["left"][0]["source"] == "direct"
    assert answer["shared"][0]["right"][0]["source"] == "birthright"
    assert [(item["type"], item["id"], item["privileged"]) for item in answer["only_left"]] == [
        ("role", role_ids["crm"], True),
        ("group", group_id, False),
    ]
    assert [item["id"] for item in answer["only_right"]] == [role_ids["wiki"]]


@pytest.mark.parametrize(("who", "status"), [("mara", 200), ("paul", 200), ("lea", 200), ("nina", 404), ("sam", 404)])
async def test_only_whoever_may_read_both_compares_them(site: Site, who: str, status: int) -> None:
    query = {"left": site.people["tim"].id, "right": site.people["nina"].id}

    answer = await site.call(who, "GET /identities/compare", query=query)

    assert answer.status_code == status


@pytest.mark.parametrize("query", [{}, {"left": "idn_1", "right": "idn_2"}, {"left": "x", "right": "x", "colour": 1}])
async def test_a_comparison_of_nobody_names_the_field(site: Site, query: dict[str, object]) -> None:
    answer = await site.call("paul", "GET /identities/compare", query=query)

    assert answer.status_code == 400
    assert answer.json()["field"] in {"left", "right", "colour"}


async def test_reports_are_told_level_by_level(site: Site) -> None:
    lea, tim, nina = (site.people[name].id for name in ("lea", "tim", "nina"))

    direct = (await site.call("paul", f"GET /identities/{lea}/reports")).json()
    tree = (await site.call("paul", f"GET /identities/{lea}/reports?levels=5")).json()

    assert [(line["id"], line["level"], line["direct_reports"]) for line in direct["items"]] == [(tim, 1, 1)]
    assert {line["id"]: (line["level"], line["manager"]["id"]) for line in tree["items"]} == {
        tim: (1, lea),
        nina: (2, tim),
    }


async def test_reports_come_in_pages_and_can_be_searched(site: Site) -> None:
    lea = site.people["lea"].id
    await site.add(*(an_identity(f"new{number}", manager_id=lea) for number in range(3)))

    first = (await site.call("lea", f"GET /identities/{lea}/reports?limit=2")).json()
    second = (await site.call("lea", f"GET /identities/{lea}/reports?limit=2&cursor={first['next_cursor']}")).json()
    found = (await site.call("lea", f"GET /identities/{lea}/reports?q=new1")).json()

    names = [line["display_name"] for line in [*first["items"], *second["items"]]]
    assert names == ["New0", "New1", "New2", "Tim"]
    assert (first["total"], second["next_cursor"]) == (4, None)
    assert [line["display_name"] for line in found["items"]] == ["New1"]


async def test_nobody_looks_into_a_tree_that_is_not_theirs(site: Site) -> None:
    assert (await site.call("sam", f"GET /identities/{site.people['lea'].id}/reports")).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"manager_id": "{nina}"}, "manager_id"),
        ({"manager_id": "{lea}"}, "manager_id"),
        ({"manager_id": "idn_00000000000000000000"}, "manager_id"),
        ({"start_date": "2026-05-02", "end_date": "2026-05-01"}, "end_date"),
    ],
)
async def test_a_circle_of_managers_and_an_end_before_the_start_are_refused(
    site: Site, body: dict[str, str], field: str
) -> None:
    lea = site.people["lea"].id
    filled = {name: value.format(**{key: one.id for key, one in site.people.items()}) for name, value in body.items()}

    answer = await site.call("mara", f"PATCH /identities/{lea}", body=filled)

    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert (await site.call("mara", f"GET /identities/{lea}")).json()["updated_at"].startswith(f"{NOW:%Y-%m-%dT%H}")
