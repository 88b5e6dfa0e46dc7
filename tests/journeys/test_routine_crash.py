"""The server is killed in the middle of a lifecycle run; after the start nobody is changed twice, and the run ends."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.journeys.person import JsonObject, Person

_PATIENCE_S = 60.0
# Its third suspension takes minutes: the server is in the middle of it when it is killed.
_SLOW = """
CREATE VIEW slow AS
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 500000000) SELECT count(*) c FROM n;
CREATE TRIGGER slow_third BEFORE UPDATE OF status ON identities
    WHEN NEW.status = 'suspended' AND (SELECT count(*) FROM lifecycle_steps WHERE status = 'done' AND run_id =
        (SELECT id FROM lifecycle_runs WHERE status = 'running')) >= 3
    BEGIN SELECT c FROM slow; END;
"""
_ROUTINE: JsonObject = {
    "key": "sleepers",
    "names": {"en": "Sleepers"},
    "type": "inactivity",
    "inactive_days": 1,
    "condition": 'department eq "Finance" and user_type eq "employee"',
    "actions": [{"action": "suspend"}],
    "dry_run": False,
    "max_affected": 100,
    "schedule": "0 2 1 1 *",
}


def _rows(database_file: Path, statement: str, *values: str) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(database_file)) as outside:
        return outside.execute(statement, values).fetchall()


def _steps(database_file: Path, run_id: str) -> dict[str, int]:
    counted = "SELECT status, count(*) FROM lifecycle_steps WHERE run_id = ? GROUP BY status"
    return dict(_rows(database_file, counted, run_id))


@pytest.fixture
def crashing(own_server: RunningServer) -> RunningServer:
    own_server.start()
    return own_server


def test_killed_in_the_middle_of_a_run_it_goes_on_and_does_nothing_twice(
    crashing: RunningServer, tmp_path: Path
) -> None:
    file = tmp_path / "data" / "nova.sqlite3"
    with Person(crashing.url, "mara.koenig", DEMO_PASSWORD) as mara:
        routine = mara.request("POST", "/lifecycle-routines", _ROUTINE).json()
        mara.request("POST", f"/lifecycle-routines/{routine['id']}/enable")
        affected = mara.request("POST", f"/lifecycle-routines/{routine['id']}/preview").json()["affected"]
        with closing(sqlite3.connect(file)) as outside:
            outside.executescript(_SLOW)
        run_id = str(mara.request("POST", f"/lifecycle-routines/{routine['id']}/run", {}).json()["run"]["id"])
        _wait_for_steps(file, run_id, done=2)
        time.sleep(0.5)  # the third suspension is under way now, and takes minutes
        crashing.kill()
    assert affected > 3
    assert _steps(file, run_id) == {"done": 2, "planned": affected - 2}
    with closing(sqlite3.connect(file)) as outside:
        outside.executescript("DROP TRIGGER slow_third; DROP VIEW slow;")

    crashing.start()

    _wait_for_steps(file, run_id, done=affected)
    with Person(crashing.url, "mara.koenig", DEMO_PASSWORD) as mara:
        run = _ended(mara, run_id)
        entries = mara.items("/audit-log", action="identity.suspended", actor_id=str(routine["id"]), limit="200")
        assert (run["status"], run["steps"]) == ("done", {"done": affected})
        assert len(entries) == len({str(one["target"]) for one in entries}) == affected
        assert len(mara.items("/audit-log", action="routine.started", target_id=str(routine["id"]))) == 1
        assert len(mara.items("/audit-log", action="routine.finished", target_id=str(routine["id"]))) == 1


def _wait_for_steps(file: Path, run_id: str, *, done: int) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while _steps(file, run_id).get("done", 0) < done:
        assert time.monotonic() < deadline, _steps(file, run_id)
        time.sleep(0.05)


def _ended(person: Person, run_id: str) -> JsonObject:
    deadline = time.monotonic() + _PATIENCE_S
    while (run := person.get(f"/lifecycle-runs/{run_id}"))["status"] == "running":
        assert time.monotonic() < deadline, run
        time.sleep(0.1)
    return run
