"""One's own access on the screen: decisions that wait, what one holds and why, what one asked for, what one owns."""

from dataclasses import dataclass
from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.errors import NovaForbidden
from nova_ui.presenters.access_parts import OPEN_REQUEST, REQUEST_COLUMNS, RIGHT_COLUMNS, request_rows, rights_in
from nova_ui.presenters.actions import Action, NovaCalls, path_of
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.object_form import Control, FormField
from nova_ui.presenters.object_page import ObjectKind, ObjectPresenter, PartKind, everybody

_DECISION_STATE: Final = "GET /approvals/{approval_id}"
_BY_APPROVAL: Final = path_of("approval_id")
_BY_REQUEST: Final = path_of("request_id")
_ASKED: Final = (
    Field(name="beneficiary", label=mark("For"), shown=Shown.OBJECT),
    Field(name="requester", label=mark("Requested by"), shown=Shown.OBJECT),
    Field(name="roles", label=mark("Roles"), shown=Shown.OBJECTS),
    Field(name="justification"),
    Field(name="due_at", label=mark("Due on"), shown=Shown.DAY),
)


def _waits(_: Identity, row: JsonObject) -> bool:
    return text_at(row, "status") == "open"


def _is_mine_and_open(person: Identity, row: JsonObject) -> bool:
    return text_at(row, "status") in OPEN_REQUEST and text_at(row, "requester.id") == person.id


APPROVE: Final = Action(
    key="approve",
    label=mark("Approve"),
    sentence=mark("Approve the request of {subject}"),
    done=mark("You have approved it."),
    endpoint="POST /approvals/{approval_id}/approve",
    path=_BY_APPROVAL,
    reads=_DECISION_STATE,
    reads_path=_BY_APPROVAL,
    name="beneficiary.display_name",
    state=_ASKED,
    fields=(FormField(name="comment", control=Control.LONG_TEXT),),
    is_offered=_waits,
)
DENY: Final = Action(
    key="deny",
    label=mark("Deny"),
    sentence=mark("Deny the request of {subject}"),
    done=mark("You have denied it."),
    endpoint="POST /approvals/{approval_id}/deny",
    path=_BY_APPROVAL,
    reads=_DECISION_STATE,
    reads_path=_BY_APPROVAL,
    name="beneficiary.display_name",
    state=_ASKED,
    fields=(
        FormField(
            name="comment", label=mark("Why? The person will read it."), control=Control.LONG_TEXT, required=True
        ),
    ),
    is_offered=_waits,
)
DELEGATE: Final = Action(
    key="delegate",
    label=mark("Pass on"),
    sentence=mark("Let somebody else decide on the request of {subject}"),
    done=mark("The decision is passed on."),
    endpoint="POST /approvals/{approval_id}/delegate",
    path=_BY_APPROVAL,
    reads=_DECISION_STATE,
    reads_path=_BY_APPROVAL,
    name="beneficiary.display_name",
    state=_ASKED,
    fields=(
        FormField(name="to", label=mark("Who decides instead?"), control=Control.ONE, of="person", required=True),
        FormField(name="comment", control=Control.LONG_TEXT),
    ),
    is_offered=_waits,
)
WITHDRAW: Final = Action(
    key="withdraw",
    label=mark("Withdraw"),
    sentence=mark("Withdraw this request"),
    done=mark("The request is withdrawn."),
    endpoint="POST /access-requests/{request_id}/cancel",
    path=_BY_REQUEST,
    reads="GET /access-requests/{request_id}",
    reads_path=_BY_REQUEST,
    fields=(FormField(name="reason", control=Control.LONG_TEXT),),
    is_offered=_is_mine_and_open,
)


def decisions_in(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return the decisions of an answer, with what is asked for in one field."""
    return tuple(
        {**row, "roles": [item.get("role") or item.get("entitlement") for item in rows_in(row)]}
        for row in rows_in(body)
    )


WAITING: Final = PartKind(
    key="approvals",
    heading=mark("Waiting for your decision"),
    empty=mark("Nothing waits for you."),
    endpoint="GET /me/approvals",
    query=lambda _: {"status": "open"},
    read=decisions_in,
    columns=(
        Field(name="beneficiary", label=mark("For"), shown=Shown.OBJECT, opens="identity", strong=True),
        Field(name="roles", label=mark("Roles"), shown=Shown.OBJECTS, opens="role"),
        Field(name="justification"),
        Field(name="created_at", label=mark("Requested on"), shown=Shown.DAY, minor=True),
        Field(name="due_at", label=mark("Due on"), shown=Shown.DAY, minor=True),
    ),
    row_actions=(APPROVE, DENY, DELEGATE),
)
OWN_RIGHTS: Final = PartKind(
    key="access",
    heading=mark("Your access"),
    empty=mark("You hold no role yet. Request what you need."),
    endpoint="GET /me/access",
    read=rights_in,
    size=0,
    columns=RIGHT_COLUMNS,
)
OWN_GROUPS: Final = PartKind(
    key="groups",
    heading=mark("Your groups"),
    empty=mark("You are in no group."),
    endpoint="GET /me/access",
    read=lambda body: rows_in(body, "groups"),
    size=0,
    columns=(Field(name="display_name", strong=True),),
    opens="group",
    is_short=True,
)
OWN_REQUESTS: Final = PartKind(
    key="requests",
    heading=mark("Your requests"),
    empty=mark("You have not requested anything."),
    endpoint="GET /me/requests",
    read=request_rows,
    size=20,
    columns=REQUEST_COLUMNS,
    row_actions=(WITHDRAW,),
)
_OWNED: Final = (
    ("groups", mark("Groups you are responsible for"), "GET /groups", "group"),
    ("roles", mark("Roles you are responsible for"), "GET /roles", "role"),
    ("applications", mark("Applications you are responsible for"), "GET /applications", "application"),
)
RESPONSIBLE: Final = tuple(
    PartKind(
        key=f"owned-{key}",
        heading=heading,
        empty="",
        endpoint=endpoint,
        query=lambda one: {"owner_id": text_at(one, "id")},
        columns=(Field(name="display_name", strong=True), Field(name="description")),
        opens=opens,
        opens_for=everybody,
    )
    for key, heading, endpoint, opens in _OWNED
)
OWN_ACCESS: Final = ObjectKind(
    type="identity",
    label=mark("My access"),
    plural=mark("My access"),
    list_path="/access",
    endpoint="GET /me",
    parameter="",
    badges=(),
    facts=(),
    parts=(WAITING, OWN_RIGHTS, OWN_GROUPS, OWN_REQUESTS, *RESPONSIBLE),
)
UNASKED: Final = frozenset({WAITING.key, *(part.key for part in RESPONSIBLE)})  # not shown while there is nothing


class OwnAccessPresenter(ObjectPresenter):
    """The parts of one's own access; what nobody has to look at while it is empty is left out."""

    def __init__(self, nova: NovaCalls, person: Identity) -> None:
        super().__init__(nova, person, OWN_ACCESS, "")

    def shows(self, key: str) -> bool:
        """Whether a part is shown."""
        part = next(part for part in self.parts if part.kind.key == key)
        if key not in UNASKED:
            return True
        return bool(part.rows) or (part.problem is not None and not isinstance(part.problem, NovaForbidden))


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueItem:
    """A role or an entitlement that may be requested."""

    role_id: str
    entitlement_id: str
    name: str
    description: str
    application: str
    approval: str
    max_days: int | None
    risk: str
    is_held: bool
    held_until: str
    is_asked_for: bool

    @property
    def can_be_asked_for(self) -> bool:
        """Whether a request would make sense: not asked for yet, and not held without an end."""
        return not self.is_asked_for and not (self.is_held and not self.held_until)


def read_catalogue(body: JsonObject) -> tuple[CatalogueItem, ...]:
    """Read a page of the catalogue."""
    return tuple(
        CatalogueItem(
            role_id=text_at(row, "role_id"),
            entitlement_id=text_at(row, "entitlement_id"),
            name=text_at(row, "display_name"),
            description=text_at(row, "description"),
            application=text_at(row, "application.display_name"),
            approval=text_at(row, "approval"),
            max_days=days if isinstance(days := row.get("max_days"), int) else None,
            risk=text_at(row, "risk"),
            is_held=row.get("held") is True,
            held_until=text_at(row, "held_until"),
            is_asked_for=bool(text_at(row, "open_request_id")),
        )
        for row in rows_in(body)
    )


def request_body(item: CatalogueItem, justification: str, valid_until: str | None) -> JsonObject:
    """Return the body of a request for one role or entitlement; what is held already is extended."""
    right: JsonObject = {"role_id": item.role_id} if item.role_id else {"entitlement_id": item.entitlement_id}
    asked: JsonObject = {**right, "action": "extend" if item.is_held else "grant"}
    if valid_until is not None:
        asked["valid_until"] = valid_until
    return {"items": [asked], "justification": justification}
