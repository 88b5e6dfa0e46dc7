"""Roles, assignments, applications, the catalogue, access requests and approvals."""

from datetime import datetime
from typing import Literal

from pydantic import Field, StrictInt

from nova_ui.nova.views.common import Body, ListQuery, Query, Ref, View
from nova_ui.nova.views.types import ApplicationRef, EndMoment, IdentityRef, Name, Paragraph, RoleRef, Slug, StartMoment

ApprovalKind = Literal["none", "manager", "owner", "manager_then_owner"]
Risk = Literal["low", "medium", "high", "critical"]
RoleStatus = Literal["draft", "active", "retired"]
AssignmentStatus = Literal["scheduled", "pending", "active", "failed", "expired", "revoked"]
AssignmentSource = Literal["direct", "request", "birthright", "group", "routine", "review"]
RequestStatus = Literal[
    "submitted", "pending", "approved", "provisioning", "completed", "denied", "cancelled", "expired", "failed"
]
ApprovalStatus = Literal["waiting", "open", "approved", "denied", "skipped", "expired"]
ItemAction = Literal["grant", "revoke", "extend"]


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
    holder_count: int = Field(description="identities that hold it now")
    version: int
    created_at: datetime
    updated_at: datetime


class RoleQuery(ListQuery):
    """Filters over roles."""

    status: RoleStatus | None = None
    application_id: ApplicationRef | None = None
    owner_id: IdentityRef | None = None
    requestable: bool | None = None
    privileged: bool | None = None
    risk: Risk | None = None
    approval: ApprovalKind | None = None
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


class DeleteImpactQuery(Query):
    """Which action to weigh."""

    action: Literal["delete"]


class AssignmentView(View):
    """A role held by an identity."""

    id: str
    identity: Ref
    role: Ref
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


class AssignmentQuery(ListQuery):
    """Filters over assignments."""

    identity_id: IdentityRef | None = None
    role_id: RoleRef | None = None
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
    """A role for an identity; without `valid_until` it ends when the role's `max_days` are over, if it has any."""

    identity_id: IdentityRef
    role_id: RoleRef
    valid_from: StartMoment | None = None
    valid_until: EndMoment | None = None
    justification: Paragraph = ""


class AssignmentPatch(Body):
    """A new end; null: none."""

    valid_until: EndMoment | None


class AssignmentImpactQuery(Query):
    """Which action to weigh; both words mean `DELETE`."""

    action: Literal["revoke", "delete"]


class SecretState(View):
    """A secret as it is read back: whether it is set, and since when."""

    set: bool
    updated_at: datetime | None = None
    hint: None = None


class ApplicationView(View):
    """An application."""

    id: str
    key: str
    display_name: str
    description: str
    owners: list[Ref]
    status: str
    client_id: str | None
    client_secret: SecretState = Field(json_schema_extra={"x-nova-secret": True})
    role_count: int
    version: int
    created_at: datetime
    updated_at: datetime


class ApplicationQuery(ListQuery):
    """Filters over applications."""

    status: Literal["draft", "enabled", "disabled"] | None = None
    owner_id: IdentityRef | None = None
    sort: Literal["display_name", "-display_name", "created_at", "-created_at", "updated_at", "-updated_at"] = (
        "display_name"
    )


class CatalogItem(View):
    """A role that may be requested for an identity; `held` tells that it has it already."""

    role_id: str
    key: str
    display_name: str
    description: str
    application: Ref | None
    approval: str
    max_days: int | None
    risk: str
    held: bool
    held_until: datetime | None
    open_request_id: str | None


class CatalogQuery(ListQuery):
    """A search in the catalogue; `for` is oneself, a report, or anyone for administrators."""

    for_: IdentityRef | None = Field(None, alias="for")
    application_id: ApplicationRef | None = None


class RequestItemView(View):
    """One thing that is asked for."""

    role: Ref
    action: str
    valid_until: datetime | None


class CommentView(View):
    """A remark on a request."""

    author: Ref
    text: str
    at: datetime


class ApprovalView(View):
    """One decision that a request waits for."""

    id: str
    request_id: str
    step: int
    role: Ref | None = Field(description="the role whose owner decides; null: the whole request")
    approver: Ref
    status: str
    due_at: datetime | None
    decided_by: Ref | None
    decided_at: datetime | None
    comment: str
    requester: Ref
    beneficiary: Ref
    items: list[RequestItemView]
    justification: str
    version: int
    created_at: datetime


class AccessRequestView(View):
    """A request for access with its decisions."""

    id: str
    requester: Ref
    beneficiary: Ref
    items: list[RequestItemView]
    justification: str
    status: str
    comments: list[CommentView]
    approvals: list["StepView"]
    version: int
    created_at: datetime
    updated_at: datetime


class StepView(View):
    """A decision as its request shows it."""

    id: str
    step: int
    role: Ref | None
    approver: Ref
    status: str
    due_at: datetime | None
    decided_at: datetime | None
    comment: str


class AccessRequestQuery(ListQuery):
    """Filters over access requests."""

    status: RequestStatus | None = None
    requester_id: IdentityRef | None = None
    beneficiary_id: IdentityRef | None = None
    role_id: RoleRef | None = None
    created_after: StartMoment | None = None
    created_before: EndMoment | None = None
    sort: Literal["created_at", "-created_at", "updated_at", "-updated_at"] = "-created_at"


class RequestItem(Body):
    """One thing to ask for; `valid_until` ends a grant, or is the new end of an extension."""

    role_id: RoleRef
    action: ItemAction = "grant"
    valid_until: EndMoment | None = None


class AccessRequestCreate(Body):
    """A request; without `beneficiary_id` it is for oneself."""

    beneficiary_id: IdentityRef | None = None
    items: list[RequestItem] = Field(min_length=1, max_length=20)
    justification: Paragraph = Field(min_length=10, description="why it is needed, at least 10 characters")


class CommentCreate(Body):
    """A remark."""

    text: Paragraph = Field(min_length=1)


class Withdrawal(Body):
    """Why a request is withdrawn."""

    reason: Paragraph = ""


class ApprovalQuery(ListQuery):
    """Filters over approvals; `mine` keeps those that wait for or were made by oneself."""

    status: ApprovalStatus | None = None
    request_id: str | None = Field(None, min_length=1, max_length=40)
    approver_id: IdentityRef | None = None
    mine: bool | None = None
    sort: Literal["created_at", "-created_at"] = "-created_at"


class Approve(Body):
    """An approval; the comment is optional."""

    comment: Paragraph = ""


class Deny(Body):
    """A denial needs a reason."""

    comment: Paragraph = Field(min_length=1, description="why it is denied")
