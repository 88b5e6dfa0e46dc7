"""The catalogue, access requests and approvals."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from nova_ui.nova.views.common import Body, Effect, FilteredQuery, ListQuery, Query, Ref, View
from nova_ui.nova.views.types import (
    ApplicationRef,
    ApprovalRef,
    EndMoment,
    EntitlementRef,
    IdentityRef,
    Paragraph,
    RoleRef,
    StartMoment,
)

RequestStatus = Literal[
    "submitted", "pending", "approved", "provisioning", "completed", "denied", "cancelled", "expired", "failed"
]
ApprovalStatus = Literal["waiting", "open", "approved", "denied", "skipped", "expired"]
MAX_DECISIONS = 50
ItemAction = Literal["grant", "revoke", "extend"]


class CatalogItem(View):
    """A role or an entitlement that may be requested for an identity; `held` tells that it has it already."""

    role_id: str | None
    entitlement_id: str | None
    key: str = Field(description="the role's key, or the entitlement's name inside its application")
    display_name: str
    description: str
    application: Ref | None
    approval: str
    max_days: int | None
    risk: str
    held: bool
    held_until: datetime | None
    held_through: list[Ref] = Field(description="roles that give this entitlement to the identity already")
    open_request_id: str | None


class CatalogQuery(ListQuery):
    """A search in the catalogue: roles, then entitlements; `for` is oneself, a report, or for overseers anyone."""

    type: Literal["role", "entitlement"] | None = Field(None, description="only one of the two kinds")
    for_: IdentityRef | None = Field(None, alias="for")
    application_id: ApplicationRef | None = None
    sort: Literal["display_name", "-display_name"] = "display_name"


class RequestItemView(View):
    """One thing that is asked for: a role or an entitlement."""

    role: Ref | None
    entitlement: Ref | None
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
    entitlement: Ref | None = Field(description="the entitlement whose owner decides")
    approver: Ref
    escalated_from: Ref | None = Field(description="who passed the decision on")
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
    entitlement: Ref | None
    approver: Ref
    escalated_from: Ref | None
    status: str
    due_at: datetime | None
    decided_by: Ref | None
    decided_at: datetime | None
    comment: str


class AccessRequestQuery(FilteredQuery):
    """Filters over access requests."""

    status: RequestStatus | None = None
    requester_id: IdentityRef | None = None
    beneficiary_id: IdentityRef | None = None
    role_id: RoleRef | None = None
    entitlement_id: EntitlementRef | None = None
    created_after: StartMoment | None = None
    created_before: EndMoment | None = None
    sort: Literal["created_at", "-created_at", "updated_at", "-updated_at"] = "-created_at"


class RequestItem(Body):
    """One role or entitlement to ask for; `valid_until` ends a grant, or is the new end of an extension."""

    role_id: RoleRef | None = None
    entitlement_id: EntitlementRef | None = None
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


class Delegate(Body):
    """Who decides instead."""

    to: IdentityRef
    comment: Paragraph = ""


class Decision(Body):
    """One of several decisions."""

    approval_id: ApprovalRef
    decision: Literal["approve", "deny"]
    comment: Paragraph = Field("", description="a denial needs one that says why")


class Decisions(Body):
    """Up to 50 decisions at once; each is checked alone."""

    decisions: list[Decision] = Field(min_length=1, max_length=MAX_DECISIONS)


class DecisionAnswer(View):
    """What became of one decision."""

    approval_id: str
    result: Literal["approved", "denied", "refused"]
    request_status: str | None = None
    code: str | None = None
    detail: str | None = None


class DecisionsView(View):
    """What became of each decision, in the order they were given."""

    answers: list[DecisionAnswer]
    effects: list[Effect]


class DecisionImpactQuery(Query):
    """Decisions to weigh: ids of approvals parted by commas, as one text each, since no parameter may stand twice."""

    approve: Annotated[str, StringConstraints(max_length=1300)] = ""
    deny: Annotated[str, StringConstraints(max_length=1300)] = ""
