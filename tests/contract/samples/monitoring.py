"""Samples of `/sessions`, `/exports`, `/jobs`, `/reports` and `/audit-log`."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.audit import NewEntry, row_of
from storage.nova.schedule_tables import JobRow
from storage.nova.tables import ExportRow
from tests.api.site import NOW
from tests.contract.cast import LETTERS
from tests.contract.sample import Sample, Things

_SESSION: Final = {"session_id": "{session_of_sam}"}
_JOB: Final = {"job_id": "{own_job}"}
_EXPORT: Final = {"export_id": "{own_export}"}

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_sessions": Sample(),
    "get_session_impact": Sample(path=_SESSION, query={"action": "end"}),
    "end_session": Sample(path=_SESSION, impact={"action": "end"}),
    "list_exports": Sample(about_caller=True),
    "create_export": Sample(body={"resource": "identities"}, about_caller=True),
    "get_export": Sample(path=_EXPORT, about_caller=True),
    "delete_export": Sample(path=_EXPORT, impact={"action": "delete"}, about_caller=True),
    "get_export_content": Sample(path=_EXPORT, about_caller=True, changes_nothing="it hands the file out"),
    "get_export_impact": Sample(path=_EXPORT, query={"action": "delete"}, about_caller=True),
    "run_report": Sample(path={"key": "inactive_identities"}),
    "list_jobs": Sample(about_caller=True),
    "get_job": Sample(path=_JOB, about_caller=True),
    "cancel_job": Sample(path=_JOB, about_caller=True),
    "search_audit_log": Sample(),
    "verify_audit_log": Sample(),
    "summarise_audit_log": Sample(query={"group_by": "action"}),
    "get_audit_entry": Sample(path={"entry_id": "{entry}"}),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put an export and a job for each person and an entry of the log on the stage."""
    for name in LETTERS:
        export = ExportRow(
            id=new_id("exp"),
            resource="identities",
            content=b"id\n",
            created_by=things.ids[name],
            reach=[things.ids[name]],
            created_at=NOW,
            expires_at=NOW + timedelta(days=7),
        )
        things.add_own(name, "own_export", export)
        job = JobRow(
            id=new_id("job"),
            kind="export",
            started_by=things.ids[name],
            request_id=new_id("rid"),
            created_at=NOW,
            updated_at=NOW,
        )
        things.add_own(name, "own_job", job)
    entry = NewEntry(time=NOW - timedelta(days=1), action="group.created", actor_id=things.ids["mara"])
    things.add("entry", row_of(entry))
