"""How many exports one person may have: made at a time, and kept."""

from datetime import timedelta

from storage.nova.schedule_tables import JobRow
from storage.nova.tables import ExportRow
from tests.api.site import NOW, Site

WANTED = {"resource": "identities"}


def an_export(site: Site, number: int, status: str) -> tuple[ExportRow, JobRow]:
    mara, job_id = site.people["mara"].id, f"job_{number}"
    job = JobRow(
        id=job_id, kind="export", status=status, started_by=mara, request_id="rid_1", created_at=NOW, updated_at=NOW
    )
    export = ExportRow(
        id=f"exp_{number}",
        resource="identities",
        created_by=mara,
        job_id=job_id,
        created_at=NOW,
        expires_at=NOW + timedelta(days=7),
    )
    return export, job


async def test_one_person_has_three_exports_made_at_a_time_and_nobody_else_waits_for_it(site: Site) -> None:
    for number, status in enumerate(["queued", "running", "running", "failed"]):
        await site.add(*an_export(site, number, status))

    full = await site.call("mara", "POST /exports", body=WANTED)
    other = await site.call("lea", "POST /exports", body=WANTED)

    assert (full.status_code, full.json()["code"], full.headers["retry-after"]) == (429, "too_many_attempts", "10")
    assert other.status_code == 202


async def test_one_person_keeps_a_hundred_exports_until_they_expire(site: Site) -> None:
    for number in range(99):
        await site.add(*an_export(site, number, "succeeded"))

    last = await site.call("mara", "POST /exports", body=WANTED)
    full = await site.call("mara", "POST /exports", body=WANTED)
    site.clock.moment += timedelta(days=7)
    later = await site.call("mara", "POST /exports", body=WANTED)

    assert (full.status_code, full.json()["code"]) == (409, "state_conflict")
    assert (last.status_code, later.status_code) == (202, 202)
