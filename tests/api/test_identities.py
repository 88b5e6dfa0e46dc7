"""Identities over HTTP: who sees whom, what is checked, what is logged."""

import pytest

from tests.api.site import Site, changes_of


async def names(site: Site, who: str, query: dict[str, object] | None = None) -> list[str]:
    answer = await site.call(who, "GET /identities", query={"sort": "user_name", **(query or {})})
    return [item["user_name"] for item in answer.json()["items"]]


@pytest.mark.parametrize("who", ["mara", "paul"])
async def test_administrators_and_auditors_see_everybody(site: Site, who: str) -> None:
    assert await names(site, who) == ["lea", "mara", "nina", "otto", "paul", "sam", "tim"]


async def test_managers_see_their_tree_and_themselves(site: Site) -> None:
    assert await names(site, "lea") == ["lea", "nina", "tim"]
    assert await names(site, "tim") == ["nina", "tim"]
    assert await names(site, "sam") == ["sam"]


async def test_the_tree_of_a_manager_ends_after_five_levels(site: Site) -> None:
    above = site.people["nina"].id
    for level in range(3, 7):
        above = (await site.person(f"level{level}", manager_id=above)).id

    seen = await names(site, "lea")

    assert "level5" in seen
    assert "level6" not in seen


async def test_whoever_is_not_visible_looks_as_if_there_were_nobody(site: Site) -> None:
    hidden = await site.call("sam", f"GET /identities/{site.people['tim'].id}")
    missing = await site.call("sam", "GET /identities/idn_00000000000000000000")

    assert hidden.status_code == missing.status_code == 404
    assert hidden.json() == missing.json()


async def test_being_a_manager_ends_at_once(site: Site) -> None:
    tim = site.people["tim"].id
    assert (await site.call("lea", f"GET /identities/{tim}")).status_code == 200

    await site.call("mara", f"PATCH /identities/{tim}", body={"manager_id": None})

    assert (await site.call("lea", f"GET /identities/{tim}")).status_code == 404


async def test_everyone_finds_directory_fields_of_everyone(site: Site) -> None:
    answer = (await site.call("sam", "GET /directory", query={"q": "ti"})).json()

    assert answer["items"] == [
        {
            "id": site.people["tim"].id,
            "display_name": "Tim",
            "title": None,
            "department": "Sales",
            "email": "tim@nova.example",
        }
    ]


async def test_filters_compare_without_regard_to_case(site: Site) -> None:
    await site.person("ärzte", department="Qualität & Ärzte", display_name="Änne Ärger")

    assert await names(site, "mara", {"department": "QUALITÄT & ärzte"}) == ["ärzte"]
    assert await names(site, "mara", {"q": "ÄNNE"}) == ["ärzte"]
    assert await names(site, "mara", {"department": "100%"}) == []
    assert await names(site, "mara", {"nova_role": "auditor"}) == ["paul"]
    assert await names(site, "mara", {"manager_id": site.people["lea"].id}) == ["tim"]


@pytest.mark.parametrize("sort", ["user_name", "-display_name", "-created_at"])
async def test_pages_hold_everybody_once(site: Site, sort: str) -> None:
    seen: list[str] = []
    cursor = None
    for _ in range(10):
        query = {"sort": sort, "limit": 2} | ({"cursor": cursor} if cursor else {})
        answer = (await site.call("mara", "GET /identities", query=query)).json()
        seen += [item["user_name"] for item in answer["items"]]
        assert answer["total"] == 7
        cursor = answer["next_cursor"]
        if cursor is None:
            break

    assert sorted(seen) == ["lea", "mara", "nina", "otto", "paul", "sam", "tim"]


async def test_a_cursor_fits_only_its_own_list(site: Site) -> None:
    first = (await site.call("mara", "GET /identities", query={"limit": 2})).json()

    other = await site.call("mara", "GET /identities", query={"cursor": first["next_cursor"], "status": "active"})
    forged = await site.call("mara", "GET /identities", query={"cursor": "bm9uc2Vuc2U"})

    assert (other.status_code, other.json()["field"]) == (400, "cursor")
    assert (forged.status_code, forged.json()["field"]) == (400, "cursor")


async def test_creating_an_identity_is_logged_with_what_was_given(site: Site) -> None:
    body = {
        "user_name": "Ada.Lovelace",
        "display_name": "  Ada Lovelace ",
        "emails": [{"value": "ada@nova.example"}],
        "manager_id": site.people["lea"].id,
        "start_date": "2026-01-01",
    }

    answer = await site.call("mara", "POST /identities", body=body)

    assert answer.status_code == 201
    assert answer.headers["etag"] == '"1"'
    created = answer.json()
    assert created["display_name"] == "Ada Lovelace"
    assert created["email"] == "ada@nova.example"
    assert created["manager"] == {"id": site.people["lea"].id, "display_name": "Lea"}
    [entry] = await site.entries("identity.created")
    assert (entry.actor_display, entry.target_id, entry.outcome) == ("Mara", created["id"], "success")
    assert changes_of(entry)["user_name"] == (None, "Ada.Lovelace")


async def test_an_update_is_logged_with_before_and_after(site: Site) -> None:
    tim = site.people["tim"].id

    answer = await site.call("mara", f"PATCH /identities/{tim}", body={"department": "Support", "title": "Lead"})

    assert (answer.json()["department"], answer.json()["version"]) == ("Support", 2)
    [entry] = await site.entries("identity.updated")
    assert changes_of(entry) == {"department": ("Sales", "Support"), "title": (None, "Lead")}


async def test_an_update_that_changes_nothing_is_no_change(site: Site) -> None:
    answer = await site.call("mara", f"PATCH /identities/{site.people['tim'].id}", body={"department": "Sales"})

    assert answer.json()["version"] == 1
    assert await site.entries() == []


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"user_name": "TIM"}, 409, "user_name"),
        ({"user_name": "with space"}, 422, "user_name"),
        ({"display_name": None}, 422, "display_name"),
        ({"display_name": ""}, 422, "display_name"),
        ({"display_name": "two\nlines"}, 422, "display_name"),
        ({"emails": [{"value": "nobody"}]}, 422, "emails.0.value"),
        ({"nova_roles": ["administrator"]}, 422, "nova_roles"),
        ({"password_hash": "x"}, 422, "password_hash"),
        ({"status": "disabled"}, 422, "status"),
        ({"manager_id": "grp_00000000000000000000"}, 422, "manager_id"),
        ({"manager_id": "idn_00000000000000000000"}, 400, "manager_id"),
        ({"start_date": "2026-05-01", "end_date": "2026-04-30"}, 400, "end_date"),
        ({"start_date": "yesterday"}, 422, "start_date"),
    ],
)
async def test_what_an_update_may_not_hold(site: Site, body: dict[str, object], status: int, field: str) -> None:
    answer = await site.call("mara", f"PATCH /identities/{site.people['sam'].id}", body=body)

    assert (answer.status_code, answer.json()["field"]) == (status, field)
    assert (await site.call("mara", f"GET /identities/{site.people['sam'].id}")).json()["version"] == 1


async def test_no_manager_may_close_a_circle(site: Site) -> None:
    lea, nina = site.people["lea"].id, site.people["nina"].id

    circle = await site.call("mara", f"PATCH /identities/{lea}", body={"manager_id": nina})
    own = await site.call("mara", f"PATCH /identities/{lea}", body={"manager_id": lea})

    assert (circle.status_code, circle.json()["field"]) == (400, "manager_id")
    assert (own.status_code, own.json()["field"]) == (400, "manager_id")


@pytest.mark.parametrize("who", ["paul", "lea", "tim"])
async def test_only_administrators_change_identities_and_a_refusal_is_logged(site: Site, who: str) -> None:
    answer = await site.call(who, f"PATCH /identities/{site.people['tim'].id}", body={"title": "Boss"})

    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    [entry] = await site.entries("identity.updated")
    assert (entry.outcome, entry.details["code"], entry.target_display) == ("refused", "forbidden", "Tim")


async def test_an_outdated_if_match_changes_nothing(site: Site) -> None:
    tim = f"/identities/{site.people['tim'].id}"
    tag = (await site.call("mara", f"GET {tim}")).headers["etag"]

    first = await site.call("mara", f"PATCH {tim}", body={"title": "One"}, headers={"If-Match": tag})
    second = await site.call("otto", f"PATCH {tim}", body={"title": "Two"}, headers={"If-Match": tag})

    assert (first.status_code, second.status_code) == (200, 412)
    assert second.json()["code"] == "precondition_failed"
    assert (await site.call("mara", f"GET {tim}")).json()["title"] == "One"


async def test_everyone_changes_the_few_fields_of_their_own_profile(site: Site) -> None:
    answer = await site.call("sam", "PATCH /me", body={"preferred_language": "de", "phone_numbers": ["+49 89 1234"]})
    refused = await site.call("sam", "PATCH /me", body={"title": "Chief"})

    assert answer.json()["preferred_language"] == "de"
    assert answer.json()["roles"] == ["user"]
    assert (refused.status_code, refused.json()["field"]) == (422, "title")
    [entry] = await site.entries("identity.updated")
    assert entry.actor_id == entry.target_id == site.people["sam"].id


async def test_the_timeline_is_for_those_who_oversee(site: Site) -> None:
    tim = site.people["tim"].id
    await site.call("mara", f"PATCH /identities/{tim}", body={"title": "Lead"})

    seen = await site.call("paul", f"GET /identities/{tim}/timeline")
    refused = await site.call("lea", f"GET /identities/{tim}/timeline")

    assert [item["action"] for item in seen.json()["items"]] == ["identity.updated"]
    assert refused.status_code == 403


async def test_an_address_may_be_changed_by_nothing_but_its_value(site: Site) -> None:
    path = f"PATCH /identities/{site.people['tim'].id}"

    answer = await site.call("mara", path, body={"emails": [{"value": "tim@new.example"}]})

    assert answer.status_code == 200, answer.text
    assert answer.json()["emails"] == [{"value": "tim@new.example", "type": "work", "primary": True}]
