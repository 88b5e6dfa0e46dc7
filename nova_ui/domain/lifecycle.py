"""What lifecycle routines may do, by type: closed lists that the API, the pages and the tools share."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class RoutineType(StrEnum):
    """What makes a routine look at an identity."""

    JOINER = "joiner"
    MOVER = "mover"
    LEAVER = "leaver"
    INACTIVITY = "inactivity"
    END_DATE = "end_date"
    EXPIRING_ACCESS = "expiring_access"


class RoutineAction(StrEnum):
    """What a routine does to an identity."""

    ACTIVATE = "activate"
    ASSIGN_ROLE = "assign_role"
    ADD_TO_GROUP = "add_to_group"
    NOTIFY = "notify"
    SUSPEND = "suspend"
    DISABLE = "disable"
    END_SESSIONS = "end_sessions"
    REVOKE_BIRTHRIGHTS = "revoke_birthrights"
    REVOKE_ASSIGNMENTS = "revoke_assignments"
    SET_ASSIGNMENT_END = "set_assignment_end"
    TRANSFER_TO_MANAGER = "transfer_to_manager"
    REMOVE_FROM_GROUPS = "remove_from_groups"


_A = RoutineAction
_ENDING: Final = frozenset({_A.END_SESSIONS, _A.TRANSFER_TO_MANAGER, _A.SET_ASSIGNMENT_END, _A.NOTIFY})

ALLOWED: Final[Mapping[RoutineType, frozenset[RoutineAction]]] = MappingProxyType(
    {
        RoutineType.JOINER: frozenset({_A.ACTIVATE, _A.ASSIGN_ROLE, _A.ADD_TO_GROUP, _A.NOTIFY}),
        RoutineType.MOVER: frozenset(
            {
                _A.ASSIGN_ROLE,
                _A.ADD_TO_GROUP,
                _A.REMOVE_FROM_GROUPS,
                _A.REVOKE_BIRTHRIGHTS,
                _A.SET_ASSIGNMENT_END,
                _A.NOTIFY,
            }
        ),
        RoutineType.LEAVER: _ENDING | {_A.REVOKE_ASSIGNMENTS, _A.REVOKE_BIRTHRIGHTS, _A.REMOVE_FROM_GROUPS},
        RoutineType.INACTIVITY: frozenset({_A.SUSPEND, _A.DISABLE, _A.END_SESSIONS, _A.NOTIFY}),
        RoutineType.END_DATE: _ENDING | {_A.SUSPEND, _A.DISABLE, _A.REMOVE_FROM_GROUPS},
        RoutineType.EXPIRING_ACCESS: frozenset({_A.NOTIFY}),
    }
)
"""Which actions make sense for which type."""

WITH_NOTICES: Final = frozenset(
    {RoutineType.JOINER, RoutineType.INACTIVITY, RoutineType.END_DATE, RoutineType.EXPIRING_ACCESS}
)
"""Types that know beforehand when something will happen, and can say so some days before."""
