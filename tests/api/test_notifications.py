"""Notifications: one's own and nobody else's, sent by administrators to whom they mean."""

from datetime import timedelta

import pytest

from nova_ui.domain.identity import IdentityId
from nova_ui.nova.background import Housekeeping
from nova_ui.nova.notifications import KEPT
from storage.ids import new_id
from storage.nova.notification_tables import NotificationRow
from tests.api.site import NOW, Site, a_group, a_membership, a_role, an_identity
from tests.api.test_identity_endings import an_assignment

MESSAGE = {"title": "Maintenance", "body": "Nova is away on Sunday.\nBack at noon."}


def a_notification(identity_id: str, **fields: object) -> NotificationRow:
    values = {
        "id": new_id("ntf"),
        "identity_id": identity_id,
        "kind": "message",
        "values": {"title": "Hello", "body": "World"},
        "created_at": NOW,
        **fields,
    }
    return NotificationRow.model_validate(values)


async def inbox(site: Site, who: str, **query: object) -> list[tuple[str, str]]:
    answer = await site.call(who, "GET /me/notifications", query=query)
    assert answer.status_code == 200, answer.text
    return [(one["kind"], one["title"]) for one in answer.json()["items"]]


async def test_everybody_reads_their_own_alone_newest_first(site: Site) -> None:
    sam, tim = site.people["sam"].id, site.people["tim"].id
    older, newer = a_notification(sam), a_notification(sam, created_at=NOW + timedelta(minutes=1))
    expected = [newer.id, older.id]
    await site.add(older, newer, a_notification(tim))

    answer = (await site.call("sam", "GET /me/notifications")).json()

    assert [one["id"] for one in answer["items"]] == expected
    assert (answer["total"], answer["unread"]) == (2, 2)
    assert (answer["items"][0]["title"], answer["items"][0]["body"]) == ("Hello", "World")
    assert await inbox(site, "mara") == []


async def test_what_is_read_is_no_longer_unread_and_nothing_is_logged(site: Site) -> None:
    sam, tim = site.people["sam"].id, site.people["tim"].id
    first, second, foreign = a_notification(sam), a_notification(sam), a_notification(tim)
    first_id, foreign_id = first.id, foreign.id
    await site.add(first, second, foreign)

    some = (await site.call("sam", "POST /me/notifications/read", body={"ids": [first_id, foreign_id]})).json()
    left = (await site.call("sam", "GET /me/notifications?unread=true")).json()
    read = (await site.call("sam", "GET /me/notifications?unread=false")).json()
    rest = (await site.call("sam", "POST /me/notifications/read", body={"all": True})).json()

    assert (some, rest) == ({"marked": 1, "unread": 1}, {"marked": 1, "unread": 0})
    assert (left["total"], left["unread"], read["total"], read["unread"]) == (1, 1, 1, 1)
    assert (await site.get(NotificationRow, foreign_id)).read_at is None
    assert await site.entries() == []


@pytest.mark.parametrize("body", [{}, {"ids": []}, {"ids": ["x"]}, {"all": False}, {"all": True, "ids": ["ntf_1"]}])
async def test_marking_says_what_it_does_not_understand(site: Site, body: object) -> None:
    assert (await site.call("sam", "POST /me/notifications/read", body=body)).status_code in {400, 422}


@pytest.mark.parametrize("kind", ["identity_ids", "role_id", "nova_role", "group_id", "everyone"])
async def test_a_message_reaches_exactly_its_audience(site: Site, kind: str) -> None:
    sam, tim, paul = (site.people[name].id for name in ("sam", "tim", "paul"))
    role, group, away = a_role("mail"), a_group("Team"), an_identity("away", status="disabled")
    audiences = {
        "identity_ids": ({"identity_ids": [sam, tim]}, {"sam", "tim"}),
        "role_id": ({"role_id": role.id}, {"tim"}),
        "nova_role": ({"nova_role": "auditor"}, {"paul"}),
        "group_id": ({"group_id": group.id}, {"sam"}),
        "everyone": ({"everyone": True}, {"mara", "otto", "paul", "lea", "sam", "tim", "nina"}),
    }
    away_id = away.id
    await site.add(role, group, away, an_identity("robot", user_type="service"))
    await site.add(
        an_assignment(tim, role.id),
        an_assignment(paul, role.id, status="revoked"),
        a_membership(group, sam),
        a_membership(group, away_id),
    )
    audience, expected = audiences[kind]

    answer = await site.call("mara", "POST /notifications", body={"audience": audience, **MESSAGE})

    assert answer.status_code == 200, answer.text
    assert answer.json()["object"]["recipients"] == len(expected)
    told = {name for name in site.people if await inbox(site, name) == [("message", "Maintenance")]}
    assert told == expected


async def test_sending_is_logged_once_with_the_number_and_without_the_words(site: Site) -> None:
    body = {"audience": {"identity_ids": [site.people["sam"].id]}, **MESSAGE}

    await site.call("mara", "POST /notifications", body=body, via="admin")

    (entry,) = await site.entries()
    assert (entry.action, entry.target_display, entry.via) == ("notification.sent", "Maintenance", "ai_chat:admin")
    assert entry.details["recipients"] == 1
    assert "Sunday" not in str(entry.details)


@pytest.mark.parametrize("who", ["paul", "lea", "sam"])
async def test_only_administrators_send(site: Site, who: str) -> None:
    answer = await site.call(who, "POST /notifications", body={"audience": {"everyone": True}, **MESSAGE})

    assert answer.status_code == 403
    assert await inbox(site, "tim") == []


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"body": ""}, 422),
        ({"body": "x" * 2001}, 422),
        ({"title": ""}, 422),
        ({"title": "two\nlines"}, 422),
        ({"audience": {}}, 422),
        ({"audience": {"everyone": True, "nova_role": "auditor"}}, 422),
        ({"audience": {"everyone": False}}, 422),
        ({"audience": {"identity_ids": ["idn_00000000000000000000"]}}, 409),
        ({"audience": {"group_id": "grp_00000000000000000000"}}, 409),
        ({"colour": "red"}, 422),
    ],
)
async def test_what_can_not_be_sent_is_refused(site: Site, changed: dict[str, object], status: int) -> None:
    answer = await site.call("mara", "POST /notifications", body={"audience": {"everyone": True}, **MESSAGE, **changed})

    assert answer.status_code == status, answer.text
    assert await inbox(site, "sam") == []


@pytest.mark.parametrize("query", ["", "&everyone=false", "&everyone=true&nova_role=auditor", "&identity_ids=idn_1"])
async def test_an_impact_needs_one_audience(site: Site, query: str) -> None:
    assert (await site.call("mara", f"GET /notifications/impact?action=send{query}")).status_code == 400


async def test_the_impact_counts_named_people(site: Site) -> None:
    ids = ",".join(site.people[name].id for name in ("sam", "tim"))

    told = (await site.call("mara", f"GET /notifications/impact?action=send&identity_ids={ids}")).json()

    assert told["effects"] == [{"type": "notification", "count": 2, "names": ["Sam", "Tim"], "result": "sent"}]


async def test_a_new_manager_is_told_who_reports_to_them(site: Site) -> None:
    sam, lea = site.people["sam"].id, site.people["lea"].id

    await site.call("mara", f"PATCH /identities/{sam}", body={"manager_id": lea})
    await site.call("mara", f"PATCH /identities/{sam}", body={"title": "Clerk"})
    await site.call("mara", "POST /identities", body={"user_name": "eva", "display_name": "Eva", "manager_id": lea})
    await site.call("mara", f"PATCH /identities/{lea}", body={"manager_id": site.people["mara"].id})

    assert sorted(title for _, title in await inbox(site, "lea")) == ["Eva reports to you", "Sam reports to you"]
    assert await inbox(site, "mara") == []


async def test_who_takes_over_is_told_what(site: Site) -> None:
    tim, sam = site.people["tim"].id, site.people["sam"].id

    await site.call("mara", f"POST /identities/{tim}/transfer", body={"to": sam})

    (told,) = (await site.call("sam", "GET /me/notifications")).json()["items"]
    assert (told["title"], told["values"]["what"]) == ("You take over from Tim", "Nina")


async def test_pages_of_this_process_hear_of_it_after_the_commit(site: Site) -> None:
    heard: list[frozenset[IdentityId]] = []
    end = site.nova.core.writer.notified.subscribe(heard.append)
    sam = site.people["sam"].id

    await site.call("mara", "POST /notifications", body={"audience": {"identity_ids": [sam]}, **MESSAGE})
    await site.call("sam", "POST /notifications", body={"audience": {"everyone": True}, **MESSAGE})
    await site.call("sam", "POST /me/notifications/read", body={"all": True})
    end()

    assert heard == [frozenset({sam}), frozenset({sam})]


async def test_what_is_older_than_ninety_days_goes(site: Site) -> None:
    sam = site.people["sam"].id
    await site.add(a_notification(sam, created_at=NOW - KEPT - timedelta(seconds=1)), a_notification(sam))

    await Housekeeping(site.nova.core).run()

    assert len(await inbox(site, "sam")) == 1
