"""What administrators can do to an application."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Offered, Weighing, path_of
from nova_ui.presenters.directory_words import PROVISIONING
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.object_form import Control, FormField

_ONE: Final = "GET /applications/{application_id}"
_PATH: Final = path_of("application_id")
_FIELDS: Final = (
    FormField(name="display_name", required=True, clears=False),
    FormField(name="description", control=Control.LONG_TEXT, emptied=""),
    FormField(name="owner_ids", control=Control.SEVERAL, of="person", at="owners", emptied=[]),
    FormField(name="requestable", control=Control.YES_NO, default=True, clears=False),
    FormField(name="provisioning", control=Control.CHOICE, choices=PROVISIONING, default="manual", clears=False),
)
_STATE: Final = (
    Field(name="display_name"),
    Field(name="owners", shown=Shown.OBJECTS),
    Field(name="connection", shown=Shown.WORD),
    Field(name="role_count", shown=Shown.NUMBER),
    Field(name="status", shown=Shown.STATE),
)
_REASON: Final = FormField(name="reason", control=Control.LONG_TEXT)


def _when(*status: str) -> Offered:
    def is_offered(person: Identity, one: JsonObject) -> bool:
        return person.is_administrator and text_at(one, "status") in status

    return is_offered


def _weighed(action: str) -> Weighing:
    return Weighing(endpoint=f"{_ONE}/impact", path=_PATH, query=lambda _: {"action": action})


NEW_APPLICATION: Final = Action(
    key="new",
    label=mark("New application"),
    sentence=mark("Create an application"),
    done=mark("The application is created as a draft."),
    icon="add_box",
    endpoint="POST /applications",
    fields=(FormField(name="key", label=mark("Key, such as crm"), required=True), *_FIELDS),
    leaves="/applications/",
)

APPLICATION_ACTIONS: Final = (
    Action(
        key="edit",
        label=mark("Edit"),
        sentence=mark("Change {subject}"),
        done=mark("The change is stored."),
        icon="edit",
        endpoint="PATCH /applications/{application_id}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        fields=_FIELDS,
        is_patch=True,
    ),
    Action(
        key="enable",
        label=mark("Enable"),
        sentence=mark("Take the application {subject} into service"),
        done=mark("The application is enabled."),
        icon="play_circle",
        endpoint="POST /applications/{application_id}/enable",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        fields=(_REASON,),
        is_offered=_when("draft", "disabled"),
    ),
    Action(
        key="disable",
        label=mark("Disable"),
        sentence=mark("Disable the application {subject}"),
        done=mark("The application is disabled."),
        icon="do_not_disturb_on",
        endpoint="POST /applications/{application_id}/disable",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=_STATE,
        weighing=_weighed("disable"),
        fields=(_REASON,),
        is_offered=_when("enabled", "draft"),
    ),
    Action(
        key="delete",
        label=mark("Delete"),
        sentence=mark("Delete the application {subject}"),
        done=mark("The application is deleted."),
        icon="delete",
        endpoint="DELETE /applications/{application_id}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=_STATE,
        weighing=_weighed("delete"),
        is_offered=_when("disabled"),
        leaves="/applications",
    ),
)
