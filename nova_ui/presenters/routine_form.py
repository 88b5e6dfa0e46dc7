"""The forms of a lifecycle routine: what was ticked becomes the list of its actions."""

from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.lifecycle import RoutineAction
from nova_ui.domain.text import mark
from nova_ui.presenters.object_form import Control, FormField
from nova_ui.presenters.routine_words import ACTIONS, TYPES

_A = RoutineAction
_PREFIX: Final = "do_"
# In the order in which they are done: what needs an active identity first, what takes away last.
_PLAIN: Final = (
    _A.ACTIVATE,
    _A.SUSPEND,
    _A.DISABLE,
    _A.END_SESSIONS,
    _A.TRANSFER_TO_MANAGER,
    _A.REVOKE_BIRTHRIGHTS,
    _A.REVOKE_ASSIGNMENTS,
    _A.REMOVE_FROM_GROUPS,
)
_RECIPIENTS: Final = {
    "tell_identity": mark("Notify the identity"),
    "tell_manager": mark("Notify the manager"),
    "tell_administrators": mark("Notify administrators"),
}
_TIMES: Final = (
    FormField(name="inactive_days", label=mark("Days without signing in (inactivity only)"), control=Control.NUMBER),
    FormField(
        name="grace_days",
        label=mark("Days of grace (leaver and end date only)"),
        control=Control.NUMBER,
        clears=False,
    ),
)
_SAFETY: Final = (
    FormField(name="schedule", label=mark("Schedule, as cron has it"), default="0 2 * * *", clears=False),
    FormField(name="timezone", default="UTC", clears=False),
    FormField(name="max_affected", label=mark("At most affected"), control=Control.NUMBER, default=20, clears=False),
)
_CONDITION: Final = FormField(
    name="condition", label=mark('Condition, such as department eq "Sales"'), control=Control.LONG_TEXT
)
EDIT_FIELDS: Final = (
    _CONDITION,
    *_TIMES,
    *_SAFETY,
    FormField(name="dry_run", label=mark("Only rehearses"), control=Control.YES_NO, clears=False),
)
NEW_FIELDS: Final = (
    FormField(name="key", label=mark("Key, such as leavers"), required=True),
    FormField(name="name_en", label=mark("Name in English"), required=True),
    FormField(name="name_de", label=mark("Name in German")),
    FormField(name="type", control=Control.CHOICE, choices=TYPES, required=True),
    *(
        FormField(name=f"{_PREFIX}{action}", label=ACTIONS[action], control=Control.YES_NO, default=False)
        for action in _PLAIN
    ),
    FormField(name="role_id", label=ACTIONS[_A.ASSIGN_ROLE], control=Control.ONE, of="role"),
    FormField(name="group_id", label=ACTIONS[_A.ADD_TO_GROUP], control=Control.ONE, of="group"),
    FormField(name="end_days", label=mark("Let roles end after so many days"), control=Control.NUMBER),
    *(FormField(name=name, label=label, control=Control.YES_NO, default=False) for name, label in _RECIPIENTS.items()),
    FormField(name="notice", label=mark("Announce so many days before"), control=Control.NUMBER),
    _CONDITION,
    *_TIMES,
    *_SAFETY,
)


def shape_routine(body: JsonObject, _current: JsonObject) -> JsonObject:
    """Return the body of a new routine for what the form gave."""
    actions: list[JsonValue] = [{"action": action.value} for action in _PLAIN if body.get(f"{_PREFIX}{action}") is True]
    if body.get("role_id"):
        actions.append({"action": _A.ASSIGN_ROLE.value, "role_id": body["role_id"]})
    if body.get("group_id"):
        actions.append({"action": _A.ADD_TO_GROUP.value, "group_id": body["group_id"]})
    if body.get("end_days"):
        actions.append({"action": _A.SET_ASSIGNMENT_END.value, "days": body["end_days"]})
    told: list[JsonValue] = [name.removeprefix("tell_") for name in _RECIPIENTS if body.get(name) is True]
    if told:
        actions.append({"action": _A.NOTIFY.value, "recipients": told})
    names = {language: body[f"name_{language}"] for language in ("en", "de") if body.get(f"name_{language}")}
    kept = ("key", "type", "condition", "inactive_days", "grace_days", "schedule", "timezone", "max_affected")
    shaped: JsonObject = {name: body[name] for name in kept if name in body}
    return {
        **shaped,
        "names": names,
        "actions": actions,
        "notice_days": [body["notice"]] if body.get("notice") else [],
    }
