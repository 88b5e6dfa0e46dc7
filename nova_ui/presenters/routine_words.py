"""Lifecycle routines in words: what makes them look, what they do and why."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.lifecycle import RoutineAction, RoutineType
from nova_ui.domain.text import mark

TYPES: Final[Mapping[str, str]] = {
    RoutineType.JOINER.value: mark("Joiner"),
    RoutineType.MOVER.value: mark("Mover"),
    RoutineType.LEAVER.value: mark("Leaver"),
    RoutineType.INACTIVITY.value: mark("Inactivity"),
    RoutineType.END_DATE.value: mark("End date"),
    RoutineType.EXPIRING_ACCESS.value: mark("Expiring access"),
}
STATES: Final[Mapping[str, str]] = {"enabled": mark("enabled"), "disabled": mark("disabled")}
ACTIONS: Final[Mapping[str, str]] = {
    RoutineAction.ACTIVATE.value: mark("Activate the identity"),
    RoutineAction.ASSIGN_ROLE.value: mark("Assign a role"),
    RoutineAction.ADD_TO_GROUP.value: mark("Add to a group"),
    RoutineAction.NOTIFY.value: mark("Send a notification"),
    RoutineAction.SUSPEND.value: mark("Suspend the identity"),
    RoutineAction.DISABLE.value: mark("Disable the identity"),
    RoutineAction.END_SESSIONS.value: mark("End all sessions"),
    RoutineAction.REVOKE_BIRTHRIGHTS.value: mark("Take birthrights away"),
    RoutineAction.REVOKE_ASSIGNMENTS.value: mark("Take all roles away"),
    RoutineAction.SET_ASSIGNMENT_END.value: mark("Let roles end"),
    RoutineAction.TRANSFER_TO_MANAGER.value: mark("Hand everything to the manager"),
    RoutineAction.REMOVE_FROM_GROUPS.value: mark("Remove from groups"),
    "notice": mark("Announce it beforehand"),
}
REASONS: Final[Mapping[str, str]] = {
    "start_date": mark("begins on this day"),
    "end_date": mark("last day"),
    "inactive": mark("last signed in"),
    "never_signed_in": mark("never signed in, created"),
    "expiring": mark("a role ends"),
    "moved": mark("manager, department or title changed"),
    "disabled": mark("was disabled"),
}
STEP_STATES: Final[Mapping[str, str]] = {
    "planned": mark("planned"),
    "done": mark("done"),
    "skipped": mark("nothing to do"),
    "failed": mark("failed"),
    "rehearsed": mark("only rehearsed"),
    "running": mark("running"),
    "stopped": mark("stopped"),
}
REFUSALS: Final[Mapping[str, str]] = {
    "last_administrator": mark("Nova refuses: the last administrator"),
    "protected_object": mark("Nova refuses: a protected identity"),
    "state_conflict": mark("Nova refuses: not in this state"),
}
RECIPIENTS: Final[Mapping[str, str]] = {
    "identity": mark("The identity itself"),
    "manager": mark("The manager"),
    "administrators": mark("Administrators"),
}
