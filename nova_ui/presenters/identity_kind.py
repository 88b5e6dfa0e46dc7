"""Identities: the list, and one identity with its access, groups, requests, people, sessions and timeline."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.access_parts import ACCESS, GROUPS, REQUESTS
from nova_ui.presenters.directory_words import IDENTITY_STATUS, STORED_ROLES, USER_TYPES
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.identity_actions import IDENTITY_ACTIONS, NEW_IDENTITY
from nova_ui.presenters.list_filters import Filter, FilterKind
from nova_ui.presenters.message_action import SEND_MESSAGE
from nova_ui.presenters.object_list import ListKind
from nova_ui.presenters.object_page import FactGroup, ObjectKind, PartKind, everybody, overseers_only
from nova_ui.presenters.session_kind import END_SESSION, SESSION_COLUMNS

STATUS: Final = Field(name="status", shown=Shown.STATE)

IDENTITY_LIST: Final = ListKind(
    endpoint="GET /identities",
    label=mark("Identities"),
    search=mark("Search name, user name and email"),
    icon="person_search",
    empty=mark("There is no identity that you may see."),
    opens="identity",
    actions=(NEW_IDENTITY, SEND_MESSAGE),
    columns=(
        Field(name="display_name", strong=True),
        Field(name="title", minor=True),
        Field(name="department"),
        Field(name="manager", shown=Shown.OBJECT, opens="identity", minor=True),
        Field(name="user_type", shown=Shown.WORD, minor=True),
        STATUS,
        Field(name="last_sign_in_at", shown=Shown.DAY, minor=True),
    ),
    filters=(
        Filter(name="status", label=mark("Status"), choices=IDENTITY_STATUS),
        Filter(name="user_type", label=mark("Type"), choices=USER_TYPES),
        Filter(name="department", label=mark("Department"), kind=FilterKind.TEXT, suggests="department"),
        Filter(name="location", label=mark("Location"), kind=FilterKind.TEXT, suggests="location"),
        Filter(name="nova_role", label=mark("Nova role"), choices=STORED_ROLES),
        Filter(
            name="signed_in_before",
            label=mark("Not signed in"),
            kind=FilterKind.DAYS_AGO,
            choices={"30": mark("for 30 days"), "90": mark("for 90 days"), "180": mark("for 180 days")},
        ),
        Filter(name="manager_id", label=mark("Manager"), kind=FilterKind.OBJECT, names="identity"),
        Filter(name="group_id", label=mark("Group"), kind=FilterKind.OBJECT, names="group"),
        Filter(name="role_id", label=mark("Role"), kind=FilterKind.OBJECT, names="role"),
    ),
)

PERSON: Final = FactGroup(
    heading=mark("Person"),
    fields=(
        Field(name="user_name", shown=Shown.LITERAL),
        Field(name="email"),
        Field(name="phone_numbers"),
        Field(name="preferred_language", shown=Shown.WORD),
        Field(name="employee_number", shown=Shown.LITERAL),
    ),
)
POSITION: Final = FactGroup(
    heading=mark("Position"),
    fields=(
        Field(name="title"),
        Field(name="department"),
        Field(name="organization"),
        Field(name="location"),
        Field(name="cost_center", shown=Shown.LITERAL),
        Field(name="manager", shown=Shown.OBJECT, opens="identity"),
    ),
)
SIGN_IN: Final = FactGroup(
    heading=mark("Sign-in"),
    fields=(
        Field(name="last_sign_in_at", shown=Shown.MOMENT),
        Field(name="locked_until", shown=Shown.MOMENT),
        Field(name="mfa_methods", label=mark("Second factor"), shown=Shown.WORD),
        Field(name="nova_roles", shown=Shown.WORD),
        Field(name="start_date", shown=Shown.DAY),
        Field(name="end_date", shown=Shown.DAY),
        Field(name="status_reason"),
    ),
)


def _reports(one: JsonObject) -> dict[str, str | int | bool | None]:
    return {"manager_id": text_at(one, "id")}


def _of_others(person: Identity, one: JsonObject) -> bool:
    return text_at(one, "id") != person.id or overseers_only(person, one)


REPORTS: Final = PartKind(
    key="reports",
    heading=mark("Direct reports"),
    empty=mark("Nobody reports to this person."),
    endpoint="GET /identities",
    query=_reports,
    opens="identity",
    opens_for=everybody,
    columns=(Field(name="display_name", strong=True), Field(name="title"), STATUS),
    sees=_of_others,
    all_at=lambda one: f"/identities?manager_id={text_at(one, 'id')}",
)
SESSIONS: Final = PartKind(
    key="sessions",
    heading=mark("Sessions"),
    empty=mark("Not signed in anywhere."),
    endpoint="GET /sessions",
    query=lambda one: {"identity_id": text_at(one, "id"), "status": "active"},
    columns=SESSION_COLUMNS[1:],
    row_actions=(END_SESSION,),
    sees=overseers_only,
)
TIMELINE: Final = PartKind(
    key="timeline",
    heading=mark("Timeline"),
    empty=mark("Nothing has been logged about this person."),
    endpoint="GET /identities/{identity_id}/timeline",
    path=lambda one: {"identity_id": text_at(one, "id")},
    size=20,
    columns=(),
    sees=overseers_only,
    all_at=lambda one: f"/monitoring/audit-log?target={text_at(one, 'id')}",
    is_log=True,
)

IDENTITY: Final = ObjectKind(
    type="identity",
    label=mark("Identity"),
    plural=mark("Identities"),
    list_path="/identities",
    endpoint="GET /identities/{identity_id}",
    parameter="identity_id",
    badges=(STATUS, Field(name="user_type", shown=Shown.WORD)),
    facts=(PERSON, POSITION, SIGN_IN),
    parts=(ACCESS, GROUPS, REQUESTS, REPORTS, SESSIONS, TIMELINE),
    actions=IDENTITY_ACTIONS,
)
