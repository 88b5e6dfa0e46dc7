"""Exports: the list's own right and filter, harmless files, downloads on record."""

import csv
import io
import json
from datetime import timedelta

import pytest

from storage.nova.schedule_tables import JobRow
from storage.nova.tables import ExportRow, GroupRow, IdentityRow
from tests.api.site import NOW, Site, a_group


async def export(site: Site, who: str, **body: object) -> dict[str, object]:
    answer = await site.call(who, "POST /exports", body=body)
    made = answer.json()
    if answer.is_success:  # the job has run by now
        made = (await site.call(who, f"GET /exports/{made['id']}")).json()
    return {"status_code": answer.status_code, **made}


async def content(site: Site, who: str, made: dict[str, object]) -> str:
    return (await site.call(who, f"GET /exports/{made['id']}/content")).text


async def test_an_export_holds_what_the_list_shows_the_caller(site: Site) -> None:
    made = await export(site, "lea", resource="identities", filter={"sort": "user_name"})

    rows = list(csv.DictReader(io.StringIO(await content(site, "lea", made))))

    assert [row["user_name"] for row in rows] == ["lea", "nina", "tim"]
    assert made["rows"] == 3
    created, ready, downloaded = await site.entries()
    assert [entry.action for entry in (created, ready, downloaded)] == [
        "export.created",
        "export.ready",
        "export.downloaded",
    ]
    assert ready.caused_by == created.id
    assert ready.details["sha256"] == downloaded.details["sha256"] == made["sha256"]


@pytest.mark.parametrize("start", ["=1+1", "+49", "-1", "@x", "\tx"])
async def test_no_cell_becomes_a_formula(site: Site, start: str) -> None:
    """Abuse case 61."""
    await site.person("risky", display_name=f'{start}"a";b,c')

    made = await export(site, "mara", resource="identities", filter={"user_name": "risky"})

    [row] = csv.DictReader(io.StringIO(await content(site, "mara", made)))
    assert row["display_name"] == f'\'{start}"a";b,c'


async def test_lines_hold_one_object_each(site: Site) -> None:
    """Abuse case 61."""
    made = await export(site, "mara", resource="identities", format="jsonl", filter={"department": "finance"})

    [line] = (await content(site, "mara", made)).splitlines()

    assert json.loads(line)["user_name"] == "sam"


@pytest.mark.parametrize("resource", ["audit_log", "sessions", "groups", "applications"])
async def test_without_the_right_to_the_list_there_is_no_export_and_it_is_logged(site: Site, resource: str) -> None:
    made = await export(site, "sam", resource=resource)

    assert made["status_code"] == 403
    [entry] = await site.entries()
    assert (entry.action, entry.outcome) == ("export.created", "refused")


@pytest.mark.parametrize(
    ("filters", "field"),
    [({"colour": "red"}, "filter.colour"), ({"status": "gone"}, "filter.status"), ({"limit": 3}, "filter.limit")],
)
async def test_a_filter_that_the_list_does_not_know_is_refused(
    site: Site, filters: dict[str, object], field: str
) -> None:
    made = await export(site, "mara", resource="identities", filter=filters)

    assert (made["status_code"], made["field"]) == (400, field)


async def test_exports_are_their_makers_and_overseers_business(site: Site) -> None:
    made = await export(site, "lea", resource="identities")

    assert (await site.call("tim", f"GET /exports/{made['id']}")).status_code == 404
    assert (await site.call("paul", f"GET /exports/{made['id']}")).status_code == 200
    assert (await site.call("paul", f"DELETE /exports/{made['id']}")).status_code == 403
    assert (await site.call("lea", f"DELETE /exports/{made['id']}")).status_code == 200


async def test_who_no_longer_oversees_downloads_nothing_that_was_made_as_an_overseer(site: Site) -> None:
    made = await export(site, "paul", resource="identities")
    before = await site.call("paul", f"GET /exports/{made['id']}/content")
    async with site.database.transaction() as session:
        (await session.get_one(IdentityRow, site.people["paul"].id)).nova_roles = []

    after = await site.call("paul", f"GET /exports/{made['id']}/content")

    assert (before.status_code, after.status_code, after.json()["code"]) == (200, 403, "forbidden")
    assert (await site.call("mara", f"GET /exports/{made['id']}/content")).status_code == 200
    assert [entry.outcome for entry in await site.entries("export.downloaded")] == ["success", "refused", "success"]


async def test_who_no_longer_manages_somebody_downloads_nothing_that_was_made_as_the_manager(site: Site) -> None:
    made = await export(site, "lea", resource="identities")
    own = await export(site, "sam", resource="identities")
    await site.call("mara", f"PATCH /identities/{site.people['tim'].id}", body={"manager_id": site.people["sam"].id})

    answer = await site.call("lea", f"GET /exports/{made['id']}/content")

    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert (await site.call("sam", f"GET /exports/{own['id']}/content")).status_code == 200


async def test_an_export_is_gone_after_a_week(site: Site) -> None:
    made = await export(site, "mara", resource="identities")
    site.clock.moment = NOW + timedelta(days=7)

    assert (await site.call("mara", f"GET /exports/{made['id']}")).status_code == 404
    assert (await site.call("mara", f"GET /exports/{made['id']}/content")).status_code == 404


async def test_the_file_itself_never_goes_to_a_chat(site: Site) -> None:
    made = await export(site, "mara", resource="identities")

    answer = await site.call("mara", f"GET /exports/{made['id']}/content", via="admin")

    assert (answer.status_code, answer.json()["code"]) == (403, "interface_only")


async def test_f1_an_export_that_a_chat_asked_for_is_marked_to_the_end(site: Site) -> None:
    """Abuse case 56."""
    await site.call("mara", "POST /exports", body={"resource": "groups"}, via="helper")

    entries = await site.entries()

    assert [(entry.action, entry.via) for entry in entries] == [
        ("export.created", "ai_chat:helper"),
        ("export.ready", "ai_chat:helper"),
    ]
    assert len({entry.request_id for entry in entries}) == 1


async def test_the_answer_names_the_job_that_makes_the_file(site: Site) -> None:
    answer = await site.call("lea", "POST /exports", body={"resource": "identities"})

    asked = answer.json()
    job = (await site.call("lea", f"GET /jobs/{asked['job_id']}")).json()
    assert (answer.status_code, asked["status"], asked["rows"]) == (202, "queued", 0)
    assert (job["status"], job["kind"]) == ("done", "export")
    assert job["progress"] == {"done": 3, "total": 3}
    assert job["result"]["export_id"] == asked["id"]


async def test_who_no_longer_owns_a_group_downloads_nothing_that_was_made_as_its_owner(site: Site) -> None:
    kept, lost = a_group("Kept", owner_ids=[site.people["sam"].id]), a_group("Lost", owner_ids=[site.people["sam"].id])
    await site.add(kept, lost)
    made = await export(site, "sam", resource="groups")
    before = await site.call("sam", f"GET /exports/{made['id']}/content")
    async with site.database.transaction() as session:
        (await session.get_one(GroupRow, lost.id)).owner_ids = []

    one_lost = await site.call("sam", f"GET /exports/{made['id']}/content")
    async with site.database.transaction() as session:
        (await session.get_one(GroupRow, kept.id)).owner_ids = []
    both_lost = await site.call("sam", f"GET /exports/{made['id']}/content")

    assert [answer.status_code for answer in (before, one_lost, both_lost)] == [200, 403, 403]
    assert (await site.call("mara", f"GET /exports/{made['id']}/content")).status_code == 200


async def test_an_export_whose_job_failed_or_never_ran_says_so_and_gives_no_file(site: Site) -> None:
    made = await export(site, "mara", resource="groups")
    async with site.database.transaction() as session:
        row = await session.get_one(ExportRow, str(made["id"]))
        row.status = "queued"
        job = await session.get_one(JobRow, str(made["job_id"]))
        job.status, job.error_code, job.error_detail = "failed", "interrupted", "Start it again."

    shown = (await site.call("mara", f"GET /exports/{made['id']}")).json()
    answer = await site.call("mara", f"GET /exports/{made['id']}/content")

    assert (shown["status"], shown["error"]["code"]) == ("failed", "interrupted")
    assert (answer.status_code, answer.json()["code"]) == (409, "state_conflict")


async def test_who_lost_the_right_before_the_job_ran_gets_no_file(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as waiting:
        waiting.setattr(site.nova.background.runner, "begin", lambda _job_id: None)
        asked = (await site.call("paul", "POST /exports", body={"resource": "audit_log"})).json()
    async with site.database.transaction() as session:
        (await session.get_one(IdentityRow, site.people["paul"].id)).nova_roles = []

    await site.nova.background.runner.tick()
    await site.nova.background.settle()

    shown = (await site.call("paul", f"GET /exports/{asked['id']}")).json()
    assert (shown["status"], shown["error"]["code"], shown["rows"]) == ("failed", "forbidden", 0)
    assert [(entry.action, entry.outcome) for entry in await site.entries()][-1] == ("export.ready", "refused")
