"""Sessions, exports and the audit log."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints

from nova_ui.domain.assistant import ORIGIN_SHAPE
from nova_ui.nova.views.common import Body, FilteredQuery, ListQuery, Query, Ref, View
from nova_ui.nova.views.jobs import JobError
from nova_ui.nova.views.types import EndMoment, FieldNames, FilterText, IdentityRef, StartMoment

Outcome = Literal["success", "refused", "failed"]
OriginFilter = Annotated[str, StringConstraints(pattern=f"^({ORIGIN_SHAPE})$")]
ActionFilter = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_.*]{1,80}$")]


class SessionView(View):
    """A signed-in period."""

    id: str
    identity: Ref
    ip: str | None
    user_agent: str | None
    methods: list[str]
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    status: str
    current: bool


class SessionQuery(FilteredQuery):
    """Filters over sessions."""

    identity_id: IdentityRef | None = None
    status: Literal["active", "ended"] | None = None
    ip: str | None = Field(None, min_length=1, max_length=64)
    sort: Literal["created_at", "-created_at", "last_seen_at", "-last_seen_at"] = "-last_seen_at"


class EndImpactQuery(Query):
    """Which action to weigh; both words mean `DELETE`."""

    action: Literal["end", "delete"]


class ActorView(View):
    """Who did it; the name as it was then."""

    type: str
    id: str | None
    display: str


class TargetView(View):
    """What it was done to; the name as it was then."""

    type: str | None
    id: str | None
    display: str


class AuditEntryView(View):
    """One line of the audit log; `origin` as the filter names it."""

    seq: int
    id: str
    time: datetime
    action: str
    outcome: str
    actor: ActorView
    target: TargetView
    details: dict[str, JsonValue]
    origin: str
    via: str | None
    request_id: str | None
    caused_by: str | None
    ip: str | None
    session_id: str | None
    prev_hash: str | None
    hash: str | None


class VerificationQuery(Query):
    """How many of the newest entries to check."""

    newest: int = Field(20_000, ge=1, le=20_000)


class BrokenEntry(View):
    """The first entry that is not as it was written."""

    seq: int
    id: str | None
    reason: str


class VerificationView(View):
    """Whether the log is as it was written; `broken` names the first entry that is not.

    `is_whole`: the check began where the chain begins. `uncovered` entries are older than the chain.
    """

    intact: bool
    checked: int
    length: int
    is_whole: bool
    uncovered: int
    end_seq: int
    end_hash: str
    broken: BrokenEntry | None = None


class AuditFilter(Query):
    """Filters over the audit log.

    `action` may hold `*`; `origin` is `interface`, `routine`, `system`, `ai_chat`, `ai_chat:<assistant key>`,
    `ai_routine` or `ai_routine:<key>`.
    """

    q: str | None = Field(None, min_length=1, max_length=200)
    after: StartMoment | None = Field(None, description="this moment or later")
    before: EndMoment | None = Field(None, description="this moment or earlier")
    actor_id: str | None = Field(None, min_length=1, max_length=64)
    action: ActionFilter | None = None
    target_id: str | None = Field(None, min_length=1, max_length=64)
    target_type: str | None = Field(None, pattern=r"^[a-z_]{1,40}$")
    outcome: Outcome | None = None
    origin: OriginFilter | None = None
    request_id: str | None = Field(None, min_length=1, max_length=64)
    filter: FilterText | None = None


class AuditQuery(AuditFilter):
    """A page of the audit log, newest first unless `sort` says otherwise."""

    sort: Literal["-time", "time"] = "-time"
    cursor: str | None = Field(None, min_length=1, max_length=600)
    limit: int = Field(50, ge=1, le=200)
    fields: FieldNames | None = Field(None, description="only these fields of each entry, parted by commas; id too")


class SummaryQuery(AuditFilter):
    """Counts over the audit log; at most `limit` groups, the largest first (days: the latest first)."""

    group_by: Literal["day", "actor", "action", "origin", "outcome"]
    limit: int = Field(50, ge=1, le=200)


class SummaryGroup(View):
    """One group of a summary."""

    key: str
    label: str
    count: int


class SummaryView(View):
    """Counts over the audit log."""

    group_by: str
    groups: list[SummaryGroup]
    total: int


ExportResource = Literal[
    "identities",
    "groups",
    "roles",
    "entitlements",
    "assignments",
    "applications",
    "access_requests",
    "approvals",
    "sessions",
    "audit_log",
]


class ExportCreate(Body):
    """An extract of a list: `filter` holds the list's own query parameters, without cursor and limit."""

    resource: ExportResource
    filter: dict[str, str | int | bool] = Field(default_factory=dict)
    format: Literal["csv", "jsonl"] = "csv"


class ExportView(View):
    """A stored extract: queued, running, ready, failed or expired; once ready, the file is at `content_path`."""

    id: str
    resource: str
    filter: dict[str, JsonValue]
    columns: list[str]
    format: str
    rows: int
    sha256: str
    status: str
    error: JobError | None
    job_id: str | None
    created_by: Ref
    origin: str
    content_path: str
    created_at: datetime
    expires_at: datetime


class ExportQuery(ListQuery):
    """Filters over exports."""

    resource: ExportResource | None = None
    sort: Literal["created_at", "-created_at"] = "-created_at"
