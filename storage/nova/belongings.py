"""What hangs on an identity: sessions, memberships, assignments, requests, decisions, chats."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import delete, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import IdentityId
from storage.chat.chats import ChatTable
from storage.chat.tables import ChatRow
from storage.nova.notification_tables import NotificationRow
from storage.nova.second_factors import delete_sign_in_rows_of
from storage.nova.tables import (
    AccessRequestRow,
    ApprovalRow,
    AssignmentRow,
    GroupRow,
    IdempotencyRow,
    MembershipRow,
    SessionRow,
)

OPEN_REQUEST: Final = ("submitted", "pending", "approved", "provisioning")
OPEN_APPROVAL: Final = ("open", "waiting")


async def live_sessions(session: AsyncSession, identity_id: str, now: datetime) -> Sequence[SessionRow]:
    """Return the sessions that have neither ended nor run out."""
    found = select(SessionRow).where(
        col(SessionRow.identity_id) == identity_id, col(SessionRow.ended_at).is_(None), col(SessionRow.expires_at) > now
    )
    return (await session.exec(found.order_by(col(SessionRow.id)))).all()


async def groups_of(session: AsyncSession, identity_id: str) -> Sequence[GroupRow]:
    """Return the groups that an identity is a member of."""
    found = select(GroupRow).join(MembershipRow, col(MembershipRow.group_id) == col(GroupRow.id))
    mine = found.where(col(MembershipRow.identity_id) == identity_id)
    return (await session.exec(mine.order_by(col(GroupRow.name_key)))).all()


async def open_requests(session: AsyncSession, identity_id: str) -> Sequence[AccessRequestRow]:
    """Return the undecided requests by or for an identity."""
    found = select(AccessRequestRow).where(
        or_(col(AccessRequestRow.requester_id) == identity_id, col(AccessRequestRow.beneficiary_id) == identity_id),
        col(AccessRequestRow.status).in_(OPEN_REQUEST),
    )
    return (await session.exec(found.order_by(col(AccessRequestRow.created_at), col(AccessRequestRow.id)))).all()


async def open_approvals(session: AsyncSession, approver_id: str) -> Sequence[ApprovalRow]:
    """Return the decisions that wait for an identity, now or in a later step."""
    found = select(ApprovalRow).where(
        col(ApprovalRow.approver_id) == approver_id, col(ApprovalRow.status).in_(OPEN_APPROVAL)
    )
    return (await session.exec(found.order_by(col(ApprovalRow.created_at), col(ApprovalRow.id)))).all()


async def chat_ids(session: AsyncSession, identity_id: str) -> Sequence[str]:
    """Return which chats an identity has; nothing of what they hold (rule G2)."""
    return (
        await session.exec(select(ChatRow.id).where(col(ChatRow.owner_id) == identity_id).order_by(col(ChatRow.id)))
    ).all()


async def delete_chats(session: AsyncSession, identity_id: str) -> None:
    """Delete every chat of an identity with its turns, events and previews."""
    chats, owner_id = ChatTable(session), IdentityId(identity_id)
    await chats.delete(owner_id, await chats.list_ids(owner_id))


async def delete_notifications_of(session: AsyncSession, identity_id: str) -> None:
    """Delete what an identity was told."""
    await session.exec(delete(NotificationRow).where(col(NotificationRow.identity_id) == identity_id))


async def delete_rows_of(session: AsyncSession, identity_id: str) -> None:
    """Delete what still refers to an identity that is about to go; the audit log keeps what happened."""
    await session.exec(delete(SessionRow).where(col(SessionRow.identity_id) == identity_id))
    await delete_sign_in_rows_of(session, identity_id)
    await session.exec(delete(MembershipRow).where(col(MembershipRow.identity_id) == identity_id))
    await session.exec(delete(AssignmentRow).where(col(AssignmentRow.identity_id) == identity_id))
    await delete_notifications_of(session, identity_id)
    await session.exec(delete(IdempotencyRow).where(col(IdempotencyRow.identity_id) == identity_id))
