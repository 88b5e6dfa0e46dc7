"""Applications: the list, and one application with its roles; for reading."""

from typing import Final

from nova_ui.domain.text import mark
from nova_ui.presenters.directory_words import APPLICATION_STATUS
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.list_filters import Filter, FilterKind
from nova_ui.presenters.object_list import ListKind
from nova_ui.presenters.object_page import FactGroup, ObjectKind, PartKind, everybody

STATUS: Final = Field(name="status", shown=Shown.STATE)

APPLICATION_LIST: Final = ListKind(
    endpoint="GET /applications",
    label=mark("Applications"),
    search=mark("Search name and description"),
    icon="apps",
    empty=mark("There is no application yet."),
    opens="application",
    columns=(
        Field(name="display_name", strong=True),
        Field(name="description", minor=True),
        Field(name="owners", shown=Shown.OBJECTS),
        Field(name="role_count", label=mark("Roles"), shown=Shown.NUMBER, minor=True),
        STATUS,
    ),
    filters=(
        Filter(name="status", label=mark("Status"), choices=APPLICATION_STATUS),
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
    parts=(
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
