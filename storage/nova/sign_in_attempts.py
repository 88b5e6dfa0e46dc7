"""What is counted within a window: failed sign-ins by folded name and by address, calls that a person has made."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from sqlalchemy import delete
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.nova.tables import SignInAttemptRow


def name_subject(user_name_key: str) -> str:
    """Return the subject that counts attempts for a folded name.

    A hash: some type their password where the name belongs, and that must not be kept as it is.
    """
    return f"name:{sha256(user_name_key.encode(errors='surrogatepass')).hexdigest()}"


def address_subject(ip: str) -> str:
    """Return the subject that counts attempts from an address."""
    return f"ip:{ip}"


def call_subject(identity_id: str) -> str:
    """Return the subject that counts the calls to others that an identity has Nova make."""
    return f"calls:{identity_id}"


async def newest(session: AsyncSession, subject: str, *, since: datetime, limit: int) -> list[datetime]:
    """Return when the newest attempts after `since` were, newest first."""
    attempts = select(SignInAttemptRow.at).where(
        col(SignInAttemptRow.subject) == subject, col(SignInAttemptRow.at) > since
    )
    return list((await session.exec(attempts.order_by(col(SignInAttemptRow.at).desc()).limit(limit))).all())


async def add(session: AsyncSession, subjects: Sequence[str], at: datetime) -> list[int]:
    """Count one attempt for each subject; return the ids, in their order."""
    rows = [SignInAttemptRow(subject=subject, at=at) for subject in subjects]
    session.add_all(rows)
    await session.flush()
    return [row.id for row in rows if row.id is not None]


async def remove(session: AsyncSession, ids: Sequence[int]) -> None:
    """Take single attempts back."""
    await session.exec(delete(SignInAttemptRow).where(col(SignInAttemptRow.id).in_(ids)))


async def forget(session: AsyncSession, subject: str) -> None:
    """Forget every attempt of a subject: after a sign-in, or when an administrator unlocks it."""
    await session.exec(delete(SignInAttemptRow).where(col(SignInAttemptRow.subject) == subject))


async def purge(session: AsyncSession, before: datetime) -> None:
    """Delete what no window reaches any more."""
    await session.exec(delete(SignInAttemptRow).where(col(SignInAttemptRow.at) < before))
