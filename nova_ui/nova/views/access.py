"""Roles, assignments and applications."""

from datetime import datetime
from typing import Literal

from pydantic import Field, StrictInt

from nova_ui.nova.views.common import Body, FilteredQuery, Query, Ref, View
from nova_ui.nova.views.types import (
    ApplicationRef,
    EndMoment,
    EntitlementRef,
    FilterText,
    IdentityRef,
    Name,
    Paragraph,
    RoleRef,
    Slug,
    StartMoment,
)

ApprovalKind = Literal["none", "manager", "owner", "manager_then_owner"]
Risk = Literal["low", "medium", "high", "critical"]
RoleStatus = Literal["draft", "active", "retired"]
AssignmentStatus = Literal["scheduled", "pending", "active", "failed", "expired", "revoked"]
AssignmentSource = Literal["direct", "request", "birthright", "group", "routine", "review"]


class RoleView(View):
    """A role: a bundle of access."""

    id: str
    key: str
    display_name: str
    description: str
    application: Ref | None
    owners: list[Ref]
    requestable: bool
    approval: str
    max_days: int | None
    risk: str
    privileged: bool
    status: str
    protected: bool
    entitlements: list[Ref] = Field(description="what it bundles itself; more may come from its child roles")
    child_roles: list[Ref] = Field(description="roles whose bundles it includes")
    birthright_rule: str | None = Field(description="whoever this rule finds holds the role")
    holder_count: int = Field(description="identities that hold it now")
    version: int
    created_at: datetime
    updated_at: datetime


class RoleQuery(FilteredQuery):
    """Filters over roles."""

    status: RoleStatus | None = None
    application_id: ApplicationRef | None = None
    owner_id: IdentityRef | None = None
    requestable: bool | None = None
    privileged: bool | None = None
    risk: Risk | None = None
    approval: ApprovalKind | None = None
    birthright: bool | None = Field(None, description="only roles that come by a rule, or only others")
    sort: Literal["display_name", "-display_name", "created_at", "-created_at", "updated_at", "-updated_at"] = (
        "display_name"
    )


class RoleCreate(Body):
    """A new role."""

    key: Slug
    display_name: Name
    description: Paragraph = ""
    application_id: ApplicationRef | None = None
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)
    requestable: bool = True
    approval: ApprovalKind = "manager"
    max_days: StrictInt | None = Field(None, ge=1, le=3650)
    risk: Risk = "low"
    privileged: bool = False
    status: RoleStatus = "active"
    entitlement_ids: list[EntitlementRef] = Field(default_factory=list, max_length=100)
    child_role_ids: list[RoleRef] = Field(default_factory=list, max_length=20)
    birthright_rule: FilterText | None = Field(None, description="RFC 7644 filter over identities")


class RolePatch(Body):
    """A merge patch: what is absent stays, null clears."""

    display_name: Name = Field(default_factory=str)
    description: Paragraph = Field(default_factory=str)
    application_id: ApplicationRef | None = None
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)
    requestable: bool = Field(default_factory=bool)
    approval: ApprovalKind = Field(default_factory=lambda: "manager")
    max_days: StrictInt | None = Field(None, ge=1, le=3650)
    risk: Risk = Field(default_factory=lambda: "low")
    privileged: bool = Field(default_factory=bool)
    status: RoleStatus = Field(default_factory=lambda: "active")
    birthright_rule: FilterText | None = None


class DeleteImpactQuery(Query):
    """Which action to weigh."""

    action: Literal["delete"]


class AssignmentView(View):
    """A role or an entitlement held by an identity; exactly one of the two is set."""

    id: str
    identity: Ref
    role: Ref | None
    entitlement: Ref | None
    application: Ref | None
    source: str
    source_id: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    justification: str
    granted_by: Ref | None
    status: str
    version: int
    created_at: datetime
    updated_at: datetime


class AssignmentQuery(FilteredQuery):
    """Filters over assignments."""

    identity_id: IdentityRef | None = None
    role_id: RoleRef | None = None
    entitlement_id: EntitlementRef | None = None
    application_id: ApplicationRef | None = None
    status: AssignmentStatus | None = None
    source: AssignmentSource | None = None
    privileged: bool | None = None
    ends_before: EndMoment | None = None
    ends_after: StartMoment | None = None
    created_after: StartMoment | None = None
    created_before: EndMoment | None = None
    sort: Literal["created_at", "-created_at", "updated_at", "-updated_at"] = "-created_at"


class AssignmentCreate(Body):
    """A role or an entitlement for an identity; without `valid_until` it ends after the role's `max_days`, if any."""

    identity_id: IdentityRef
    role_id: RoleRef | None = None
    entitlement_id: EntitlementRef | None = None
    valid_from: StartMoment | None = None
    valid_until: EndMoment | None = None
    justification: Paragraph = ""


class AssignmentPatch(Body):
    """A new end; null: none."""

    valid_until: EndMoment | None


class AssignmentImpactQuery(Query):
    """Which action to weigh; both words mean `DELETE`."""

    action: Literal["revoke", "delete"]
