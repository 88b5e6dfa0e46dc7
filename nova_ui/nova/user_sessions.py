"""Sessions: administrators and auditors see all, everybody their own; ended ones close pages and turns."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, and_, not_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth.policies import Policies
from nova_ui.domain.identity import SessionId
from nova_ui.domain.sign_in_policy import SessionRule
from nova_ui.errors import NovaConflict
from nova_ui.nova import list_filters
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.list_filters import filtered
from nova_ui.nova.permissions import oversees, require_administrator, require_found, require_overseer
from nova_ui.nova.views import Done, Impact, ObjectRef, Page, SessionQuery, SessionView
from storage.nova import sessions as stored
from storage.nova.folded import contains_words
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.tables import IdentityRow, SessionRow

SORT_COLUMNS: Final = {"created_at": "created_at", "last_seen_at": "last_seen_at"}


class UserSessions:
    """Signed-in periods as the caller may see and end them."""

    def __init__(self, core: Core, policies: Policies) -> None:
        self._core = core
        self._policies = policies

    async def list_page(
        self, context: RequestContext, query: SessionQuery, *, own_only: bool = False
    ) -> Page[SessionView]:
        """Return a page of sessions; with `own_only` the caller's.

        Raises:
            NovaForbidden: the caller asks for others' sessions and oversees nothing.

        """
        if not own_only:
            require_overseer(context.identity)
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            rule = (await self._policies.within(session)).session
            wanted = await filtered(session, query.filter, list_filters.sessions(_is_live(rule, now)))
            statement = select(SessionRow).where(*_conditions(query, rule, now), wanted)
            if own_only:
                statement = statement.where(col(SessionRow.identity_id) == context.identity.id)
            found = await read_slice(
                session,
                statement,
                Order.by(SessionRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            names = await identity_names(session, (row.identity_id for row in found.rows))
            return page_of(found, [_view(row, names, context, now, rule) for row in found.rows])

    async def impact_of_end(self, context: RequestContext, session_id: str, *, own_only: bool = False) -> Impact:
        """Return what ending a session would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            row = await _visible(session, context, session_id, own_only=own_only)
            subject = ObjectRef(type="session", id=row.id, display=row.user_agent or "")
            return await weigh(subject, _plan(context, row, self._core.clock.now(), own_only=own_only))

    async def end(self, context: RequestContext, session_id: str, *, own_only: bool = False) -> Done[SessionView]:
        """End a session; its pages and turns end with it.

        Raises:
            NovaNotFound: there is none, or it is not the caller's.
            NovaConflict: it is the current one, or over already.

        """
        async with self._core.writer.writing(context, "session.ended", Target("session", session_id)) as write:
            row = await _visible(write.session, context, session_id, own_only=own_only)
            write.target = Target("session", row.id, row.user_agent or "")
            await _plan(context, row, write.now, own_only=own_only)
            if not await stored.end(write.session, SessionId(row.id), write.now):
                raise NovaConflict("The session is over already.", code="state_conflict")
            await write.session.refresh(row)
            names = await identity_names(write.session, [row.identity_id])
            owner = {"id": row.identity_id, "display": names.get(row.identity_id, "")}
            await write.log("session.ended", write.target, details={"identity": owner})
            write.note_ended([row.id])
            rule = (await self._policies.within(write.session)).session
            return Done(object=_view(row, names, context, write.now, rule), effects=[])


def _conditions(query: SessionQuery, rule: SessionRule, now: datetime) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.identity_id is not None:
        conditions.append(col(SessionRow.identity_id) == query.identity_id)
    if query.ip is not None:
        conditions.append(col(SessionRow.ip) == query.ip)
    if query.q is not None:
        people = select(IdentityRow.id).where(contains_words(IdentityRow.search_text, query.q))
        conditions.append(col(SessionRow.identity_id).in_(people))
    if query.status is not None:
        live = _is_live(rule, now)
        conditions.append(live if query.status == "active" else not_(live))
    return conditions


def _is_live(rule: SessionRule, now: datetime) -> ColumnElement[bool]:
    return and_(
        col(SessionRow.ended_at).is_(None),
        col(SessionRow.expires_at) > now,
        col(SessionRow.last_seen_at) > now - rule.idle,
        col(SessionRow.created_at) > now - rule.lifetime,
    )


async def _visible(session: AsyncSession, context: RequestContext, session_id: str, *, own_only: bool) -> SessionRow:
    row = await session.get(SessionRow, session_id, populate_existing=True)
    mine = row is not None and row.identity_id == context.identity.id
    return require_found(row if mine or (not own_only and oversees(context.identity)) else None, "session")


async def _plan(context: RequestContext, row: SessionRow, now: datetime, *, own_only: bool) -> list[Planned]:
    if not own_only:
        require_administrator(context.identity)
    if row.id == context.caller.session_id:
        raise NovaConflict("This is the current session. Sign out instead.", code="self_lockout")
    if row.ended_at is not None or row.expires_at <= now:
        raise NovaConflict("The session is over already.", code="state_conflict")
    return []


def _view(
    row: SessionRow, names: Mapping[str, str], context: RequestContext, now: datetime, rule: SessionRule
) -> SessionView:
    ends_at = min(row.expires_at, row.created_at + rule.lifetime)
    is_live = row.ended_at is None and min(ends_at, row.last_seen_at + rule.idle) > now
    return SessionView(
        id=row.id,
        identity=ref_of(row.identity_id, names),
        ip=row.ip,
        user_agent=row.user_agent,
        methods=row.methods,
        created_at=row.created_at,
        last_seen_at=row.last_seen_at,
        expires_at=ends_at,
        ended_at=row.ended_at,
        status="active" if is_live else "ended",
        current=row.id == context.caller.session_id,
    )
