"""Sessions: found with their identity as of now in one statement, ended by a conditional write."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, delete, exists, update
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity, IdentityId, Language, Role, SessionId
from storage.nova.tables import IdentityRow, SessionRow

ACTIVE: Final = "active"
_STORED_ROLES: Final = frozenset({Role.ADMINISTRATOR, Role.AUDITOR})
_Manager = aliased(IdentityRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSession:
    """A session that counts now, with its identity as of now."""

    id: SessionId
    identity: Identity
    csrf_token: str
    theme: str
    last_seen_at: datetime
    expires_at: datetime


async def add(session: AsyncSession, row: SessionRow) -> None:
    """Store a new session."""
    session.add(row)
    await session.flush()


async def find_by_token_hash(
    session: AsyncSession, token_hash: bytes, *, now: datetime, seen_after: datetime
) -> LiveSession | None:
    """Return the live session of a token, or None; `seen_after` is the idle limit as a moment."""
    return await _find(session, col(SessionRow.token_hash) == token_hash, now, seen_after)


async def find_by_id(
    session: AsyncSession, session_id: SessionId, *, now: datetime, seen_after: datetime
) -> LiveSession | None:
    """Return the live session of an id, or None."""
    return await _find(session, col(SessionRow.id) == session_id, now, seen_after)


async def alive(
    session: AsyncSession, session_ids: Collection[SessionId], *, now: datetime, seen_after: datetime
) -> frozenset[SessionId]:
    """Return those of `session_ids` that are live."""
    found = select(SessionRow.id).join(IdentityRow, col(IdentityRow.id) == col(SessionRow.identity_id))
    rows = await session.exec(found.where(col(SessionRow.id).in_(session_ids), *_is_live(now, seen_after)))
    return frozenset(SessionId(session_id) for session_id in rows.all())


async def touch(session: AsyncSession, session_id: SessionId, now: datetime) -> None:
    """Note that the session was used; an ended one stays as it is."""
    seen = update(SessionRow).where(col(SessionRow.id) == session_id, col(SessionRow.ended_at).is_(None))
    await session.exec(seen.values(last_seen_at=now))


async def end(session: AsyncSession, session_id: SessionId, now: datetime) -> bool:
    """End one session; True if it had not ended before."""
    ended = update(SessionRow).where(col(SessionRow.id) == session_id, col(SessionRow.ended_at).is_(None))
    return (await session.exec(ended.values(ended_at=now))).rowcount == 1


async def end_sessions_of(session: AsyncSession, identity_id: IdentityId, now: datetime) -> list[SessionId]:
    """End every session of an identity; return which had not ended before."""
    open_ones = update(SessionRow).where(col(SessionRow.identity_id) == identity_id, col(SessionRow.ended_at).is_(None))
    ended = await session.exec(open_ones.values(ended_at=now).returning(col(SessionRow.id)))
    return [SessionId(session_id) for session_id in ended.scalars().all()]


async def purge(session: AsyncSession, before: datetime) -> None:
    """Delete sessions that were over before a moment; the audit log keeps what happened."""
    await session.exec(delete(SessionRow).where(col(SessionRow.expires_at) < before))


async def _find(
    session: AsyncSession, which: ColumnElement[bool], now: datetime, seen_after: datetime
) -> LiveSession | None:
    # The columns that are needed and no more: this runs at every request.
    manages = exists().where(col(_Manager.manager_id) == col(IdentityRow.id))
    found = (
        select(  # type: ignore[call-overload] # SQLModel types four columns at most
            SessionRow.id,
            SessionRow.csrf_token,
            SessionRow.last_seen_at,
            SessionRow.expires_at,
            IdentityRow.id,
            IdentityRow.user_name,
            IdentityRow.display_name,
            IdentityRow.nova_roles,
            IdentityRow.preferred_language,
            IdentityRow.theme,
            manages,
        )
        .join(IdentityRow, col(IdentityRow.id) == col(SessionRow.identity_id))
        .where(which, *_is_live(now, seen_after))
    )
    row = (await session.exec(found)).one_or_none()
    if row is None:
        return None
    session_id, csrf_token, last_seen_at, expires_at, identity_id, user_name, name, roles, language, theme, leads = row
    return LiveSession(
        id=SessionId(session_id),
        identity=Identity(
            id=IdentityId(identity_id),
            user_name=user_name,
            display_name=name or user_name,
            roles=roles_of(roles, is_manager=bool(leads)),
            language=Language.GERMAN if language.startswith("de") else Language.ENGLISH,
        ),
        csrf_token=csrf_token,
        theme=theme,
        last_seen_at=last_seen_at,
        expires_at=expires_at,
    )


def _is_live(now: datetime, seen_after: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        col(SessionRow.ended_at).is_(None),
        col(SessionRow.expires_at) > now,
        col(SessionRow.last_seen_at) > seen_after,
        col(IdentityRow.status) == ACTIVE,
    )


def roles_of(stored: Collection[str], *, is_manager: bool) -> frozenset[Role]:
    """Return what an identity is: its stored roles, the fact that it leads somebody, and what everyone is."""
    roles = {role for role in _STORED_ROLES if role.value in stored} | {Role.USER}
    return frozenset(roles | {Role.MANAGER} if is_manager else roles)
