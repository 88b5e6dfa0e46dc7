"""What administrators do with a lifecycle routine: make, change, rehearse, run, enable, disable and delete it."""

from dataclasses import replace
from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Offered, Weighing, path_of
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.routine_form import EDIT_FIELDS, NEW_FIELDS, shape_routine

LIST_PATH: Final = "/administration/routines"
_ONE: Final = "GET /lifecycle-routines/{routine_id}"
_PATH: Final = path_of("routine_id")


def _is(status: str) -> Offered:
    def is_offered(person: Identity, one: JsonObject) -> bool:
        return person.is_administrator and text_at(one, "status") == status

    return is_offered


NEW_ROUTINE: Final = Action(
    key="new",
    label=mark("New routine"),
    sentence=mark("Create a lifecycle routine"),
    done=mark("The routine is created. It is disabled and only rehearses."),
    icon="add",
    endpoint="POST /lifecycle-routines",
    fields=NEW_FIELDS,
    shape=shape_routine,
    leaves=f"{LIST_PATH}/",
)
_STATE_OF_IT: Final = (
    Field(name="display_name"),
    Field(name="dry_run", label=mark("Only rehearses"), shown=Shown.YES_NO),
    Field(name="max_affected", label=mark("At most affected"), shown=Shown.NUMBER),
)


def _simple(key: str, *, label: str, sentence: str, done: str, icon: str, when: Offered) -> Action:
    return Action(
        key=key,
        label=label,
        sentence=sentence,
        done=done,
        icon=icon,
        endpoint=f"POST /lifecycle-routines/{{routine_id}}/{key}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=_STATE_OF_IT,
        is_offered=when,
    )


# What it would do now is read in place of the routine itself, of which the target tells the rest.
_PREVIEW: Final = "POST /lifecycle-routines/{routine_id}/preview"
_WOULD_DO: Final = (
    Field(name="affected", label=mark("Affected now"), shown=Shown.NUMBER),
    Field(name="max_affected", label=mark("At most affected"), shown=Shown.NUMBER),
    Field(name="actions", label=mark("Steps"), shown=Shown.COUNTS),
    Field(name="dry_run", label=mark("Only rehearses"), shown=Shown.YES_NO),
    Field(name="would_stop", label=mark("Stops before the first step"), shown=Shown.YES_NO),
)


def _run(key: str, *, label: str, sentence: str, icon: str, body: JsonObject, state: tuple[Field, ...]) -> Action:
    return Action(
        key=key,
        label=label,
        sentence=sentence,
        done=mark("The run has begun. Past runs show what it does."),
        icon=icon,
        endpoint="POST /lifecycle-routines/{routine_id}/run",
        path=_PATH,
        reads=_PREVIEW,
        reads_path=_PATH,
        state=state,
        shape=lambda _, __: body,
    )


RUN_NOW: Final = replace(
    _run(
        "run",
        label=mark("Run now"),
        sentence=mark("Run “{subject}” now"),
        icon="play_arrow",
        body={},
        state=_WOULD_DO,
    ),
    is_offered=_is("enabled"),
)
REHEARSE: Final = _run(
    "rehearse",
    label=mark("Rehearse"),
    sentence=mark("Rehearse “{subject}”: the run is listed, and nothing is changed"),
    icon="theater_comedy",
    body={"dry_run": True},
    state=tuple(one for one in _WOULD_DO if one.name != "dry_run"),
)

ROUTINE_ACTIONS: Final = (
    RUN_NOW,
    REHEARSE,
    _simple(
        "enable",
        label=mark("Enable"),
        sentence=mark("Let {subject} run by its schedule"),
        done=mark("The routine is enabled."),
        icon="toggle_on",
        when=_is("disabled"),
    ),
    _simple(
        "disable",
        label=mark("Disable"),
        sentence=mark("Let {subject} rest"),
        done=mark("The routine is disabled."),
        icon="toggle_off",
        when=_is("enabled"),
    ),
    Action(
        key="edit",
        label=mark("Edit"),
        sentence=mark("Change {subject}"),
        done=mark("The change is stored."),
        icon="edit",
        endpoint="PATCH /lifecycle-routines/{routine_id}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        fields=EDIT_FIELDS,
        shape=shape_routine,
        is_patch=True,
    ),
    Action(
        key="delete",
        label=mark("Delete"),
        sentence=mark("Delete the routine {subject}"),
        done=mark("The routine is deleted."),
        icon="delete",
        endpoint="DELETE /lifecycle-routines/{routine_id}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=_STATE_OF_IT,
        weighing=Weighing(endpoint=f"{_ONE}/impact", path=_PATH, query=lambda _: {"action": "delete"}),
        is_offered=_is("disabled"),
        leaves=LIST_PATH,
    ),
)
