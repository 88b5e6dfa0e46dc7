"""How a routine is shown: with the names its actions speak of, its last run and its next moment."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.schedule import Cron
from nova_ui.nova.lifecycle_runs import display_of, last_runs
from nova_ui.nova.views.lifecycle import RoutineView, RunView
from storage.nova.lifecycle_tables import LifecycleRoutineRow
from storage.nova.tables import GroupRow, RoleRow


async def routine_views(
    session: AsyncSession, rows: Sequence[LifecycleRoutineRow], now: datetime, language: Language
) -> list[RoutineView]:
    """Return routines with all names, each called by the one in the reader's language."""
    runs = await last_runs(session, [row.id for row in rows], language)
    names = await _names_in(session, [action for row in rows for action in row.actions])
    return [_view(row, runs.get(row.id), names, now, language) for row in rows]


async def _names_in(session: AsyncSession, actions: Sequence[Mapping[str, JsonValue]]) -> Mapping[str, str]:
    roles = {str(action["role_id"]) for action in actions if action.get("role_id")}
    groups = {str(action["group_id"]) for action in actions if action.get("group_id")}
    names: dict[str, str] = {}
    if roles:
        names |= dict(
            (await session.exec(select(RoleRow.id, RoleRow.display_name).where(col(RoleRow.id).in_(roles)))).all()
        )
    if groups:
        found = select(GroupRow.id, GroupRow.display_name).where(col(GroupRow.id).in_(groups))
        names |= dict((await session.exec(found)).all())
    return names


def _view(
    row: LifecycleRoutineRow, last_run: RunView | None, names: Mapping[str, str], now: datetime, language: Language
) -> RoutineView:
    spoken_of = {str(value) for action in row.actions for value in action.values()}
    return RoutineView(
        id=row.id,
        key=row.key,
        display_name=display_of(row.names, row.key, language),
        names={Language(language): name for language, name in row.names.items()},
        type=row.type,
        condition=row.condition,
        actions=row.actions,
        action_names={one: name for one, name in names.items() if one in spoken_of},
        inactive_days=row.inactive_days,
        grace_days=row.grace_days,
        notice_days=sorted(row.notice_days, reverse=True),
        schedule=row.schedule,
        timezone=row.timezone,
        dry_run=row.dry_run,
        max_affected=row.max_affected,
        status=row.status,
        next_due_at=Cron(row.schedule, row.timezone).following(now) if row.status == "enabled" else None,
        last_run=last_run,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
