"""Tables of what runs in the background: each due moment once, and jobs that carry who started them."""

from datetime import datetime
from typing import Final

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime


def _moment(*, nullable: bool = False, index: bool = False) -> Column[datetime]:
    return Column(UtcDateTime(), nullable=nullable, index=index)


NOBODY: Final = ""
"""Who began a job that Nova itself began."""


class ScheduledRunRow(SQLModel, table=True):
    """One due moment of a schedule, claimed by whoever wrote the row."""

    __tablename__ = "scheduled_runs"
    __table_args__ = (UniqueConstraint("name", "due_at"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str
    due_at: datetime = Field(sa_column=_moment())
    claimed_by: str
    started_at: datetime = Field(sa_column=_moment())
    heartbeat_at: datetime = Field(sa_column=_moment())
    finished_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True, index=True))
    outcome: str = Field(default="running", description="first_seen, running, done, failed, stopped")
    error: str | None = None


class JobRow(SQLModel, table=True):
    """Work that outlives its request, or that Nova began; `origin` is whence, for `via` (rule F1)."""

    __tablename__ = "jobs"

    id: str = Field(primary_key=True)
    kind: str
    status: str = Field(default="queued", index=True)
    started_by: str = Field(index=True)
    session_id: str | None = None
    ip: str | None = None
    origin: str = "interface"
    request_id: str
    parameters: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    done: int = 0
    total: int | None = None
    result: dict[str, JsonValue] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    error_code: str | None = None
    error_detail: str | None = None
    cancel_wanted: bool = False
    claimed_by: str | None = None
    heartbeat_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    attempts: int = 0
    started_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    finished_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    version: int = 1
    created_at: datetime = Field(sa_column=_moment(index=True))
    updated_at: datetime = Field(sa_column=_moment())
