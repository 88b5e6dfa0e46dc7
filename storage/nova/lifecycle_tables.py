"""Tables of lifecycle routines: what they do, when they ran, and each step of a run."""

from datetime import datetime

from sqlalchemy import JSON, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime


def _moment(*, nullable: bool = False, index: bool = False) -> Column[datetime]:
    return Column(UtcDateTime(), nullable=nullable, index=index)


class LifecycleRoutineRow(SQLModel, table=True):
    """What happens by itself to identities that join, move, leave or fall asleep."""

    __tablename__ = "lifecycle_routines"

    id: str = Field(primary_key=True)
    key: str = Field(unique=True)
    names: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    type: str
    condition: str | None = Field(default=None, description="a filter over identities; NULL: all")
    actions: list[dict[str, JsonValue]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    inactive_days: int | None = None
    grace_days: int = 0
    notice_days: list[int] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    schedule: str
    timezone: str = "UTC"
    dry_run: bool = True
    max_affected: int
    status: str = "disabled"
    counts_from: datetime | None = Field(
        default=None,
        sa_column=_moment(nullable=True),
        description="what happened before is not this routine's business",
    )
    scheduled_from: datetime | None = Field(
        default=None, sa_column=_moment(nullable=True), description="moments up to this one are not made up for"
    )
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class LifecycleRunRow(SQLModel, table=True):
    """One run; names are copied, so that it is readable after its routine is gone."""

    __tablename__ = "lifecycle_runs"

    id: str = Field(primary_key=True)
    routine_id: str = Field(index=True)
    routine_key: str
    routine_names: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    job_id: str | None = None
    started_by: str | None = Field(default=None, description="the administrator; NULL: the schedule")
    dry_run: bool = False
    status: str = "running"
    is_planned: bool = False
    affected: int = 0
    max_affected: int = 0
    error_code: str | None = None
    error_detail: str | None = None
    entry_id: str
    version: int = 1
    started_at: datetime = Field(sa_column=_moment(index=True))
    finished_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    updated_at: datetime = Field(sa_column=_moment())


class LifecycleStepRow(SQLModel, table=True):
    """One action for one identity; `occasion` is why, so that no routine does the same thing twice for one reason.

    A step that failed, or that was only rehearsed, has no occasion: it may come again.
    """

    __tablename__ = "lifecycle_steps"
    __table_args__ = (
        UniqueConstraint("routine_id", "identity_id", "action", "occasion"),
        Index("ix_lifecycle_steps_run", "run_id", "position"),
    )

    id: str = Field(primary_key=True)
    run_id: str = Field(foreign_key="lifecycle_runs.id")
    routine_id: str
    position: int
    identity_id: str = Field(index=True)
    identity_display: str
    action: str
    parameters: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    occasion: str | None = None
    reason: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    status: str = Field(default="planned", description="planned, done, skipped, failed, rehearsed")
    error_code: str | None = None
    error_detail: str | None = None
    entry_id: str | None = None
    finished_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
