"""What an identity may use and why, its groups and its requests: the same on its page and among one's own access."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Weighing, path_of
from nova_ui.presenters.fields import Field, Shown, refs_at, rows_in, text_at
from nova_ui.presenters.object_form import Control, FormField
from nova_ui.presenters.object_page import PartKind

OPEN_REQUEST: Final = frozenset({"submitted", "pending"})
_FIXED_SOURCES: Final = frozenset({"birthright", "group"})
_ASSIGNMENT: Final = "GET /assignments/{assignment_id}"
_BY_ASSIGNMENT: Final = path_of("assignment_id", "assignment_id")
_STATE: Final = (
    Field(name="role", shown=Shown.OBJECT),
    Field(name="identity", shown=Shown.OBJECT),
    Field(name="source", shown=Shown.WORD),
    Field(name="valid_until", shown=Shown.DAY),
    Field(name="status", shown=Shown.STATE),
)


def _may_be_revoked(person: Identity, row: JsonObject) -> bool:
    return person.is_administrator and text_at(row, "source") not in _FIXED_SOURCES


REVOKE: Final = Action(
    key="revoke",
    label=mark("Revoke"),
    sentence=mark("Revoke the role {subject}"),
    done=mark("The role is revoked."),
    endpoint="DELETE /assignments/{assignment_id}",
    path=_BY_ASSIGNMENT,
    reads=_ASSIGNMENT,
    reads_path=_BY_ASSIGNMENT,
    state=_STATE,
    name="role.display_name",
    weighing=Weighing(
        endpoint=f"{_ASSIGNMENT}/impact",
        path=_BY_ASSIGNMENT,
        query=lambda _: {"action": "revoke"},
    ),
    is_offered=_may_be_revoked,
)
CHANGE_END: Final = Action(
    key="change-end",
    label=mark("Change the end"),
    sentence=mark("Change the end of the role {subject}"),
    done=mark("The change is stored."),
    endpoint="PATCH /assignments/{assignment_id}",
    path=_BY_ASSIGNMENT,
    reads=_ASSIGNMENT,
    reads_path=_BY_ASSIGNMENT,
    name="role.display_name",
    fields=(FormField(name="valid_until", control=Control.DAY),),
    is_patch=True,
    is_offered=_may_be_revoked,
)
ASSIGN_ROLE: Final = Action(
    key="assign",
    label=mark("Assign a role"),
    sentence=mark("Assign a role to {subject}"),
    done=mark("The role is assigned."),
    icon="add_moderator",
    endpoint="POST /assignments",
    fields=(
        FormField(name="role_id", control=Control.ONE, of="role", required=True),
        FormField(name="valid_until", control=Control.DAY),
        FormField(name="justification", control=Control.LONG_TEXT),
    ),
    shape=lambda body, one: {**body, "identity_id": text_at(one, "id")},
    is_offered=lambda person, one: person.is_administrator and text_at(one, "status") == "active",
)


def rights_in(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return the rights of an answer; each carries the names of the groups, to say why it is held."""
    groups: JsonObject = dict(refs_at(body, "groups"))
    return tuple(
        {**item, "role": item.get("role") or item.get("entitlement"), "group_names": groups} for item in rows_in(body)
    )


def request_rows(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return the requests of an answer with what they ask for, and who decides or decided last, in one field each."""
    return tuple({**row, **_asked(row)} for row in rows_in(body))


def _asked(row: JsonObject) -> JsonObject:
    roles: list[JsonValue] = [
        dict(right) for item in rows_in(row) if isinstance(right := item.get("role") or item.get("entitlement"), dict)
    ]
    steps = rows_in(row, "approvals")
    waiting: list[JsonValue] = [
        dict(who) for step in steps if step.get("status") == "open" and isinstance(who := step.get("approver"), dict)
    ]
    said = next((text_at(step, "comment") for step in reversed(steps) if text_at(step, "comment")), "")
    items = rows_in(row)
    actions: list[JsonValue] = [*dict.fromkeys(text_at(item, "action") for item in items)]
    until = next((text_at(item, "valid_until") for item in items if text_at(item, "valid_until")), "")
    return {"roles": roles, "waits_for": waiting, "said": said, "action": actions, "until": until}


RIGHT_COLUMNS: Final = (
    Field(name="role", label=mark("Access"), shown=Shown.OBJECT, opens="role", strong=True),
    Field(name="application", shown=Shown.OBJECT, opens="application", minor=True),
    Field(name="why", label=mark("Why")),
    Field(name="valid_until", shown=Shown.DAY),
    Field(name="risk", shown=Shown.STATE, minor=True),
    Field(name="status", shown=Shown.STATE, minor=True),
)
REQUEST_COLUMNS: Final = (
    Field(name="roles", label=mark("Access"), shown=Shown.OBJECTS, strong=True),
    Field(name="action", label=mark("Kind"), shown=Shown.WORD, minor=True),
    Field(name="justification"),
    Field(name="waits_for", label=mark("Waits for"), shown=Shown.OBJECTS, minor=True),
    Field(name="said", label=mark("Answer"), minor=True),
    Field(name="created_at", label=mark("Requested on"), shown=Shown.DAY),
    Field(name="status", shown=Shown.STATE),
)

ACCESS: Final = PartKind(
    key="access",
    heading=mark("Access"),
    empty=mark("This person holds no role."),
    endpoint="GET /identities/{identity_id}/access",
    path=path_of("identity_id"),
    read=rights_in,
    size=0,
    columns=RIGHT_COLUMNS,
    actions=(ASSIGN_ROLE,),
    row_actions=(CHANGE_END, REVOKE),
)
GROUPS: Final = PartKind(
    key="groups",
    heading=mark("Groups"),
    empty=mark("In no group."),
    endpoint="GET /identities/{identity_id}/access",
    path=path_of("identity_id"),
    read=lambda body: rows_in(body, "groups"),
    size=0,
    columns=(Field(name="display_name", strong=True),),
    opens="group",
    is_short=True,
)
REQUESTS: Final = PartKind(
    key="requests",
    heading=mark("Requests"),
    empty=mark("Nothing has been requested for this person."),
    endpoint="GET /access-requests",
    query=lambda one: {"beneficiary_id": text_at(one, "id")},
    read=request_rows,
    size=20,
    columns=REQUEST_COLUMNS,
)
