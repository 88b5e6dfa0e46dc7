"""Sessions: found with their identity as of now in one statement, ended by a conditional write."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, bindparam, delete, exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel, col
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity, IdentityId, Language, Role, SessionId
from storage.nova.sign_in_policy import POLICY_ID
from storage.nova.tables import SessionRow

ACTIVE: Final = "active"
_STORED_ROLES: Final = frozenset({Role.ADMINISTRATOR, Role.AUDITOR})

_SESSION_TABLE: Final = SQLModel.metadata.tables["sessions"]
_IDENTITY_TABLE: Final = SQLModel.metadata.tables["identities"]
_SESSIONS: Final = _SESSION_TABLE.c
_IDENTITIES: Final = _IDENTITY_TABLE.c
_MANAGED: Final = _IDENTITY_TABLE.alias("managed").c
_POLICY_TABLE: Final = SQLModel.metadata.tables["sign_in_policies"]
_POLICY: Final = _POLICY_TABLE.c

# Written once, with the columns that are needed and no more: this runs at every request and before every tool call,
# where putting the statement together took longer than the database does.
_COLUMNS: Final[Sequence[ColumnElement[Any]]] = (
    _SESSIONS.id.label("session_id"),
    _SESSIONS.csrf_token,
    _SESSIONS.created_at,
    _SESSIONS.last_seen_at,
    _SESSIONS.expires_at,
    _SESSIONS.confirmed_at,
    _POLICY.idle_minutes,
    _POLICY.max_hours,
    _POLICY.rules,
    _IDENTITIES.id.label("identity_id"),
    _IDENTITIES.user_name,
    _IDENTITIES.display_name,
    _IDENTITIES.nova_roles,
    _IDENTITIES.preferred_language,
    _IDENTITIES.theme,
    exists().where(_MANAGED.manager_id == _IDENTITIES.id).label("leads"),
)
_LIVE: Final = (
    select(*_COLUMNS)
    .join_from(_SESSION_TABLE, _IDENTITY_TABLE)
    .outerjoin(_POLICY_TABLE, _POLICY.id == POLICY_ID)
    .where(
        _SESSIONS.ended_at.is_(None),
        _SESSIONS.expires_at > bindparam("now"),
        _IDENTITIES.status == ACTIVE,
    )
)
_BY_TOKEN_HASH: Final = _LIVE.where(_SESSIONS.token_hash == bindparam("token_hash"))
_BY_ID: Final = _LIVE.where(_SESSIONS.id == bindparam("session_id"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a session lasts without use, and at all, as long as no policy is stored."""

    idle: timedelta
    lifetime: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSession:
    """A session that counts now by the policy of now, with its identity as of now."""

    id: SessionId
    identity: Identity
    csrf_token: str
    theme: str
    last_seen_at: datetime
    expires_at: datetime
    confirmed_at: datetime | None
    networks: tuple[str, ...] = ()


async def add(session: AsyncSession, row: SessionRow) -> None:
    """Store a new session."""
    session.add(row)
    await session.flush()


async def find_by_token_hash(
    connection: AsyncConnection, token_hash: bytes, *, now: datetime, limits: Limits
) -> LiveSession | None:
    """Return the live session of a token, or None."""
    return await _find(connection, _BY_TOKEN_HASH, {"token_hash": token_hash, "now": now}, limits)


async def find_by_id(
    connection: AsyncConnection, session_id: SessionId, *, now: datetime, limits: Limits
) -> LiveSession | None:
    """Return the live session of an id, or None."""
    return await _find(connection, _BY_ID, {"session_id": session_id, "now": now}, limits)


async def alive(
    connection: AsyncConnection, session_ids: Collection[SessionId], *, now: datetime, limits: Limits
) -> frozenset[SessionId]:
    """Return those of `session_ids` that are live."""
    found = _LIVE.where(_SESSIONS.id.in_(session_ids))
    rows = await connection.execute(found, {"now": now})
    return frozenset(SessionId(row.session_id) for row in rows if _end_of(row, limits) > now)


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


async def end_others(session: AsyncSession, identity_id: IdentityId, kept: SessionId, now: datetime) -> list[SessionId]:
    """End every session of an identity but one; return which had not ended before."""
    open_ones = update(SessionRow).where(
        col(SessionRow.identity_id) == identity_id, col(SessionRow.id) != kept, col(SessionRow.ended_at).is_(None)
    )
    ended = await session.exec(open_ones.values(ended_at=now).returning(col(SessionRow.id)))
    return [SessionId(session_id) for session_id in sorted(ended.scalars().all())]


async def purge(session: AsyncSession, before: datetime) -> None:
    """Delete sessions that were over before a moment; the audit log keeps what happened."""
    await session.exec(delete(SessionRow).where(col(SessionRow.expires_at) < before))


async def _find(
    connection: AsyncConnection, statement: Select[*tuple[Any, ...]], values: Mapping[str, Any], limits: Limits
) -> LiveSession | None:
    row = (await connection.execute(statement, values)).one_or_none()
    if row is None or _end_of(row, limits) <= values["now"]:
        return None
    return LiveSession(
        id=SessionId(row.session_id),
        identity=Identity(
            id=IdentityId(row.identity_id),
            user_name=row.user_name,
            display_name=row.display_name or row.user_name,
            roles=roles_of(row.nova_roles, is_manager=bool(row.leads)),
            language=Language.GERMAN if row.preferred_language.startswith("de") else Language.ENGLISH,
        ),
        csrf_token=row.csrf_token,
        theme=row.theme,
        last_seen_at=row.last_seen_at,
        expires_at=min(row.expires_at, row.created_at + _lifetime_of(row, limits)),
        confirmed_at=row.confirmed_at,
        networks=tuple((row.rules or {}).get("networks", ())),
    )


def _end_of(row: Row[*tuple[Any, ...]], limits: Limits) -> datetime:
    """Return when a session ends unless it is used; a stored policy counts for the sessions there are, too."""
    idle = limits.idle if row.idle_minutes is None else timedelta(minutes=row.idle_minutes)
    end: datetime = min(row.last_seen_at + idle, row.created_at + _lifetime_of(row, limits))
    return end


def _lifetime_of(row: Row[*tuple[Any, ...]], limits: Limits) -> timedelta:
    return limits.lifetime if row.max_hours is None else timedelta(hours=row.max_hours)


def roles_of(stored: Collection[str], *, is_manager: bool) -> frozenset[Role]:
    """Return what an identity is: its stored roles, the fact that it leads somebody, and what everyone is."""
    roles = {role for role in _STORED_ROLES if role.value in stored} | {Role.USER}
    return frozenset(roles | {Role.MANAGER} if is_manager else roles)
