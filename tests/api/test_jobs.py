"""`/jobs`: seen by whoever started them and by administrators, cancelled before they are done."""

from storage.ids import new_id
from storage.nova.schedule_tables import JobRow
from tests.api.site import NOW, Site


async def a_job(site: Site, who: str, **fields: object) -> str:
    values = {
        "id": new_id("job"),
        "kind": "count",
        "started_by": site.people[who].id,
        "request_id": "rid_1",
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    row = JobRow.model_validate(values)
    await site.add(row)
    return row.id


async def test_everybody_sees_their_own_jobs_and_administrators_all(site: Site) -> None:
    job_id = await a_job(site, "lea")

    seen = {who: (await site.call(who, f"GET /jobs/{job_id}")).status_code for who in ("lea", "mara", "sam", "paul")}
    totals = {who: (await site.call(who, "GET /jobs")).json()["total"] for who in ("lea", "mara", "sam", "paul")}

    assert seen == {"lea": 200, "mara": 200, "sam": 404, "paul": 404}
    assert totals == {"lea": 1, "mara": 1, "sam": 0, "paul": 0}


async def test_jobs_are_filtered_by_kind_and_status(site: Site) -> None:
    await a_job(site, "lea")
    await a_job(site, "lea", status="done")

    assert (await site.call("lea", "GET /jobs", query={"status": "done"})).json()["total"] == 1
    assert (await site.call("lea", "GET /jobs", query={"kind": "sing"})).json()["total"] == 0
    assert (await site.call("lea", "GET /jobs", query={"colour": "red"})).status_code == 400


async def test_a_queued_job_is_cancelled_at_once_and_a_running_one_is_asked_to_end(site: Site) -> None:
    queued, running = await a_job(site, "lea"), await a_job(site, "lea", status="running")

    at_once = (await site.call("lea", f"POST /jobs/{queued}/cancel")).json()
    asked = (await site.call("lea", f"POST /jobs/{running}/cancel")).json()

    assert (at_once["status"], asked["status"], asked["cancel_wanted"]) == ("cancelled", "running", True)
    assert [entry.action for entry in await site.entries()] == ["job.cancelled", "job.cancelled"]


async def test_what_has_ended_or_is_somebody_elses_is_not_cancelled(site: Site) -> None:
    done, others = await a_job(site, "lea", status="done"), await a_job(site, "lea")

    assert (await site.call("lea", f"POST /jobs/{done}/cancel")).json()["code"] == "state_conflict"
    assert (await site.call("sam", f"POST /jobs/{others}/cancel")).status_code == 404
    assert (await site.call("lea", "GET /jobs/grp_00000000000000000000")).json()["code"] == "validation_failed"


async def test_a_job_that_changed_meanwhile_is_not_cancelled(site: Site) -> None:
    job_id = await a_job(site, "lea")

    answer = await site.call("lea", f"POST /jobs/{job_id}/cancel", headers={"If-Match": '"7"'})

    assert answer.status_code == 412
