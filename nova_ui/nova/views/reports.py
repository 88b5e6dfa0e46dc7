"""Reports: what an overseer looks at again and again."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field, JsonValue

from nova_ui.nova.views.common import DEFAULT_LIMIT, MAX_LIMIT, Query, View
from nova_ui.nova.views.types import ApplicationRef, Words


class ReportKey(StrEnum):
    """Which reports there are."""

    INACTIVE_IDENTITIES = "inactive_identities"
    EXPIRING_ACCESS = "expiring_access"
    PRIVILEGED_ACCESS = "privileged_access"
    MFA_COVERAGE = "mfa_coverage"
    OPEN_REQUESTS = "open_requests"
    FAILED_SIGN_INS = "failed_sign_ins"
    DORMANT_ENTITLEMENTS = "dormant_entitlements"


class ReportQuery(Query):
    """The parameters of reports; each report takes those that mean something to it, and refuses the others."""

    days: int | None = Field(None, ge=1, le=3650, description="how many days back, or ahead")
    department: Words | None = Field(None, description="only people of this department")
    application_id: ApplicationRef | None = Field(None, description="only of this application")
    cursor: str | None = Field(None, min_length=1, max_length=600)
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)


class ReportCount(View):
    """One figure of a report."""

    key: str
    count: int


class ReportView(View):
    """A report as of `generated_at`: figures over all of it, and one page of its rows, which hold `columns`."""

    key: ReportKey
    parameters: dict[str, str | int]
    generated_at: datetime
    counts: list[ReportCount]
    columns: list[str]
    items: list[dict[str, JsonValue]]
    next_cursor: str | None
    total: int
