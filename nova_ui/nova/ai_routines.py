"""Administration of AI routine assistants, from the interface only (rule B6)."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Final

from sqlalchemy import delete
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_routine import AiRoutine
from nova_ui.domain.folding import searchable
from nova_ui.domain.schedule import BadSchedule, Cron
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.guardrails.unattended import find_unusable
from nova_ui.nova.ai_routine_views import name_of, routine_of, routine_views
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.permissions import require_found, require_interface
from nova_ui.nova.views import Done, Impact, ObjectRef, Page
from nova_ui.nova.views.ai_routines import AiRoutineCreate, AiRoutinePatch, AiRoutineQuery, AiRoutineView
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.ai_tables import AiRoutineRow, AiRoutineRunRow
from storage.nova.folded import contains_words
from storage.nova.locks import take_lock
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.present_identities import find_active
from storage.nova.rows import lock_row

SORT_COLUMNS: Final = {"key": "key", "created_at": "created_at", "updated_at": "updated_at"}
SHORTEST_GAP: Final = timedelta(minutes=15)

CheckModel = Callable[[AsyncSession, str | None], Awaitable[None]]


class AiRoutines:
    """AI routine assistants as administrators create, change, switch and delete them; `tools` are all there are."""

    def __init__(self, core: Core, tools: Mapping[str, AnyTool], check_model: CheckModel) -> None:
        self._core = core
        self._tools = tools
        self._check_model = check_model

    async def list_page(self, context: RequestContext, query: AiRoutineQuery) -> Page[AiRoutineView]:
        """Return a page of AI routine assistants."""
        require_interface(context)
        async with self._core.database.reading() as session:
            statement = select(AiRoutineRow)
            if query.q is not None:
                statement = statement.where(contains_words(AiRoutineRow.search_text, query.q))
            if query.status is not None:
                statement = statement.where(col(AiRoutineRow.enabled).is_(query.status == "enabled"))
            found = await read_slice(
                session,
                statement,
                Order.by(AiRoutineRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await routine_views(session, found.rows, self._core.clock.now()))

    async def get(self, context: RequestContext, key: str) -> AiRoutineView:
        """Return one AI routine assistant.

        Raises:
            NovaNotFound: there is none.

        """
        require_interface(context)
        async with self._core.database.reading() as session:
            return await self._view(session, await _found(session, key))

    async def create(self, context: RequestContext, body: AiRoutineCreate) -> AiRoutineView:
        """Add an AI routine assistant; it is disabled until somebody enables it.

        Raises:
            NovaConflict: the key is taken.
            NovaInvalid: a tool is destructive or unknown, the schedule is none, or somebody named is not active.

        """
        target = _target(body.key, {language.value: name for language, name in body.names.items()})
        async with self._core.writer.writing(context, "ai_routine.created", target) as write:
            require_interface(context)
            await take_lock(write.session, f"nova.ai_routine.{body.key}")
            if await _find(write.session, body.key) is not None:
                raise NovaConflict("An AI routine assistant with this key exists already.", field="key")
            values = body.model_dump(mode="json")
            row = AiRoutineRow(
                id=new_id("air"),
                search_text=_search_text(body.key, values["names"]),
                scheduled_since=write.now,
                created_at=write.now,
                updated_at=write.now,
                **values,
            )
            await self._check(write.session, row, set(values))
            write.session.add(row)
            await write.session.flush()
            await write.log("ai_routine.created", target, details={"changes": changes_between({}, values)})
            await _tell_lender(write, row)
            return await self._view(write.session, row)

    async def update(
        self, context: RequestContext, key: str, body: AiRoutinePatch, if_match: str | None
    ) -> AiRoutineView:
        """Change an AI routine assistant; the whole of it must be usable afterwards.

        Raises:
            NovaInvalid: as for a new one.
            NovaPreconditionFailed: it is no longer what `if_match` names.

        """
        async with self._core.writer.writing(context, "ai_routine.updated", Target("ai_routine", key)) as write:
            require_interface(context)
            row = await _locked(write, key)
            check_version(row.version, if_match)
            given = body.model_dump(exclude_unset=True, mode="json")
            before = {name: getattr(row, name) for name in given}
            values = {name: value for name, value in given.items() if before[name] != value}
            if not values:
                return await self._view(write.session, row)
            after = AiRoutineRow(**{**row.model_dump(), **values})
            await self._check(write.session, after, {*values, *(("tool_names",) if "read_only" in values else ())})
            restarts = {"scheduled_since": write.now} if {"schedule", "timezone"} & set(values) else {}
            await write.change(row, {**values, **restarts, "search_text": _search_text(key, after.names)}, if_match)
            await write.log("ai_routine.updated", write.target, details={"changes": changes_between(before, values)})
            if "acts_as" in values:
                await _tell_lender(write, row)
            return await self._view(write.session, row)

    async def switch(self, context: RequestContext, key: str, if_match: str | None, *, enabled: bool) -> AiRoutineView:
        """Let the schedule count from now on, or no longer; a run that is under way ends when it is disabled.

        Raises:
            NovaInvalid: it could not run as it is: the identity that it acts as is not active, or a tool is gone.

        """
        action = "ai_routine.enabled" if enabled else "ai_routine.disabled"
        async with self._core.writer.writing(context, action, Target("ai_routine", key)) as write:
            require_interface(context)
            row = await _locked(write, key)
            check_version(row.version, if_match)
            if row.enabled is not enabled:
                if enabled:
                    await self._check(write.session, row, set(AiRoutineCreate.model_fields))
                await write.change(row, {"enabled": enabled, "scheduled_since": write.now}, if_match)
                await write.log(action, write.target)
            return await self._view(write.session, row)

    async def impact_of_delete(self, context: RequestContext, key: str) -> Impact:
        """Return what deleting an AI routine assistant would do."""
        require_interface(context)
        async with self._core.database.reading() as session:
            row = await _found(session, key)
            subject = ObjectRef(type="ai_routine", id=row.id, display=name_of(row.names, key))
            return await weigh(subject, _plan_delete(session, row))

    async def delete(self, context: RequestContext, key: str, if_match: str | None) -> Done[AiRoutineView]:
        """Delete an AI routine assistant with what is kept of its runs; notifications stay with their recipients."""
        async with self._core.writer.writing(context, "ai_routine.deleted", Target("ai_routine", key)) as write:
            require_interface(context)
            row = await _locked(write, key)
            check_version(row.version, if_match)
            planned = await _plan_delete(write.session, row)
            shown = await self._view(write.session, row)
            await write.session.exec(delete(AiRoutineRunRow).where(col(AiRoutineRunRow.routine_id) == row.id))
            await write.session.delete(row)
            await write.session.flush()
            await write.log("ai_routine.deleted", write.target)
            return Done(object=shown, effects=[one.effect for one in planned])

    async def find(self, key: str) -> AiRoutine | None:
        """Return a routine as it is now, for a run that is under way (rules A2, B7)."""
        async with self._core.database.reading() as session:
            row = await _find(session, key)
        return None if row is None else routine_of(row)

    async def _check(self, session: AsyncSession, row: AiRoutineRow, fields: set[str]) -> None:
        if fields & {"schedule", "timezone"}:
            self._check_schedule(row)
        if "tool_names" in fields:
            self._check_tools(row)
        if "model" in fields:
            await self._check_model(session, row.model)
        if "acts_as" in fields and await find_active(session, row.acts_as) is None:
            raise NovaInvalid("The identity whose rights are used must be active.", field="acts_as")
        for identity_id in row.deliver_to if "deliver_to" in fields else ():
            if await find_active(session, identity_id) is None:
                raise NovaInvalid("Whoever gets the answer must be active.", field="deliver_to")

    def _check_tools(self, row: AiRoutineRow) -> None:
        unknown = sorted(set(row.tool_names) - set(self._tools))
        if unknown:
            raise NovaInvalid(f"{len(unknown)} of the tools do not exist.", field="tool_names")
        unusable = find_unusable(sorted(row.tool_names), self._tools, routine_of(row).kinds)
        if unusable:
            raise NovaInvalid(
                f"Not possible in a routine that {'only reads' if row.read_only else 'nobody watches'}: "
                f"{', '.join(unusable[:5])}. Destructive tools never run in a routine.",
                field="tool_names",
                extra={"tools": list(unusable)},
            )

    def _check_schedule(self, row: AiRoutineRow) -> None:
        try:
            gap = Cron(row.schedule, row.timezone).shortest_gap(self._core.clock.now())
        except BadSchedule as bad:
            field = "timezone" if "time zone" in str(bad) else "schedule"
            raise NovaInvalid(f"The schedule {bad}.", field=field) from None
        if gap is not None and gap < SHORTEST_GAP:
            raise NovaInvalid("A routine runs at most every 15 minutes.", field="schedule", extra={"rule": "gap"})

    async def _view(self, session: AsyncSession, row: AiRoutineRow) -> AiRoutineView:
        return (await routine_views(session, [row], self._core.clock.now()))[0]


async def _plan_delete(session: AsyncSession, row: AiRoutineRow) -> list[Planned]:
    runs = select(AiRoutineRunRow.id).where(col(AiRoutineRunRow.routine_id) == row.id)
    found = (await session.exec(runs)).all()
    return [Planned(type="ai_routine_run", id=run_id, display="", result="deleted") for run_id in found]


async def _find(session: AsyncSession, key: str) -> AiRoutineRow | None:
    return (await session.exec(select(AiRoutineRow).where(col(AiRoutineRow.key) == key))).one_or_none()


async def _found(session: AsyncSession, key: str) -> AiRoutineRow:
    return require_found(await _find(session, key), "AI routine assistant")


async def _locked(write: Write, key: str) -> AiRoutineRow:
    found = await _found(write.session, key)
    row = require_found(await lock_row(write.session, AiRoutineRow, found.id), "AI routine assistant")
    write.target = _target(key, row.names)
    return row


async def _tell_lender(write: Write, row: AiRoutineRow) -> None:
    """Tell the identity whose rights are used; who set it up for themselves knows."""
    if row.acts_as != write.asker.identity.id:
        values = {"routine": name_of(row.names, row.key)}
        await notify(write, [row.acts_as], Notice(kind=NoticeKind.AI_ROUTINE_ACTS_AS, values=values))


def _target(key: str, names: Mapping[str, str]) -> Target:
    return Target("ai_routine", key, name_of(names, key))


def _search_text(key: str, names: Mapping[str, str]) -> str:
    return searchable(key, *names.values())
