"""AI routine assistants and their runs as they are read."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_routine import AiRoutine, RunState, Trigger
from nova_ui.domain.identity import IdentityId, Language
from nova_ui.domain.schedule import BadSchedule, Cron
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.views.ai_routines import AiRoutineRunView, AiRoutineView, RunCall, RunNotice
from storage.nova.ai_tables import AiRoutineRow, AiRoutineRunRow
from storage.nova.names import identity_names
from storage.nova.sessions import ACTIVE
from storage.nova.tables import IdentityRow


def routine_of(row: AiRoutineRow) -> AiRoutine:
    """Return a stored routine as the engine knows it."""
    return AiRoutine(
        key=row.key,
        names={language: row.names[language.value] for language in Language if row.names.get(language.value)},
        prompt=row.prompt,
        tool_names=frozenset(row.tool_names),
        acts_as=IdentityId(row.acts_as),
        model=row.model,
        read_only=row.read_only,
        enabled=row.enabled,
    )


def name_of(names: Mapping[str, str], key: str) -> str:
    """Return the name that entries and lists use: the English one, else any."""
    return names.get("en") or next(iter(names.values()), key)


def next_run_of(row: AiRoutineRow, now: datetime) -> datetime | None:
    """Return the next due moment; None while it is disabled."""
    if not row.enabled:
        return None
    try:
        return Cron(row.schedule, row.timezone).following(now)
    except BadSchedule:
        return None


async def routine_views(session: AsyncSession, rows: Sequence[AiRoutineRow], now: datetime) -> list[AiRoutineView]:
    """Return routines with the names of whom they name, and how their last runs ended."""
    names = await identity_names(session, (one for row in rows for one in (row.acts_as, *row.deliver_to)))
    active = select(IdentityRow.id).where(
        col(IdentityRow.id).in_([row.acts_as for row in rows]), col(IdentityRow.status) == ACTIVE
    )
    present = frozenset((await session.exec(active)).all())
    last = await _last_runs(session, [row.id for row in rows])
    return [
        AiRoutineView(
            id=row.key,
            key=row.key,
            display_name=name_of(row.names, row.key),
            names=routine_of(row).names,
            prompt=row.prompt,
            model=row.model,
            tool_names=row.tool_names,
            schedule=row.schedule,
            timezone=row.timezone,
            next_run_at=next_run_of(row, now),
            acts_as=ref_of(row.acts_as, names),
            acts_as_is_active=row.acts_as in present,
            deliver_to=[ref_of(one, names) for one in row.deliver_to],
            read_only=row.read_only,
            status="enabled" if row.enabled else "disabled",
            last_run_at=last[row.id].started_at if row.id in last else None,
            last_run_status=RunState(last[row.id].status) if row.id in last else None,
            version=row.version,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]


async def run_views(
    session: AsyncSession, rows: Sequence[AiRoutineRunRow], *, with_calls: bool = False
) -> list[AiRoutineRunView]:
    """Return runs with the names of whom they name."""
    named = (one for row in rows for one in (row.acts_as, row.started_by or "", *row.delivered_to) if one)
    names = await identity_names(session, named)
    return [
        AiRoutineRunView(
            id=row.id,
            routine_key=row.routine_key,
            display_name=name_of(row.names, row.routine_key),
            names=row.names,
            cause=Trigger(row.cause),
            due_at=row.due_at,
            started_by=None if row.started_by is None else ref_of(row.started_by, names),
            acts_as=ref_of(row.acts_as, names),
            status=RunState(row.status),
            answer=row.answer,
            notices=[RunNotice.model_validate(one) for one in row.notices],
            calls=[RunCall.model_validate(one) for one in row.calls] if with_calls else [],
            model=row.model,
            model_calls=_count(row, "model_calls"),
            tool_calls=_count(row, "tool_calls"),
            input_tokens=_count(row, "input_tokens"),
            output_tokens=_count(row, "output_tokens"),
            delivered_to=[ref_of(one, names) for one in row.delivered_to],
            started_at=row.started_at,
            finished_at=row.finished_at,
        )
        for row in rows
    ]


async def _last_runs(session: AsyncSession, routine_ids: Sequence[str]) -> dict[str, AiRoutineRunRow]:
    newest = (
        select(AiRoutineRunRow.routine_id, func.max(AiRoutineRunRow.started_at).label("started_at"))
        .where(col(AiRoutineRunRow.routine_id).in_(routine_ids))
        .group_by(col(AiRoutineRunRow.routine_id))
        .subquery()
    )
    found = select(AiRoutineRunRow).join(
        newest,
        (col(AiRoutineRunRow.routine_id) == newest.c.routine_id)
        & (col(AiRoutineRunRow.started_at) == newest.c.started_at),
    )
    return {row.routine_id: row for row in (await session.exec(found)).all()}


def _count(row: AiRoutineRunRow, name: str) -> int:
    value = row.usage.get(name)
    return value if isinstance(value, int) else 0
