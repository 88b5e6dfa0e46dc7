"""`filter`, `fields` and `sort` on the lists: what they find, what they refuse, and that exports carry them too."""

import pytest

from storage.nova.tables import IdentityRow
from tests.api.site import Site, a_group, a_membership, a_role
from tests.api.test_exports import export
from tests.api.test_identity_endings import an_assignment


async def prepare(site: Site) -> None:
    group, role = a_group("Contractors", description="Guests"), a_role("crm-user", risk="high", max_days=30)
    sam, nina = site.people["sam"].id, site.people["nina"].id
    await site.add(group, role)
    await site.add(
        a_membership(group, sam), an_assignment(sam, role.id), an_assignment(nina, role.id, status="revoked")
    )
    await site.call("nina", "POST /exports", body={"resource": "identities"})


async def names(site: Site, path: str, text: str, shown: str = "display_name") -> list[object]:
    answer = await site.call("mara", f"GET {path}", query={"filter": text})
    assert answer.status_code == 200, answer.text
    found = []
    for item in answer.json()["items"]:
        value = item
        for part in shown.split("."):
            value = value[part]
        found.append(value)
    return found


@pytest.mark.parametrize(
    ("path", "text", "shown", "found"),
    [
        ("/identities", 'department eq "SALES" and not (user_name sw "t")', "user_name", ["lea", "nina"]),
        ("/identities", 'manager.id pr or nova_roles eq "auditor"', "user_name", ["nina", "paul", "tim"]),
        (
            "/identities",
            'email ew "@nova.example" and department ne "sales"',
            "user_name",
            ["mara", "otto", "paul", "sam"],
        ),
        ("/groups", 'member_count eq 1 and description co "guest"', "display_name", ["Contractors"]),
        ("/groups", "member_count gt 1", "display_name", []),
        ("/roles", 'risk eq "high" and holder_count eq 1 and max_days lt 31', "key", ["crm-user"]),
        ("/assignments", 'identity.display_name eq "sam" and status eq "active"', "identity.display_name", ["Sam"]),
        ("/assignments", 'status eq "revoked" and granted_by.id eq null', "identity.display_name", ["Nina"]),
        ("/sessions", 'identity.display_name eq "Sam" and status eq "active"', "identity.display_name", ["Sam"]),
        ("/audit-log", 'action sw "export.c" and actor.type eq "identity"', "action", ["export.created"]),
        ("/audit-log", 'origin eq "ai_chat:admin"', "action", []),
        ("/applications", "role_count gt 0", "key", []),
        ("/access-requests", 'requester.display_name eq "Nina" or status eq "pending"', "status", []),
    ],
)
async def test_a_list_shows_exactly_what_its_filter_asks_for(
    site: Site, path: str, text: str, shown: str, found: list[object]
) -> None:
    await prepare(site)

    assert await names(site, path, text, shown) == found


@pytest.mark.parametrize(
    "path",
    ["identities", "groups", "roles", "applications", "assignments", "access-requests", "sessions", "audit-log"],
)
async def test_a_filter_that_can_not_be_used_is_refused_with_its_place(site: Site, path: str) -> None:
    answer = await site.call("mara", f"GET /{path}", query={"filter": 'id pr and password_hash eq "x"'})

    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["field"]) == (400, "validation_failed", "filter")
    assert problem["position"] == 11
    assert "at character 11: there is no such attribute" in problem["detail"]


async def test_a_filter_never_widens_what_one_may_see(site: Site) -> None:
    answer = await site.call("sam", "GET /identities", query={"filter": "id pr or not (id pr)"})

    assert [item["user_name"] for item in answer.json()["items"]] == ["sam"]


async def test_a_cursor_fits_only_the_filter_it_came_from_whatever_fields_are_shown(site: Site) -> None:
    first = (await site.call("mara", "GET /identities", query={"filter": "id pr", "limit": 2})).json()
    cursor = first["next_cursor"]

    other = await site.call("mara", "GET /identities", query={"filter": "id ne null", "cursor": cursor})
    same = await site.call("mara", "GET /identities", query={"filter": "id pr", "cursor": cursor, "fields": "id"})

    assert (other.status_code, other.json()["field"]) == (400, "cursor")
    assert len(same.json()["items"]) == 5


async def test_fields_are_those_asked_for_and_always_the_id(site: Site) -> None:
    answer = await site.call("mara", "GET /identities", query={"fields": "display_name,manager", "limit": 1})

    [item] = answer.json()["items"]
    assert list(item) == ["id", "display_name", "manager"]
    assert answer.json()["total"] == 7


@pytest.mark.parametrize("fields", ["password_hash", "display_name,nothing", "", "Display_Name", "id;drop"])
async def test_a_field_that_no_view_has_is_refused(site: Site, fields: str) -> None:
    answer = await site.call("mara", "GET /identities", query={"fields": fields})

    assert (answer.status_code, answer.json()["field"]) == (400, "fields")


async def test_members_are_sorted_as_asked(site: Site) -> None:
    group = a_group()
    path = f"/groups/{group.id}/members"
    await site.add(group)
    await site.add(*(a_membership(group, site.people[name].id) for name in ("sam", "lea", "tim")))

    listed = (await site.call("mara", f"GET {path}", query={"sort": "-user_name", "fields": "user_name"})).json()

    assert [item["user_name"] for item in listed["items"]] == ["tim", "sam", "lea"]


async def test_an_export_carries_the_filter_of_its_list(site: Site) -> None:
    wanted = {"filter": 'department eq "sales"'}
    made = await export(site, "mara", resource="identities", filter=wanted)
    refused = await export(site, "mara", resource="identities", filter={"filter": "x"})
    partial = await export(site, "mara", resource="identities", filter={"fields": "id"})

    assert made["rows"] == 3
    assert (refused["status_code"], refused["field"]) == (400, "filter")
    assert (partial["status_code"], partial["field"]) == (400, "filter.fields")


async def test_a_filter_takes_more_texts_than_a_statement_has_parameters_for(site: Site) -> None:
    count = 600
    for start in range(0, count, 300):
        await site.add(*(_numbered(number) for number in range(start, start + 300)))

    answer = await site.call("mara", "GET /identities", query={"filter": 'display_name sw "Number "', "limit": 1})

    assert answer.json()["total"] == count


def _numbered(number: int) -> IdentityRow:
    moment = "2026-03-02T09:00:00Z"
    return IdentityRow.model_validate(
        {
            "id": f"idn_{number:020d}",
            "user_name": f"n{number}",
            "user_name_key": f"n{number}",
            "display_name": f"Number {number}",
            "created_at": moment,
            "updated_at": moment,
        }
    )


async def test_the_document_tells_what_an_answer_in_part_looks_like(site: Site) -> None:
    document = site.api.openapi()
    lists = {
        path: one["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        for path, one in document["paths"].items()
        if any(parameter["name"] == "fields" for parameter in one.get("get", {}).get("parameters", ()))
    }
    whole, partial = lists["/identities"]["anyOf"]
    item = partial["properties"]["items"]["items"]
    answer = (await site.call("mara", "GET /identities", query={"fields": "display_name"})).json()["items"][0]

    assert all(len(schema["anyOf"]) == 2 for schema in lists.values())
    assert set(whole) == {"$ref"}
    assert item["required"] == ["id"]
    assert answer.keys() <= item["properties"].keys()


@pytest.mark.parametrize("name", ["actor.display", "target.display"])
async def test_names_in_the_log_are_found_by_q_and_not_by_a_filter(site: Site, name: str) -> None:
    """A filter over texts folds every distinct one: in a log of a million entries, that is the whole log."""
    answer = await site.call("mara", "GET /audit-log", query={"filter": f'{name} eq "Mara"'})

    assert (answer.status_code, answer.json()["field"]) == (400, "filter")
