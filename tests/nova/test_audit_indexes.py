"""Every page of the audit log is read along an index, at any depth: no sorting, no scan (guide on performance)."""

import pytest
from sqlalchemy import create_engine, tuple_
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import make_url
from sqlmodel import col
from sqlmodel.sql.expression import SelectOfScalar

from storage.nova.audit_log import EntryFilter, select_about, select_entries
from storage.nova.tables import AuditEntryRow
from tests.api.site import NOW


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        (EntryFilter(), "ix_audit_time"),
        (EntryFilter(after=NOW, before=NOW), "ix_audit_time"),
        (EntryFilter(actor_id="idn_1"), "ix_audit_actor"),
        (EntryFilter(action="group.deleted"), "ix_audit_action"),
        (EntryFilter(target_id="grp_1"), "ix_audit_target"),
        (EntryFilter(origin="ai_chat"), "ix_audit_chat_time"),
        (EntryFilter(origin="ai_chat:admin"), "ix_audit_via"),
        (EntryFilter(origin="ai_chat", actor_id="idn_1"), "ix_audit_chat_actor"),
        (EntryFilter(origin="ai_chat", action="group.deleted"), "ix_audit_chat_action"),
    ],
)
def test_f2_a_page_is_read_along_its_index(sqlite_url: str, wanted: EntryFilter, index: str, *, deep: bool) -> None:
    check_plan(sqlite_url, select_entries(wanted), index, deep=deep)


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize(("arm", "index"), [(0, "ix_audit_target"), (1, "ix_audit_actor")])
def test_a_timeline_is_read_along_two_indexes(sqlite_url: str, arm: int, index: str, *, deep: bool) -> None:
    check_plan(sqlite_url, select_about("idn_1")[arm], index, deep=deep)


def check_plan(sqlite_url: str, statement: SelectOfScalar[AuditEntryRow], index: str, *, deep: bool) -> None:
    time, seq = col(AuditEntryRow.time), col(AuditEntryRow.seq)
    page = statement.order_by(time.desc(), seq.desc()).limit(50)
    if deep:
        page = page.where(tuple_(time, seq) < tuple_(NOW, 5))
    engine = create_engine(make_url(sqlite_url).set(drivername="sqlite"))

    with engine.connect() as connection:
        text = str(page.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
        plan = " ".join(str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}"))
    engine.dispose()

    assert index in plan
    assert "TEMP B-TREE" not in plan
