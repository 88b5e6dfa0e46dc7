"""Whether a routine makes sense as a whole, before it is stored."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.lifecycle import ALLOWED, WITH_NOTICES, RoutineAction, RoutineType
from nova_ui.domain.schedule import BadSchedule, Cron
from nova_ui.errors import NovaInvalid
from nova_ui.nova.list_filters import IDENTITIES, understood
from storage.nova.tables import GroupRow, RoleRow

SHORTEST_GAP: Final = timedelta(minutes=5)
_WITH_GRACE: Final = frozenset({RoutineType.LEAVER, RoutineType.END_DATE})


async def check_routine(session: AsyncSession, values: Mapping[str, object], now: datetime) -> None:
    """Refuse a routine that can't work.

    Raises:
        NovaInvalid: names the field.

    """
    kind = RoutineType(str(values["type"]))
    check_schedule(str(values["schedule"]), str(values["timezone"]), now)
    _check_days(kind, values)
    condition = values["condition"]
    if isinstance(condition, str):
        understood(condition, {name: one.kind for name, one in IDENTITIES.items()}, "condition")
    actions = values["actions"]
    await _check_actions(session, kind, actions if isinstance(actions, list) else [])


def check_schedule(schedule: str, timezone: str, now: datetime) -> None:
    """Refuse what is no schedule, or one that comes round all too often.

    Raises:
        NovaInvalid: names the field.

    """
    try:
        cron = Cron(schedule, timezone)
    except BadSchedule as problem:
        field = "timezone" if "time zone" in str(problem) else "schedule"
        raise NovaInvalid(f"{field}: {problem}", field=field) from None
    gap = cron.shortest_gap(now)
    if gap is not None and gap < SHORTEST_GAP:
        raise NovaInvalid("schedule: must leave at least five minutes between two runs", field="schedule")


def _check_days(kind: RoutineType, values: Mapping[str, object]) -> None:
    if (kind is RoutineType.INACTIVITY) != (values["inactive_days"] is not None):
        raise NovaInvalid(
            "inactive_days: belongs to routines of the type inactivity, and only there", field="inactive_days"
        )
    if values["grace_days"] and kind not in _WITH_GRACE:
        raise NovaInvalid("grace_days: only leaver and end_date know days of grace", field="grace_days")
    notices = values["notice_days"]
    days = notices if isinstance(notices, list) else []
    if days and kind not in WITH_NOTICES:
        raise NovaInvalid(f"notice_days: nothing can be announced before a {kind}", field="notice_days")
    if not days and kind is RoutineType.EXPIRING_ACCESS:
        raise NovaInvalid("notice_days: says when to announce that access ends", field="notice_days")
    if len(set(days)) != len(days):
        raise NovaInvalid("notice_days: a number stands there twice", field="notice_days")


async def _check_actions(session: AsyncSession, kind: RoutineType, actions: Sequence[Mapping[str, JsonValue]]) -> None:
    seen: set[tuple[JsonValue, ...]] = set()
    for place, action in enumerate(actions):
        field = f"actions.{place}"
        name = RoutineAction(str(action["action"]))
        if name not in ALLOWED[kind]:
            raise NovaInvalid(f"{field}: {name} is no action of the type {kind}", field=field)
        key = (name, action.get("role_id"), action.get("group_id"))
        if key in seen:
            raise NovaInvalid(f"{field}: stands there twice", field=field)
        seen.add(key)
        await _check_object(session, action, field)


async def _check_object(session: AsyncSession, action: Mapping[str, JsonValue], field: str) -> None:
    role_id, group_id = action.get("role_id"), action.get("group_id")
    if isinstance(role_id, str):
        role = await session.get(RoleRow, role_id)
        if role is None or role.status != "active":
            raise NovaInvalid(f"{field}.role_id: there is no such role in use", field=f"{field}.role_id")
    if isinstance(group_id, str):
        group = await session.get(GroupRow, group_id)
        if group is None or group.membership != "manual" or group.source != "nova":
            raise NovaInvalid(f"{field}.group_id: there is no such group kept by hand", field=f"{field}.group_id")
