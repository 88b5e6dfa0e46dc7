"""The catalogue, access requests and approvals."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from nova_ui.nova.views.common import Body, FilteredQuery, ListQuery, Ref, View
from nova_ui.nova.views.types import ApplicationRef, EndMoment, IdentityRef, Paragraph, RoleRef, StartMoment

RequestStatus = Literal[
    "submitted", "pending", "approved", "provisioning", "completed", "denied", "cancelled", "expired", "failed"
]
ApprovalStatus = Literal["waiting", "open", "approved", "denied", "skipped", "expired"]
ItemAction = Literal["grant", "revoke", "extend"]


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
    sort: Literal["display_name", "-display_name"] = "display_name"


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


class AccessRequestQuery(FilteredQuery):
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
