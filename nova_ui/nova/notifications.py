"""Notifications: one's own, and messages that administrators send."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from nova_ui.errors import NovaConflict
from nova_ui.i18n.notice_words import told
from nova_ui.nova.assignment_status import is_held
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.views import (
    Audience,
    Done,
    Impact,
    NotificationList,
    NotificationQuery,
    NotificationSend,
    NotificationSent,
    NotificationsRead,
    NotificationView,
    ObjectRef,
    UnreadView,
)
from storage.nova.identities import json_holds
from storage.nova.notification_tables import NotificationRow
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.tables import AssignmentRow, IdentityRow, MembershipRow

KEPT: Final = timedelta(days=90)
_ORDER: Final = {"created_at": "created_at"}
_AUDIT: Final = "notification.sent"


class Notifications:
    """What an identity is told; nobody reads another's."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_own(self, context: RequestContext, query: NotificationQuery) -> NotificationList:
        """Return a page of the caller's own, newest first, and how many are not read."""
        mine = select(NotificationRow).where(col(NotificationRow.identity_id) == context.identity.id)
        if query.unread is not None:
            read = col(NotificationRow.read_at)
            mine = mine.where(read.is_(None) if query.unread else read.is_not(None))
        async with self._core.database.reading() as session:
            found = await read_slice(
                session,
                mine,
                Order.by(NotificationRow, "-created_at", _ORDER),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            unread = found.total if query.unread else await _count_unread(session, context.identity.id)
        return NotificationList(
            items=[_view(row) for row in found.rows],
            next_cursor=found.next_cursor,
            total=found.total,
            total_is_capped=found.total_is_capped,
            unread=unread,
        )

    async def mark_read(self, context: RequestContext, body: NotificationsRead) -> UnreadView:
        """Mark own notifications as read; what is another's, or gone, is passed over."""
        own = update(NotificationRow).where(
            col(NotificationRow.identity_id) == context.identity.id, col(NotificationRow.read_at).is_(None)
        )
        if body.ids is not None:
            own = own.where(col(NotificationRow.id).in_(body.ids))
        target = Target("notification", None)
        async with self._core.writer.writing(context, "notification.read", target) as write:
            marked = (await write.session.exec(own.values(read_at=write.now))).rowcount
            unread = await _count_unread(write.session, context.identity.id)
            write.notified.add(context.identity.id)
        return UnreadView(marked=marked, unread=unread)

    async def impact(self, context: RequestContext, audience: Audience) -> Impact:
        """Return whom a message would reach.

        Raises:
            NovaForbidden: the caller is no administrator; others learn nobody's roles this way.

        """
        require_administrator(context.identity)
        async with self._core.database.reading() as session:
            subject = ObjectRef(type="message", id="", display=_words(audience))
            return await weigh(subject, _plan(session, context, audience, self._core.clock.now()))

    async def send(self, context: RequestContext, body: NotificationSend) -> Done[NotificationSent]:
        """Send a message to everyone of an audience who is active.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaConflict: nobody of the audience is active, or somebody who is named is not.

        """
        audience = _words(body.audience)
        target = Target("notification", None, body.title)
        async with self._core.writer.writing(context, _AUDIT, target) as write:
            planned = await _plan(write.session, context, body.audience, write.now)
            values = {"title": body.title, "body": body.body, "sender": context.identity.display_name}
            await notify(write, [one.id for one in planned], Notice(kind=NoticeKind.MESSAGE, values=values))
            await write.log(_AUDIT, target, details={"audience": audience, "recipients": len(planned)})
            sent = NotificationSent(audience=audience, title=body.title, recipients=len(planned), sent_at=write.now)
        return Done(object=sent, effects=effects_of(planned))


async def purge(session: AsyncSession, now: datetime) -> int:
    """Delete what is older than 90 days; return how many there were. Safe to run in several processes."""
    old = delete(NotificationRow).where(col(NotificationRow.created_at) < now - KEPT)
    return (await session.exec(old)).rowcount


async def _plan(session: AsyncSession, context: RequestContext, audience: Audience, now: datetime) -> Sequence[Planned]:
    require_administrator(context.identity)
    people = _audience(audience, now).where(col(IdentityRow.status) == "active").order_by(col(IdentityRow.search_text))
    rows = (await session.exec(people)).all()
    missing = set(audience.identity_ids or ()) - {row.id for row in rows}
    if missing:
        named = ", ".join(sorted(missing))
        raise NovaConflict(f"These are no active identities: {named}.", code="state_conflict", field="audience")
    if not rows:
        raise NovaConflict("Nobody active is in this audience.", code="state_conflict", field="audience")
    return [Planned(type="notification", id=row.id, display=row.display_name, result="sent") for row in rows]


def _audience(audience: Audience, now: datetime) -> SelectOfScalar[IdentityRow]:
    people, identity_id = select(IdentityRow), col(IdentityRow.id)
    if audience.identity_ids is not None:
        return people.where(identity_id.in_(audience.identity_ids))
    if audience.role_id is not None:
        holders = select(AssignmentRow.identity_id).where(col(AssignmentRow.role_id) == audience.role_id, is_held(now))
        return people.where(identity_id.in_(holders))
    if audience.group_id is not None:
        members = select(MembershipRow.identity_id).where(col(MembershipRow.group_id) == audience.group_id)
        return people.where(identity_id.in_(members))
    if audience.nova_role is not None:
        return people.where(json_holds(IdentityRow.nova_roles, audience.nova_role))
    return people.where(col(IdentityRow.user_type) != "service")


def _words(audience: Audience) -> str:
    """Return an audience as the entry names it."""
    if audience.identity_ids is not None:
        return ", ".join(audience.identity_ids)
    return audience.role_id or audience.group_id or audience.nova_role or "everyone"


async def _count_unread(session: AsyncSession, identity_id: str) -> int:
    unread = select(func.count()).where(
        col(NotificationRow.identity_id) == identity_id, col(NotificationRow.read_at).is_(None)
    )
    return (await session.exec(unread)).one()


def _view(row: NotificationRow) -> NotificationView:
    title, body = told(row.kind, row.values)
    return NotificationView(
        id=row.id,
        kind=row.kind,
        title=title,
        body=body,
        values=row.values,
        link=row.link,
        read_at=row.read_at,
        created_at=row.created_at,
    )
