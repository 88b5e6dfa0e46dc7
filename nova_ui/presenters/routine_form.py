"""The forms of a lifecycle routine: its names, its actions with what each needs, its days and its schedule."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.lifecycle import ALLOWED, RoutineAction, RoutineType
from nova_ui.domain.text import mark
from nova_ui.presenters.object_form import Control, FormField, RowKind
from nova_ui.presenters.routine_words import ACTIONS, RECIPIENTS, TYPES

_A = RoutineAction
_LANGUAGES: Final = ("en", "de")
_DAYS: Final = mark("After so many days")
# In the order in which they are best done: what needs an active identity first, what takes away last.
_PARAMETERS: Final[Mapping[RoutineAction, tuple[FormField, ...]]] = {
    _A.ACTIVATE: (),
    _A.ASSIGN_ROLE: (
        FormField(name="role_id", label=mark("Role"), control=Control.ONE, of="role", at="role", required=True),
        FormField(
            name="days", label=mark("For so many days (empty: as long as it may be held)"), control=Control.NUMBER
        ),
    ),
    _A.ADD_TO_GROUP: (
        FormField(
            name="group_id", label=mark("Group"), control=Control.ONE, of="manual_group", at="group", required=True
        ),
    ),
    _A.NOTIFY: (
        FormField(
            name="recipients", label=mark("Who is told"), control=Control.CHOICES, choices=RECIPIENTS, required=True
        ),
    ),
    _A.SUSPEND: (),
    _A.DISABLE: (),
    _A.END_SESSIONS: (),
    _A.TRANSFER_TO_MANAGER: (),
    _A.SET_ASSIGNMENT_END: (FormField(name="days", label=_DAYS, control=Control.NUMBER, required=True),),
    _A.REVOKE_BIRTHRIGHTS: (),
    _A.REVOKE_ASSIGNMENTS: (),
    _A.REMOVE_FROM_GROUPS: (),
}


def _fits(given: Mapping[str, object]) -> bool:
    """Whether an action makes sense for the type that the form says, or that the routine has."""
    kind = given.get("type")
    known = {str(one): one for one in RoutineType}
    return kind not in known or str(given.get("action")) in ALLOWED[known[str(kind)]]


_NAMES: Final = tuple(
    FormField(name=f"name_{language}", label=label, at=f"names.{language}", required=language == "en", clears=False)
    for language, label in zip(_LANGUAGES, (mark("Name in English"), mark("Name in German")), strict=True)
)
_WHAT: Final = (
    FormField(
        name="actions",
        label=mark("Actions, in this order"),
        control=Control.ROWS,
        kinds=tuple(RowKind(key=one.value, label=ACTIONS[one], fields=needs) for one, needs in _PARAMETERS.items()),
        kind_at="action",
        names_at="action_names",
        fits=_fits,
        required=True,
        clears=False,
    ),
    FormField(name="condition", label=mark('Condition, such as department eq "Sales"'), control=Control.LONG_TEXT),
    FormField(name="inactive_days", label=mark("Days without signing in (inactivity only)"), control=Control.NUMBER),
    FormField(
        name="grace_days",
        label=mark("Days of grace (leaver and end date only)"),
        control=Control.NUMBER,
        clears=False,
    ),
    FormField(name="notice_days", label=mark("Announce so many days before"), control=Control.NUMBERS, emptied=[]),
    FormField(name="schedule", label=mark("Schedule"), control=Control.SCHEDULE, default="0 2 * * *", required=True),
    FormField(name="timezone", default="UTC", required=True),
    FormField(name="max_affected", label=mark("At most affected"), control=Control.NUMBER, default=20, required=True),
)
EDIT_FIELDS: Final = (
    *_NAMES,
    *_WHAT,
    FormField(name="dry_run", label=mark("Only rehearses"), control=Control.YES_NO, clears=False),
)
NEW_FIELDS: Final = (
    FormField(name="key", label=mark("Key, such as leavers"), required=True),
    *_NAMES,
    FormField(name="type", control=Control.CHOICE, choices=TYPES, required=True),
    *_WHAT,
)


def shape_routine(body: JsonObject, current: JsonObject) -> JsonObject:
    """Return the body for what the form gave; a new name in one language keeps the one in the other."""
    named = {f"name_{language}": language for language in _LANGUAGES}
    names: JsonObject = {language: body[name] for name, language in named.items() if name in body}
    before = current.get("names")
    if names:
        names = {**(before if isinstance(before, dict) else {}), **names}
    kept: JsonObject = {name: value for name, value in body.items() if name not in named}
    return {**kept, "names": names} if names else kept
