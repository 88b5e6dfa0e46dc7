"""`/catalog`, `/access-requests` and `/approvals`."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    AccessRequestCreate,
    AccessRequestQuery,
    AccessRequestView,
    ApprovalQuery,
    ApprovalView,
    Approve,
    CatalogItem,
    CatalogQuery,
    CommentCreate,
    DecisionImpactQuery,
    Decisions,
    DecisionsView,
    Delegate,
    Deny,
    Impact,
    Page,
    Withdrawal,
)
from nova_ui.nova.views.types import AccessRequestRef, ApprovalRef

_DECISIONS_IMPACT: Final = "get_decisions_impact"
_FULFILMENT: Final = (
    "assignment.granted",
    "assignment.changed",
    "assignment.revoked",
    "request.approved",
    "request.completed",
    "request.failed",
)


class _Requests:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def catalog(self, context: Signed, query: Annotated[CatalogQuery, Query()]) -> Page[CatalogItem]:
        """List what may be requested."""
        return await self._nova.catalogue.list_page(context, query)

    async def list_page(
        self, context: Signed, query: Annotated[AccessRequestQuery, Query()]
    ) -> Page[AccessRequestView]:
        """List access requests."""
        return await self._nova.requests.list_page(context, query)

    async def create(self, context: Signed, body: AccessRequestCreate) -> AccessRequestView:
        """File an access request."""
        return await self._nova.requests.file(context, body)

    async def get(self, context: Signed, request_id: AccessRequestRef) -> AccessRequestView:
        """Read one access request."""
        return await self._nova.requests.get(context, request_id)

    async def cancel(
        self, context: Signed, request_id: AccessRequestRef, body: Withdrawal | None = None, if_match: IfMatch = None
    ) -> AccessRequestView:
        """Withdraw one's own request."""
        return await self._nova.requests.cancel(context, request_id, body.reason if body else "", if_match)

    async def comment(
        self, context: Signed, request_id: AccessRequestRef, body: CommentCreate, if_match: IfMatch = None
    ) -> AccessRequestView:
        """Comment on a request."""
        return await self._nova.requests.comment(context, request_id, body.text, if_match)


class _Approvals:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[ApprovalQuery, Query()]) -> Page[ApprovalView]:
        """List approvals."""
        return await self._nova.approvals.list_page(context, query)

    async def get(self, context: Signed, approval_id: ApprovalRef) -> ApprovalView:
        """Read one approval."""
        return await self._nova.approvals.get(context, approval_id)

    async def approve(
        self, context: Signed, approval_id: ApprovalRef, body: Approve | None = None, if_match: IfMatch = None
    ) -> ApprovalView:
        """Approve; the last approval gives the access."""
        return await self._nova.approvals.approve(context, approval_id, body.comment if body else "", if_match)

    async def deny(
        self, context: Signed, approval_id: ApprovalRef, body: Deny, if_match: IfMatch = None
    ) -> ApprovalView:
        """Deny, with a reason."""
        return await self._nova.approvals.deny(context, approval_id, body.comment, if_match)

    async def delegate(
        self, context: Signed, approval_id: ApprovalRef, body: Delegate, if_match: IfMatch = None
    ) -> ApprovalView:
        """Let somebody else decide."""
        return await self._nova.approvals.delegate(context, approval_id, body, if_match)

    async def decide(self, context: Signed, body: Decisions) -> DecisionsView:
        """Decide on several approvals, each checked alone."""
        return await self._nova.decisions.decide(context, body)

    async def decisions_impact(self, context: Signed, query: Annotated[DecisionImpactQuery, Query()]) -> Impact:
        """Tell what several decisions would do."""
        return await self._nova.decisions.impact(context, query)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of requests and approvals."""
    routes, requests, approvals = NovaRoutes(nova, "Access requests"), _Requests(nova), _Approvals(nova)
    one = "/access-requests/{request_id}"
    routes.add("GET /catalog", requests.catalog, "get_catalog", marks("read", "*"))
    routes.add("GET /access-requests", requests.list_page, "list_access_requests", marks("read", "A U M O S"))
    file = marks("write", "S M A", audit=["request.submitted", *_FULFILMENT], self_service=True)
    routes.add("POST /access-requests", requests.create, "create_access_request", file, status=201)
    routes.add(f"GET {one}", requests.get, "get_access_request", marks("read", "A U M O S"))
    cancel = marks("write", "S", audit=["request.cancelled", "approval.skipped"], self_service=True)
    routes.add(f"POST {one}/cancel", requests.cancel, "cancel_access_request", cancel)
    comment = marks("write", "A M O S", audit=["request.commented"])
    routes.add(f"POST {one}/comments", requests.comment, "comment_access_request", comment)
    one = "/approvals/{approval_id}"
    routes.add("GET /approvals", approvals.list_page, "list_approvals", marks("read", "A U M O S"))
    routes.add(f"GET {one}", approvals.get, "get_approval", marks("read", "A U M O S"))
    approve = marks("write", "O", audit=["approval.approved", "approval.skipped", *_FULFILMENT], self_service=True)
    routes.add(f"POST {one}/approve", approvals.approve, "approve", approve)
    deny = marks("write", "O", audit=["approval.denied", "request.denied", "approval.skipped"], self_service=True)
    routes.add(f"POST {one}/deny", approvals.deny, "deny", deny)
    delegate = marks("write", "O", audit=["approval.delegated"], self_service=True)
    routes.add(f"POST {one}/delegate", approvals.delegate, "delegate_approval", delegate)
    decide = marks(
        "destructive",
        "O",
        audit=["approval.approved", "approval.denied", "request.denied", "approval.skipped", *_FULFILMENT],
        impact=_DECISIONS_IMPACT,
        self_service=True,
    )
    routes.add("POST /approvals/decisions", approvals.decide, "decide_approvals", decide)
    impact = marks("read", "O", self_service=True)
    routes.add("GET /approvals/decisions/impact", approvals.decisions_impact, _DECISIONS_IMPACT, impact)
    return routes.router
