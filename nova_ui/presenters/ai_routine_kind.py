"""AI routine assistants: the list, and one with its runs; administered in the interface only (rule B6)."""

from typing import Final

from nova_ui.domain.identity import Identity, Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Weighing, path_of
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.list_filters import Filter
from nova_ui.presenters.object_form import Control, FormField
from nova_ui.presenters.object_list import ListKind
from nova_ui.presenters.object_page import FactGroup, ObjectKind, PartKind

STATUS: Final = {"enabled": mark("enabled"), "disabled": mark("disabled")}
_ONE: Final = "GET /administration/ai-routines/{key}"
_PATH: Final = path_of("key")
_SORTS: Final = {
    "key": mark("Key, A to Z"),
    "-created_at": mark("Newest first"),
    "-updated_at": mark("Last changed first"),
}
_NAMES: Final = (
    FormField(name="name_en", label=mark("Name (English)"), at="names.en"),
    FormField(name="name_de", label=mark("Name (German)"), at="names.de"),
)
_TASK: Final = FormField(
    name="prompt", label=mark("Task (prompt)"), control=Control.LONG_TEXT, required=True, clears=False
)
_WHEN: Final = (
    FormField(
        name="schedule",
        label=mark("Schedule"),
        control=Control.SCHEDULE,
        required=True,
        clears=False,
        default="0 7 * * 1",
    ),
    FormField(name="timezone", label=mark("Time zone, such as Europe/Berlin"), clears=False, default="UTC"),
)
_WHO: Final = (
    FormField(
        name="acts_as",
        label=mark("Acts with the rights of"),
        control=Control.ONE,
        of="person",
        required=True,
        clears=False,
    ),
    FormField(
        name="deliver_to",
        label=mark("Answer goes to"),
        control=Control.SEVERAL,
        of="person",
        required=True,
        clears=False,
    ),
)
_MODEL: Final = FormField(name="model", label=mark("Model: a profile of the AI configuration; empty is the default"))
_WRITING: Final = FormField(
    name="read_only",
    label=mark("Only reads"),
    control=Control.YES_NO,
    default=True,
    clears=False,
)
_STATE: Final = (
    Field(name="display_name"),
    Field(name="schedule", label=mark("Runs"), shown=Shown.SCHEDULE),
    Field(name="acts_as", label=mark("Acts with the rights of"), shown=Shown.OBJECT),
    Field(name="status", shown=Shown.STATE),
)


def with_names(body: JsonObject, current: JsonObject) -> JsonObject:
    """Put the two names that the form asks for into the one object that Nova takes."""
    given = {language: body[f"name_{language.value}"] for language in Language if f"name_{language.value}" in body}
    rest = {name: value for name, value in body.items() if not name.startswith("name_")}
    if not given:
        return rest
    present = current.get("names")
    names = {**(present if isinstance(present, dict) else {}), **{one.value: name for one, name in given.items()}}
    return {**rest, "names": {language: name for language, name in names.items() if name}}


def _enabled(person: Identity, one: JsonObject) -> bool:
    return person.is_administrator and text_at(one, "status") == "enabled"


def _disabled(person: Identity, one: JsonObject) -> bool:
    return person.is_administrator and text_at(one, "status") == "disabled"


NEW_AI_ROUTINE: Final = Action(
    key="new",
    label=mark("New AI routine assistant"),
    sentence=mark("Create an AI routine assistant"),
    done=mark("Created and not enabled yet. Choose its tools, try it, then enable it."),
    icon="add",
    endpoint="POST /administration/ai-routines",
    fields=(
        FormField(name="key", label=mark("Key, such as weekly-report"), required=True),
        *_NAMES,
        _TASK,
        *_WHEN,
        *_WHO,
        _WRITING,
        _MODEL,
    ),
    shape=with_names,
    leaves="/administration/ai-routines/",
)

AI_ROUTINE_LIST: Final = ListKind(
    endpoint="GET /administration/ai-routines",
    label=mark("AI routine assistants"),
    search=mark("Search name and key"),
    icon="schedule",
    empty=mark("A routine runs a prompt by schedule, with the rights of an identity, and delivers the answer."),
    opens="ai_routine",
    actions=(NEW_AI_ROUTINE,),
    sorts=_SORTS,
    columns=(
        Field(name="display_name", strong=True),
        Field(name="schedule", label=mark("Runs"), shown=Shown.SCHEDULE),
        Field(name="acts_as", label=mark("Acts with the rights of"), shown=Shown.OBJECT, opens="identity", minor=True),
        Field(name="last_run_at", label=mark("Last run"), shown=Shown.MOMENT, minor=True),
        Field(name="last_run_status", label=mark("Result"), shown=Shown.STATE, minor=True),
        Field(name="status", shown=Shown.STATE),
    ),
    filters=(Filter(name="status", label=mark("Status"), choices=STATUS),),
)

_RUNS: Final = PartKind(
    key="runs",
    heading=mark("Last runs"),
    empty=mark("It has not run yet. Press “Run now” to try it."),
    endpoint="GET /ai-routine-runs",
    query=lambda one: {"routine_key": text_at(one, "key")},
    size=10,
    opens="ai_routine_run",
    columns=(
        Field(name="started_at", label=mark("Began"), shown=Shown.MOMENT, strong=True),
        Field(name="cause", label=mark("Cause"), shown=Shown.WORD, minor=True),
        Field(name="answer", label=mark("Answer"), shown=Shown.EXCERPT),
        Field(name="status", shown=Shown.STATE),
    ),
)


AI_ROUTINE: Final = ObjectKind(
    type="ai_routine",
    label=mark("AI routine assistant"),
    plural=mark("AI routine assistants"),
    list_path="/administration/ai-routines",
    endpoint=_ONE,
    parameter="key",
    badges=(Field(name="status", shown=Shown.STATE),),
    facts=(
        FactGroup(
            heading=mark("Task"),
            fields=(
                Field(name="prompt", label=mark("Task (prompt)")),
                Field(name="model", label=mark("Model")),
                Field(name="key", label=mark("Key"), shown=Shown.LITERAL),
            ),
        ),
        FactGroup(
            heading=mark("When and for whom"),
            fields=(
                Field(name="schedule", label=mark("Runs"), shown=Shown.SCHEDULE),
                Field(name="next_run_at", label=mark("Next run"), shown=Shown.MOMENT),
                Field(name="acts_as", label=mark("Acts with the rights of"), shown=Shown.OBJECT, opens="identity"),
                Field(name="acts_as_is_active", label=mark("Is active"), shown=Shown.YES_NO),
                Field(name="read_only", label=mark("Only reads"), shown=Shown.YES_NO),
                Field(name="deliver_to", label=mark("Answer goes to"), shown=Shown.OBJECTS, opens="identity"),
            ),
        ),
    ),
    parts=(_RUNS,),
    actions=(
        Action(
            key="edit",
            label=mark("Edit"),
            sentence=mark("Change {subject}"),
            done=mark("The change is stored."),
            icon="edit",
            endpoint="PATCH /administration/ai-routines/{key}",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            fields=(*_NAMES, _TASK, *_WHEN, *_WHO, _WRITING, _MODEL),
            is_patch=True,
            shape=with_names,
        ),
        Action(
            key="run",
            label=mark("Run now"),
            sentence=mark("Run {subject} now"),
            done=mark("The run has begun. Its answer is delivered when it is done."),
            icon="play_arrow",
            endpoint="POST /administration/ai-routines/{key}/run",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            state=_STATE,
        ),
        Action(
            key="enable",
            label=mark("Enable"),
            sentence=mark("Enable {subject}: it runs by its schedule from now on"),
            done=mark("It runs by its schedule from now on."),
            icon="toggle_on",
            endpoint="POST /administration/ai-routines/{key}/enable",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            state=_STATE,
            is_offered=_disabled,
        ),
        Action(
            key="disable",
            label=mark("Disable"),
            sentence=mark("Disable {subject}: it no longer runs by itself"),
            done=mark("It no longer runs by itself."),
            icon="toggle_off",
            endpoint="POST /administration/ai-routines/{key}/disable",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            state=_STATE,
            is_offered=_enabled,
        ),
        Action(
            key="delete",
            label=mark("Delete"),
            sentence=mark("Delete the AI routine assistant {subject} with its runs"),
            done=mark("The AI routine assistant is deleted."),
            icon="delete",
            endpoint="DELETE /administration/ai-routines/{key}",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            state=_STATE,
            weighing=Weighing(endpoint=f"{_ONE}/impact", path=_PATH, query=lambda _: {"action": "delete"}),
            leaves="/administration/ai-routines",
        ),
    ),
)
