"""Two identities side by side, and who reports to somebody."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from nova_ui.nova.views.common import ListQuery, Query, Ref, View
from nova_ui.nova.views.types import IdentityRef

HeldKind = Literal["role", "entitlement", "group"]


class HeldThrough(View):
    """One way by which an identity holds something; a membership of a group has no assignment."""

    assignment_id: str | None
    source: str
    source_id: str | None
    status: str
    valid_until: datetime | None
    why: str


class ComparedItem(View):
    """A role, an entitlement or a group, and through what each of the two holds it."""

    type: HeldKind
    id: str
    display_name: str
    application: Ref | None
    privileged: bool
    left: list[HeldThrough]
    right: list[HeldThrough]


class ComparisonView(View):
    """What two identities have in common and what only one of them has."""

    left: Ref
    right: Ref
    shared: list[ComparedItem]
    only_left: list[ComparedItem]
    only_right: list[ComparedItem]


class ComparisonQuery(Query):
    """Which two identities to compare."""

    left: IdentityRef
    right: IdentityRef


class ReportLine(View):
    """Somebody who reports to an identity, directly (level 1) or through others."""

    id: str
    display_name: str
    title: str | None
    department: str | None
    status: str
    manager: Ref | None
    level: int
    direct_reports: int


class ReportLinesQuery(ListQuery):
    """A page of those who report to an identity; `levels` is how far down, 1: directly."""

    levels: int = Field(1, ge=1, le=5)
