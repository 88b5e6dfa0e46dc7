"""One's own access on the screen: decisions that wait, what one holds and why, what one asked for, what one owns."""

from collections.abc import Sequence
from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.errors import NovaForbidden
from nova_ui.presenters.access_parts import REQUEST_COLUMNS, RIGHT_COLUMNS, request_rows, rights_in
from nova_ui.presenters.actions import Action, NovaCalls
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.object_form import Control, FormField
from nova_ui.presenters.object_page import ObjectKind, ObjectPresenter, PartKind, everybody
from nova_ui.presenters.request_actions import (
    APPROVE,
    APPROVE_SEVERAL,
    DELEGATE,
    DENY,
    DENY_SEVERAL,
    DETAILS,
    DETAILS_OF_DECISION,
    WITHDRAW,
    chosen,
)

_FIXED: Final = frozenset({"birthright", "group"})
_CHANGEABLE: Final = frozenset({"direct", "request"})


def decisions_in(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return the decisions of an answer, with what is asked for in one field."""
    return request_rows(body)


def _is_changeable(_: Identity, row: JsonObject) -> bool:
    return text_at(row, "source") in _CHANGEABLE and text_at(row, "status") in {"active", "scheduled"}


def _asks(action: str, body: JsonObject, row: JsonObject) -> JsonObject:
    """Return the body of a request about what one holds."""
    right_id = text_at(row, "role.id")
    kind = "entitlement_id" if right_id.startswith("ent_") else "role_id"
    until: JsonObject = {"valid_until": body["valid_until"]} if "valid_until" in body else {}
    return {"items": [{kind: right_id, "action": action, **until}], "justification": body.get("justification")}


def _what_stays(rows: Sequence[JsonObject]) -> str:
    if not any(text_at(row, "source") in _FIXED for row in rows):
        return ""
    return mark("What comes with your position or with a group stays as long as that does; it can't be given back.")


_HELD: Final = (
    Field(name="role", label=mark("Access"), shown=Shown.OBJECT),
    Field(name="application", shown=Shown.OBJECT),
    Field(name="valid_until", shown=Shown.DAY),
)
_WHY: Final = mark("Why? At least 10 characters.")
GIVE_BACK: Final = Action(
    key="give-back",
    label=mark("Give back"),
    sentence=mark("Give back {subject}"),
    done=mark("The request is sent. You keep it until it is decided."),
    done_as=lambda answer: mark("You have given it back.") if text_at(answer, "status") == "completed" else "",
    endpoint="POST /access-requests",
    name="role.display_name",
    state=_HELD,
    fields=(FormField(name="justification", label=_WHY, control=Control.LONG_TEXT, required=True, min_chars=10),),
    shape=lambda body, row: _asks("revoke", body, row),
    is_offered=_is_changeable,
)
EXTEND: Final = Action(
    key="extend",
    label=mark("Extend"),
    sentence=mark("Extend {subject}"),
    done=mark("The request is sent."),
    done_as=lambda answer: mark("You have it for longer now.") if text_at(answer, "status") == "completed" else "",
    endpoint="POST /access-requests",
    name="role.display_name",
    state=_HELD,
    fields=(
        FormField(name="valid_until", label=mark("Until when? Left empty: without an end"), control=Control.DAY),
        FormField(name="justification", label=_WHY, control=Control.LONG_TEXT, required=True, min_chars=10),
    ),
    shape=lambda body, row: _asks("extend", body, row),
    is_offered=lambda person, row: _is_changeable(person, row) and bool(text_at(row, "valid_until")),
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
        Field(name="roles", label=mark("Access"), shown=Shown.OBJECTS, opens="role"),
        Field(name="action", label=mark("Kind"), shown=Shown.WORD, minor=True),
        Field(name="justification"),
        Field(name="due_at", label=mark("Due on"), shown=Shown.DAY, minor=True),
    ),
    row_actions=(APPROVE, DENY, DELEGATE, DETAILS_OF_DECISION),
    several_actions=(APPROVE_SEVERAL, DENY_SEVERAL),
    gather=chosen,
)
OWN_RIGHTS: Final = PartKind(
    key="access",
    heading=mark("Your access"),
    empty=mark("You hold no role yet. Request what you need."),
    endpoint="GET /me/access",
    read=rights_in,
    size=0,
    columns=RIGHT_COLUMNS,
    row_actions=(EXTEND, GIVE_BACK),
    note=_what_stays,
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
    row_actions=(WITHDRAW, DETAILS),
)
_OWNED: Final = (
    ("groups", mark("Groups you are responsible for"), "GET /groups", "group"),
    ("roles", mark("Roles you are responsible for"), "GET /roles", "role"),
    ("applications", mark("Applications you are responsible for"), "GET /applications", "application"),
    ("entitlements", mark("Entitlements you are responsible for"), "GET /entitlements", ""),
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
