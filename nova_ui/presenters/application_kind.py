"""Applications: the list, and one application with its rights and, for administrators, its connection."""

from typing import Final

from nova_ui.domain.text import mark
from nova_ui.presenters.actions import administrators_only
from nova_ui.presenters.application_actions import APPLICATION_ACTIONS, NEW_APPLICATION
from nova_ui.presenters.connection_actions import CONNECTION_ACTIONS, connection_in, facts_of
from nova_ui.presenters.connection_actions import ENDPOINT as CONNECTION
from nova_ui.presenters.connection_actions import PATH as CONNECTION_PATH
from nova_ui.presenters.directory_words import APPLICATION_STATUS, CONNECTION_STATES, CONNECTIONS
from nova_ui.presenters.entitlement_actions import EDIT_ENTITLEMENT
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.list_filters import Filter, FilterKind
from nova_ui.presenters.object_list import ListKind
from nova_ui.presenters.object_page import FactGroup, ObjectKind, PartKind, everybody, overseers_only

_YES_NO: Final = {"true": mark("yes"), "false": mark("no")}
STATUS: Final = Field(name="status", shown=Shown.STATE)

APPLICATION_LIST: Final = ListKind(
    endpoint="GET /applications",
    label=mark("Applications"),
    search=mark("Search name and description"),
    icon="apps",
    empty=mark("There is no application yet."),
    opens="application",
    actions=(NEW_APPLICATION,),
    columns=(
        Field(name="display_name", strong=True),
        Field(name="description", minor=True),
        Field(name="owners", shown=Shown.OBJECTS),
        Field(name="connection", shown=Shown.WORD, minor=True),
        Field(name="connection_state", shown=Shown.STATE, minor=True),
        Field(name="role_count", label=mark("Roles"), shown=Shown.NUMBER, minor=True),
        STATUS,
    ),
    filters=(
        Filter(name="status", label=mark("Status"), choices=APPLICATION_STATUS),
        Filter(name="connection", label=mark("Connection"), choices=CONNECTIONS),
        Filter(name="connection_state", label=mark("Connection test"), choices=CONNECTION_STATES),
        Filter(name="requestable", label=mark("Can be requested"), kind=FilterKind.YES_NO, choices=_YES_NO),
        Filter(name="owner_id", label=mark("Owner"), kind=FilterKind.OBJECT, names="identity"),
    ),
)

APPLICATION: Final = ObjectKind(
    type="application",
    label=mark("Application"),
    plural=mark("Applications"),
    list_path="/applications",
    endpoint="GET /applications/{application_id}",
    parameter="application_id",
    badges=(STATUS,),
    facts=(
        FactGroup(
            heading=mark("Application"),
            fields=(
                Field(name="key", label=mark("Key"), shown=Shown.LITERAL),
                Field(name="description"),
                Field(name="owners", shown=Shown.OBJECTS, opens="identity"),
                Field(name="requestable", shown=Shown.YES_NO),
                Field(name="provisioning", shown=Shown.WORD),
                Field(name="created_at", shown=Shown.DAY),
                Field(name="updated_at", shown=Shown.MOMENT),
            ),
        ),
        FactGroup(
            heading=mark("Connection"),
            fields=(
                Field(name="connection", shown=Shown.WORD),
                Field(name="connection_state", shown=Shown.STATE),
                Field(name="connection_tested_at", shown=Shown.MOMENT),
            ),
        ),
    ),
    actions=APPLICATION_ACTIONS,
    parts=(
        PartKind(
            key="connection",
            heading=mark("Connection settings"),
            empty=mark("Nova does not reach this application. Connect it, or keep setting access up by hand."),
            endpoint=CONNECTION,
            path=CONNECTION_PATH,
            columns=(),
            read=connection_in,
            size=0,
            sees=administrators_only,
            facts=facts_of,
            actions=CONNECTION_ACTIONS,
        ),
        PartKind(
            key="entitlements",
            heading=mark("Entitlements"),
            empty=mark("No entitlement of this application that you may see."),
            endpoint="GET /entitlements",
            query=lambda one: {"application_id": text_at(one, "id")},
            sees=overseers_only,
            columns=(
                Field(name="display_name", strong=True),
                Field(name="native_name", label=mark("Name in the application"), shown=Shown.LITERAL, minor=True),
                Field(name="holder_count", label=mark("Holders"), shown=Shown.NUMBER),
                Field(name="risk", shown=Shown.STATE),
                STATUS,
            ),
            row_actions=(EDIT_ENTITLEMENT,),
        ),
        PartKind(
            key="roles",
            heading=mark("Roles"),
            empty=mark("No role of this application that you may see."),
            endpoint="GET /roles",
            query=lambda one: {"application_id": text_at(one, "id")},
            opens="role",
            opens_for=everybody,
            columns=(
                Field(name="display_name", strong=True),
                Field(name="description", minor=True),
                Field(name="holder_count", label=mark("Holders"), shown=Shown.NUMBER),
                Field(name="risk", shown=Shown.STATE),
                STATUS,
            ),
            all_at=lambda one: f"/roles?application_id={text_at(one, 'id')}",
        ),
    ),
)
