"""The access requests of the sample organisation, in each state, with their approvals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.nova.sample_organisation.catalogue import BUNDLES
from nova_ui.nova.sample_organisation.entitlement_list import entitlement_of
from nova_ui.nova.sample_organisation.groups import People
from nova_ui.nova.sample_organisation.seeds import sample_id, spread, working_time
from storage.nova.tables import AccessRequestRow, ApprovalRow, IdentityRow

_DUE: Final = timedelta(days=7)
_SECOND_STEP: Final = 2
_BUNDLES: Final = {bundle.key: bundle for bundle in BUNDLES}


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRequest:
    """A request as it is described here. `agreed` says how many of its approvals were given before it stopped."""

    by: str
    role: str = ""
    entitlement: str = ""  # instead of a role
    action: str = "grant"
    why: str
    days_ago: int
    status: str = "pending"
    agreed: int = 0
    comment: str = ""  # why it was denied, or failed
    for_days: int | None = None
    asked: tuple[str, str] | None = field(default=None)

    @property
    def id(self) -> str:
        """The id of its row."""
        again = "" if self.action == "grant" else f":{self.action}"
        return sample_id("req", f"{self.by}:{self.role or self.entitlement}{again}")

    @property
    def approval(self) -> str:
        """Who decides on it."""
        if self.role:
            return _BUNDLES[self.role].approval
        asked = entitlement_of(self.entitlement)
        return "manager_then_owner" if asked.privileged or asked.risk in {"high", "critical"} else "owner"

    @property
    def owner(self) -> str:
        """Who decides as the owner of what it asks for."""
        return _BUNDLES[self.role].owner if self.role else entitlement_of(self.entitlement).owner


REQUESTS: Final = (
    SampleRequest(by="tim.vogt", role="finance-viewer", why="I prepare the yearly figures of my accounts", days_ago=2),
    SampleRequest(
        by="anna.schmidt",
        role="remote-access",
        why="I visit customers in Austria twice a week",
        days_ago=1,
        for_days=180,
        asked=("lea.brandt", "From when on do you need it?"),
    ),
    SampleRequest(
        by="markus.huber",
        role="warehouse-analyst",
        why="Pipeline figures for the DACH forecast",
        days_ago=4,
        for_days=90,
    ),
    SampleRequest(
        by="camille.dubois",
        role="ticket-administrator",
        why="Customer escalations come to me at weekends",
        days_ago=4,
        for_days=60,
    ),
    SampleRequest(
        by="felix.hartmann", role="production-access", why="Incident drill this week", days_ago=1, for_days=5
    ),
    SampleRequest(
        by="kilian.ott",
        role="code-maintainer",
        why="I take over releases from Maja in the holidays",
        days_ago=4,
        agreed=1,
        for_days=30,
    ),
    SampleRequest(by="clara.neumann", role="crm-editor", why="Correct wrong product names in offers", days_ago=3),
    SampleRequest(
        by="priya.nair",
        role="remote-access",
        action="extend",
        why="My contract was prolonged until the summer",
        days_ago=2,
        for_days=180,
    ),
    SampleRequest(
        by="hannah.wolf",
        entitlement="wiki:space.create",
        why="A space for the campaign of next year",
        days_ago=3,
    ),
    SampleRequest(
        by="markus.huber",
        entitlement="hr:payroll.read",
        why="Plan the bonuses of my team",
        days_ago=45,
        status="denied",
        comment="Bonuses are planned with figures that HR prepares for you.",
    ),
    SampleRequest(
        by="tim.vogt",
        role="crm-editor",
        why="I take over the accounts of the north",
        days_ago=64,
        status="completed",
        agreed=1,
        for_days=71,
    ),
    SampleRequest(
        by="sophie.laurent",
        role="finance-viewer",
        why="Compare invoices with offers",
        days_ago=80,
        status="completed",
        agreed=1,
    ),
    SampleRequest(
        by="hannah.wolf",
        role="warehouse-analyst",
        why="Measure what campaigns bring",
        days_ago=51,
        status="completed",
        agreed=1,
        for_days=60,
    ),
    SampleRequest(
        by="wei.chen",
        role="production-access",
        why="Repair of the search index",
        days_ago=5,
        status="completed",
        agreed=2,
        for_days=7,
    ),
    SampleRequest(
        by="judith.sauer",
        role="wiki-editor",
        why="Contract templates belong in the wiki",
        days_ago=22,
        status="completed",
    ),
    SampleRequest(
        by="isabel.moreno",
        role="hr-case-worker",
        why="Cover for Katja during her holidays",
        days_ago=33,
        status="completed",
        agreed=1,
        for_days=60,
    ),
    SampleRequest(
        by="niamh.kelly",
        role="crm-editor",
        why="Support corrects addresses that customers report",
        days_ago=17,
        status="completed",
        agreed=1,
        for_days=365,
    ),
    SampleRequest(
        by="tim.vogt",
        role="payment-approver",
        why="Refunds for my customers take too long",
        days_ago=41,
        status="denied",
        comment="Refunds stay with Finance: whoever sells must not release payments.",
    ),
    SampleRequest(
        by="chiara.esposito",
        role="payment-approver",
        why="Stand in for Monika in August",
        days_ago=58,
        status="denied",
        agreed=1,
        comment="Two approvers are enough at present.",
    ),
    SampleRequest(
        by="birgit.horn",
        role="fax-gateway-user",
        why="Two banks still want a fax",
        days_ago=70,
        status="failed",
        agreed=1,
        comment="The role is no longer in use.",
    ),
    SampleRequest(by="moritz.lang", role="backup-operator", why="Restore test data", days_ago=29, status="cancelled"),
    SampleRequest(by="nils.petersen", role="crm-editor", why="Clean up duplicates", days_ago=12, status="cancelled"),
    SampleRequest(by="jan.devries", role="code-reader", why="Read the tracking code", days_ago=47, status="expired"),
)


def make_requests(
    people: People, now: datetime, wanted: Sequence[SampleRequest] = REQUESTS
) -> tuple[list[AccessRequestRow], list[ApprovalRow]]:
    """Return the requests and the approvals they wait for or have got."""
    requests = [_request_row(request, people, now) for request in wanted]
    approvals = [row for request in wanted for row in _approvals(request, people, now)]
    return requests, approvals


def submitted_at(request: SampleRequest, now: datetime) -> datetime:
    """Return when the request was filed."""
    return working_time(now, request.days_ago, request.id)


def closed_at(request: SampleRequest, now: datetime) -> datetime:
    """Return when the last approval was decided, or the request ended otherwise."""
    if request.status == "expired":
        return submitted_at(request, now) + _DUE
    if request.approval == "none":
        return submitted_at(request, now)
    hours = 2 + spread(f"closed:{request.id}", 18)
    return min(submitted_at(request, now) + timedelta(hours=hours), now - timedelta(minutes=5))


def approvers(request: SampleRequest, people: People) -> list[IdentityRow]:
    """Return who must agree, in order."""
    by_id = {person.id: person for person in people.values()}
    manager = by_id[people[request.by].manager_id or people[request.by].id]
    owner = people[request.owner]
    match request.approval:
        case "none":
            return []
        case "manager":
            return [manager]
        case "owner":
            return [owner]
        case _:
            return [manager, owner]


def valid_until(request: SampleRequest, now: datetime) -> datetime | None:
    """Return the end that was asked for."""
    return None if request.for_days is None else submitted_at(request, now) + timedelta(days=request.for_days)


def granter(request: SampleRequest, people: People) -> IdentityRow:
    """Return whose word carried the request out: the last approver's, or the requester's where nobody is asked."""
    return [people[request.by], *approvers(request, people)][-1]


def items_of(request: SampleRequest, now: datetime) -> list[JsonObject]:
    """Return what is asked for."""
    until = valid_until(request, now)
    until_text = None if until is None else until.isoformat()
    asked = _asked_entitlement(request)
    right: JsonObject = {"role_id": sample_id("rol", request.role)} if asked is None else {"entitlement_id": asked}
    return [{**right, "action": request.action, "valid_until": until_text}]


def _request_row(request: SampleRequest, people: People, now: datetime) -> AccessRequestRow:
    filed = submitted_at(request, now)
    return AccessRequestRow(
        id=request.id,
        requester_id=people[request.by].id,
        beneficiary_id=people[request.by].id,
        items=items_of(request, now),
        justification=request.why,
        status=request.status,
        comments=_comments(request, people, now),
        created_at=filed,
        updated_at=filed if request.status == "pending" else closed_at(request, now),
    )


def _comments(request: SampleRequest, people: People, now: datetime) -> list[JsonObject]:
    if request.asked is None:
        return []
    author, text = request.asked
    at = submitted_at(request, now) + timedelta(minutes=25)
    return [{"author_id": people[author].id, "text": text, "at": at.isoformat()}]


def _approvals(request: SampleRequest, people: People, now: datetime) -> list[ApprovalRow]:
    filed = submitted_at(request, now)
    closed = closed_at(request, now)
    rows = []
    for step, approver in enumerate(approvers(request, people), start=1):
        status = _approval_status(request, step)
        opened = filed if step == 1 else closed
        is_decided = status in {"approved", "denied"}
        rows.append(
            ApprovalRow(
                id=sample_id("apv", f"{request.id}:{step}"),
                request_id=request.id,
                step=step,
                role_id=sample_id("rol", request.role) if request.role and _is_owner_step(request, step) else None,
                entitlement_id=_asked_entitlement(request) if _is_owner_step(request, step) else None,
                approver_id=approver.id,
                status=status,
                due_at=_due_at(status, opened, closed),
                decided_by=approver.id if is_decided else None,
                decided_at=closed if is_decided else None,
                comment=request.comment if status == "denied" else "",
                created_at=filed,
                updated_at=filed if status in {"open", "waiting"} else closed,
            )
        )
    return rows


def _due_at(status: str, opened: datetime, closed: datetime) -> datetime | None:
    """Return until when a decision is or was due; one that was never opened never was."""
    return None if status == "waiting" or (status == "skipped" and opened >= closed) else opened + _DUE


def _asked_entitlement(request: SampleRequest) -> str | None:
    return None if request.role else entitlement_of(request.entitlement).id


def _is_owner_step(request: SampleRequest, step: int) -> bool:
    return step == _SECOND_STEP or request.approval == "owner"


def _approval_status(request: SampleRequest, step: int) -> str:
    """Return what became of the step: those agreed to, the one at which it stopped, and those behind."""
    if step <= request.agreed:
        return "approved"
    is_next = step == request.agreed + 1
    match request.status:
        case "pending":
            return "open" if is_next else "waiting"
        case "denied":
            return "denied" if is_next else "skipped"
        case "expired":
            return "expired" if is_next else "skipped"
        case _:
            return "skipped"
