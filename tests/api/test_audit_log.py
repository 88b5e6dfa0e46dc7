"""The audit log: its filters, its pages, and that origin follows the mark alone (rules F1, F2, F4)."""

import base64
import json
from datetime import timedelta

import pytest
from sqlalchemy import text

from nova_ui.nova.audit_trail import Target
from storage.nova.audit import NewEntry, append
from tests.api.site import NOW, Site


async def fill(site: Site) -> None:
    vias = [None, "ai_chat:admin", "ai_chat:helpdesk", None]
    async with site.database.transaction() as session:
        for number, via in enumerate(vias):
            entry = NewEntry(
                time=NOW + timedelta(days=number),
                action=["identity.updated", "identity.deleted", "group.created", "identityx.updated"][number],
                outcome="refused" if number == 2 else "success",
                actor_id=site.people["mara" if number % 2 else "otto"].id,
                actor_display="Mara" if number % 2 else "Otto",
                target_type="identity",
                target_id=f"idn_{number}",
                target_display=f"Äpfel {number}",
                details={"note": "ai_chat:admin"},
                via=via,
                request_id=f"rid_{number}",
            )
            await append(session, entry)


async def found(site: Site, **query: object) -> list[int]:
    answer = await site.call("paul", "GET /audit-log", query=query)
    assert answer.status_code == 200, answer.text
    return sorted(int(item["target"]["id"].removeprefix("idn_")) for item in answer.json()["items"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"origin": "interface"}, [0, 3]),
        ({"origin": "ai_chat"}, [1, 2]),
        ({"origin": "ai_chat:admin"}, [1]),
        ({"origin": "ai_chat:adm"}, []),
        ({"action": "identity.*"}, [0, 1]),
        ({"action": "*.updated"}, [0, 3]),
        ({"action": "identity_.updated"}, []),
        ({"outcome": "refused"}, [2]),
        ({"target_id": "idn_1"}, [1]),
        ({"request_id": "rid_3"}, [3]),
        ({"q": "ÄPFEL 2"}, [2]),
        ({"after": "2026-03-03", "before": "2026-03-04"}, [1, 2]),
        ({"origin": "ai_chat", "outcome": "success"}, [1]),
    ],
)
async def test_f2_filters_show_exactly_what_they_name(
    site: Site, query: dict[str, object], expected: list[int]
) -> None:
    await fill(site)

    assert await found(site, **query) == expected


@pytest.mark.parametrize(
    "place",
    [
        ["2026-03-02T09:00:00+00:00", "1"],
        ["2026-03-02T09:00:00+00:00", 1.5],
        ["2026-03-02T09:00:00+00:00", True],
        ["2026-03-02T09:00:00+00:00", None],
        ["2026-03-02T09:00:00+00:00", -1],
        ["2026-03-02T09:00:00+00:00", 2**31],
        ["2026-03-02T09:00:00+00:00", 2**70],
        ["2026-03-02T09:00:00", 1],
        ["9999-12-31T23:59:59-23:59", 1],
        ["0001-01-01T00:00:00+23:59", 1],
        [7, 1],
        [[], {}],
        ["2026-03-02T09:00:00+00:00"],
    ],
)
async def test_a_forged_place_in_a_cursor_is_refused(site: Site, place: list[object]) -> None:
    await fill(site)
    given = (await site.call("paul", "GET /audit-log", query={"limit": 2})).json()["next_cursor"]
    fingerprint = json.loads(base64.urlsafe_b64decode(given + "=="))[0]
    forged = base64.urlsafe_b64encode(json.dumps([fingerprint, *place]).encode()).decode().rstrip("=")

    answer = await site.call("paul", "GET /audit-log", query={"limit": 2, "cursor": forged})

    assert (answer.status_code, answer.json()["field"]) == (400, "cursor")


@pytest.mark.parametrize("query", [{"origin": "ai_chat:x, via: ui"}, {"action": "%"}, {"colour": "red"}, {"q": ""}])
async def test_a_filter_that_can_not_be_is_refused(site: Site, query: dict[str, object]) -> None:
    answer = await site.call("paul", "GET /audit-log", query=query)

    assert (answer.status_code, answer.json()["field"]) == (400, next(iter(query)))


async def test_f1_the_same_change_by_both_ways_differs_in_its_origin_alone(site: Site) -> None:
    """Abuse case 56."""
    await site.call("mara", f"PATCH /identities/{site.people['sam'].id}", body={"title": "One"})
    await site.call("mara", f"PATCH /identities/{site.people['tim'].id}", body={"title": "One"}, via="helpdesk")

    by_hand, by_chat = await site.entries("identity.updated")

    assert (by_hand.via, by_chat.via) == (None, "ai_chat:helpdesk")
    assert by_chat.details == {**by_hand.details, "via": "ai_chat:helpdesk"}


async def test_f4_nothing_that_a_request_brings_sets_or_drops_the_mark(site: Site) -> None:
    """Abuse case 57."""
    path = f"/identities/{site.people['sam'].id}"
    headers = {
        "Via": "ai_chat:admin",
        "X-Nova-Origin": "ai_chat:admin",
        "Nova-Delegation": "x",
        "Origin": "http://nova",
    }

    body = await site.call("mara", f"PATCH {path}", body={"title": "x", "via": "ai_chat:admin"})
    query = await site.call("mara", f"PATCH {path}", body={"title": "x"}, query={"via": "ai_chat:admin"})
    by_hand = await site.call("mara", f"PATCH {path}", body={"title": "one"}, headers=headers)
    by_chat = await site.call("mara", f"PATCH {path}", body={"title": "two"}, headers={"Via": "interface"}, via="admin")

    assert (body.status_code, query.status_code) == (422, 400)
    assert (by_hand.status_code, by_chat.status_code) == (200, 200)
    assert [entry.via for entry in await site.entries()] == [None, "ai_chat:admin"]


async def test_f4_details_can_not_carry_the_mark_themselves(site: Site) -> None:
    """Abuse case 57."""
    async with site.database.transaction() as session:
        with pytest.raises(ValueError, match="origin"):
            await append(session, NewEntry(time=NOW, action="x.y", details={"via": "ai_chat:admin"}))


async def test_only_those_who_oversee_read_the_log_and_nobody_writes_it(site: Site) -> None:
    assert (await site.call("lea", "GET /audit-log")).status_code == 403
    assert (await site.call("mara", "DELETE /audit-log")).status_code == 405
    assert (await site.call("mara", "POST /audit-log", body={})).status_code == 405


async def test_pages_hold_every_entry_once_also_at_the_same_moment(site: Site) -> None:
    async with site.database.transaction() as session:
        for _ in range(7):
            await append(session, NewEntry(time=NOW, action="x.y"))
    seen: list[int] = []
    cursor = None
    while True:
        query = {"limit": 3} | ({"cursor": cursor} if cursor else {})
        answer = (await site.call("paul", "GET /audit-log", query=query)).json()
        seen += [item["seq"] for item in answer["items"]]
        cursor = answer["next_cursor"]
        if cursor is None:
            break

    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) == 7


async def test_a_timeline_holds_what_somebody_did_and_what_was_done_to_them_once_each_page_by_page(site: Site) -> None:
    sam, otto = site.people["sam"].id, site.people["otto"].id
    pairs = [(sam, sam), (sam, otto), (otto, sam), (otto, otto), (None, sam), (sam, None), (None, None)]
    async with site.database.transaction() as session:
        for number, (actor_id, target_id) in enumerate(pairs):
            time = NOW + timedelta(minutes=number % 3)
            await append(session, NewEntry(time=time, action="x.y", actor_id=actor_id, target_id=target_id))
    wanted = [entry.seq for entry in await site.entries() if sam in {entry.actor_id, entry.target_id}]
    seen: list[int] = []
    cursor = None
    while True:
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        answer = (await site.call("paul", f"GET /identities/{sam}/timeline", query=query)).json()
        seen += [item["seq"] for item in answer["items"]]
        cursor = answer["next_cursor"]
        assert answer["total"] == 5
        if cursor is None:
            break

    assert sorted(seen) == wanted
    times = {entry.seq: entry.time for entry in await site.entries()}
    assert [times[one] for one in seen] == sorted((times[one] for one in seen), reverse=True)


@pytest.mark.parametrize(
    ("group_by", "expected"),
    [
        ("action", {"identity.updated": 1, "identity.deleted": 1, "group.created": 1, "identityx.updated": 1}),
        ("origin", {"interface": 2, "ai_chat:admin": 1, "ai_chat:helpdesk": 1}),
        ("outcome", {"success": 3, "refused": 1}),
        ("day", {"2026-03-02": 1, "2026-03-03": 1, "2026-03-04": 1, "2026-03-05": 1}),
    ],
)
async def test_a_summary_counts_by_group(site: Site, group_by: str, expected: dict[str, int]) -> None:
    await fill(site)

    answer = (await site.call("paul", "GET /audit-log/summary", query={"group_by": group_by})).json()

    assert {group["key"]: group["count"] for group in answer["groups"]} == expected
    assert answer["total"] == 4


async def test_a_summary_by_actor_names_them_and_follows_the_filter(site: Site) -> None:
    await fill(site)

    query = {"group_by": "actor", "origin": "ai_chat"}
    answer = (await site.call("paul", "GET /audit-log/summary", query=query)).json()

    assert sorted((group["label"], group["count"]) for group in answer["groups"]) == [("Mara", 1), ("Otto", 1)]


def test_a_target_may_be_without_an_id() -> None:
    assert Target("group", None).display == ""


async def test_f5_overseers_can_have_the_newest_entries_checked(site: Site) -> None:
    await fill(site)

    before = await site.call("paul", "GET /audit-log/verification")
    async with site.database.transaction() as session:
        await (await session.connection()).execute(text("UPDATE audit_entries SET actor_display = 'Eve' WHERE seq = 2"))
    after = await site.call("paul", "GET /audit-log/verification")
    refused = await site.call("sam", "GET /audit-log/verification")

    assert before.json()["intact"] is True
    assert after.json()["intact"] is False
    assert after.json()["broken"]["seq"] == 2
    assert refused.status_code == 403
