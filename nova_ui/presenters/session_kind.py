"""Sessions: who is signed in, from where, and ending it."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Weighing, path_of
from nova_ui.presenters.directory_words import SESSION_STATUS
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.list_filters import Filter, FilterKind
from nova_ui.presenters.object_list import ListKind

_PATH: Final = path_of("session_id")

SESSION_COLUMNS: Final = (
    Field(name="identity", label=mark("Identity"), shown=Shown.OBJECT, opens="identity", strong=True),
    Field(name="user_agent", label=mark("Browser"), shown=Shown.BROWSER),
    Field(name="ip", label=mark("Address"), shown=Shown.LITERAL, minor=True),
    Field(name="created_at", label=mark("Signed in at"), shown=Shown.MOMENT, minor=True),
    Field(name="last_seen_at", shown=Shown.MOMENT),
    Field(name="status", shown=Shown.STATE),
)


def _may_be_ended(person: Identity, row: JsonObject) -> bool:
    return person.is_administrator and text_at(row, "status") == "active" and row.get("current") is not True


END_SESSION: Final = Action(
    key="end",
    label=mark("End"),
    sentence=mark("End the session of {subject}"),
    done=mark("The session is over."),
    endpoint="DELETE /sessions/{session_id}",
    path=_PATH,
    state=SESSION_COLUMNS,
    name="identity.display_name",
    weighing=Weighing(endpoint="GET /sessions/{session_id}/impact", path=_PATH, query=lambda _: {"action": "end"}),
    is_offered=_may_be_ended,
)

SESSION_LIST: Final = ListKind(
    endpoint="GET /sessions",
    label=mark("Sessions"),
    search=mark("Search by person"),
    icon="devices",
    empty=mark("Nobody is signed in."),
    columns=SESSION_COLUMNS,
    row_actions=(END_SESSION,),
    sorts={
        "-last_seen_at": mark("Last seen first"),
        "-created_at": mark("Newest first"),
        "created_at": mark("Oldest first"),
    },
    filters=(
        Filter(name="status", label=mark("Status"), choices=SESSION_STATUS),
        Filter(name="ip", label=mark("Address"), kind=FilterKind.TEXT, suggests="ip"),
        Filter(name="identity_id", label=mark("Identity"), kind=FilterKind.OBJECT, names="identity"),
    ),
)
