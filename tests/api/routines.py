"""What the tests of lifecycle routines share: a routine made and enabled, and a run that has ended."""

from typing import Any

from sqlmodel import col, select

from storage.nova.lifecycle_tables import LifecycleStepRow
from tests.api.site import Site

LIST = "/lifecycle-routines"


def leaving(**changed: object) -> dict[str, object]:
    """Return a routine that disables those whose last day is over."""
    return {
        "key": "leaving",
        "names": {"en": "Leaving", "de": "Austritt"},
        "type": "end_date",
        "actions": [{"action": "disable"}],
        "dry_run": False,
        **changed,
    }


async def make(site: Site, body: dict[str, object]) -> dict[str, Any]:
    """Make a routine and enable it."""
    made = (await site.call("mara", f"POST {LIST}", body=body)).json()
    assert "id" in made, made
    enabled: dict[str, Any] = (await site.call("mara", f"POST {LIST}/{made['id']}/enable")).json()
    return enabled


async def run(site: Site, routine: dict[str, Any], who: str = "mara", **body: object) -> dict[str, Any]:
    """Run a routine to its end and return the run with its steps."""
    answer = await site.call(who, f"POST {LIST}/{routine['id']}/run", body=body or None)
    assert answer.status_code == 202, answer.text
    found: dict[str, Any] = (await site.call("paul", f"GET /lifecycle-runs/{answer.json()['run']['id']}")).json()
    return found


def told(run_of_it: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return who, what and how of each step."""
    return [(step["identity"]["display_name"], step["action"], step["status"]) for step in run_of_it["items"]]


async def steps(site: Site) -> list[LifecycleStepRow]:
    """Return every step of every run."""
    async with site.database.reading() as session:
        found = select(LifecycleStepRow).order_by(col(LifecycleStepRow.run_id), col(LifecycleStepRow.position))
        return list((await session.exec(found)).all())
