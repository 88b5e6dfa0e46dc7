"""Jobs: what long work looks like from outside."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints

from nova_ui.nova.views.common import DEFAULT_LIMIT, MAX_LIMIT, Query, Ref, View

JobStatus = Literal["queued", "running", "done", "failed", "cancelled"]


class JobProgress(View):
    """How far a job is; `total` is None as long as nobody knows it."""

    done: int
    total: int | None


class JobError(View):
    """Why a job failed, with the code of a problem object."""

    code: str
    detail: str


class JobView(View):
    """A job; `started_by` is None where Nova began it itself; `origin` is where the request came from."""

    id: str
    kind: str
    status: str
    started_by: Ref | None
    origin: str
    request_id: str
    progress: JobProgress
    result: dict[str, JsonValue] | None
    error: JobError | None
    cancel_wanted: bool
    version: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    updated_at: datetime


class JobQuery(Query):
    """Filters over jobs."""

    kind: str | None = Field(None, pattern=r"^[a-z_]{1,40}$")
    status: JobStatus | None = None
    sort: Literal["created_at", "-created_at"] = "-created_at"
    cursor: Annotated[str, StringConstraints(min_length=1, max_length=600)] | None = None
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
