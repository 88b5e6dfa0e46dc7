"""Second factors: read with their owner, and every code used up by one conditional write."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.nova.sign_in_tables import OldPasswordRow, PendingSignInRow, RecoveryCodeRow, TotpFactorRow


async def confirmed_factor(session: AsyncSession, identity_id: str) -> TotpFactorRow | None:
    """Return the authenticator app that counts, or None."""
    mine = select(TotpFactorRow).where(
        col(TotpFactorRow.identity_id) == identity_id, col(TotpFactorRow.confirmed_at).is_not(None)
    )
    return (await session.exec(mine.order_by(col(TotpFactorRow.created_at).desc()).limit(1))).first()


async def begun_factor(session: AsyncSession, identity_id: str, since: datetime) -> TotpFactorRow | None:
    """Return the authenticator app that is being set up, or None."""
    mine = select(TotpFactorRow).where(
        col(TotpFactorRow.identity_id) == identity_id,
        col(TotpFactorRow.confirmed_at).is_(None),
        col(TotpFactorRow.created_at) > since,
    )
    return (await session.exec(mine.order_by(col(TotpFactorRow.created_at).desc()).limit(1))).first()


async def drop_begun(session: AsyncSession, identity_id: str) -> None:
    """Forget what was begun and not confirmed."""
    await session.exec(
        delete(TotpFactorRow).where(
            col(TotpFactorRow.identity_id) == identity_id, col(TotpFactorRow.confirmed_at).is_(None)
        )
    )


async def count_try(session: AsyncSession, factor_id: str, most: int) -> bool:
    """Count a try to confirm a factor; False once there were too many."""
    tried = update(TotpFactorRow).where(col(TotpFactorRow.id) == factor_id, col(TotpFactorRow.attempts) < most)
    done = await session.exec(
        tried.values(attempts=col(TotpFactorRow.attempts) + 1).execution_options(synchronize_session=False)
    )
    return done.rowcount == 1


async def confirm_factor(session: AsyncSession, factor: TotpFactorRow, step: int, now: datetime) -> bool:
    """Make a factor count instead of any other; True for exactly one caller. The code that confirmed it is used up."""
    begun = update(TotpFactorRow).where(col(TotpFactorRow.id) == factor.id, col(TotpFactorRow.confirmed_at).is_(None))
    done = await session.exec(
        begun.values(confirmed_at=now, last_step=step).execution_options(synchronize_session=False)
    )
    if done.rowcount != 1:
        return False
    await session.exec(
        delete(TotpFactorRow).where(
            col(TotpFactorRow.identity_id) == factor.identity_id, col(TotpFactorRow.id) != factor.id
        )
    )
    return True


async def use_step(session: AsyncSession, factor_id: str, step: int) -> bool:
    """Use a time step up; False if it, or a later one, was used before."""
    unused = update(TotpFactorRow).where(
        col(TotpFactorRow.id) == factor_id,
        (col(TotpFactorRow.last_step).is_(None)) | (col(TotpFactorRow.last_step) < step),
    )
    done = await session.exec(unused.values(last_step=step).execution_options(synchronize_session=False))
    return done.rowcount == 1


async def replace_codes(session: AsyncSession, identity_id: str, hashes: Sequence[str], now: datetime) -> None:
    """Store new recovery codes; older ones no longer count."""
    await session.exec(delete(RecoveryCodeRow).where(col(RecoveryCodeRow.identity_id) == identity_id))
    session.add_all(RecoveryCodeRow(identity_id=identity_id, code_hash=one, created_at=now) for one in hashes)
    await session.flush()


async def use_code(session: AsyncSession, identity_id: str, code_hash: str, now: datetime) -> bool:
    """Use a recovery code up; True for exactly one caller."""
    unused = update(RecoveryCodeRow).where(
        col(RecoveryCodeRow.identity_id) == identity_id,
        col(RecoveryCodeRow.code_hash) == code_hash,
        col(RecoveryCodeRow.used_at).is_(None),
    )
    done = await session.exec(unused.values(used_at=now).execution_options(synchronize_session=False))
    return done.rowcount == 1


async def codes_left(session: AsyncSession, identity_id: str) -> int:
    """Return how many recovery codes are unused."""
    unused = select(func.count()).where(
        col(RecoveryCodeRow.identity_id) == identity_id, col(RecoveryCodeRow.used_at).is_(None)
    )
    return (await session.exec(unused)).one()


async def drop_factors(session: AsyncSession, identity_id: str) -> None:
    """Delete the authenticator app and the recovery codes of an identity."""
    await session.exec(delete(TotpFactorRow).where(col(TotpFactorRow.identity_id) == identity_id))
    await session.exec(delete(RecoveryCodeRow).where(col(RecoveryCodeRow.identity_id) == identity_id))


async def old_passwords(session: AsyncSession, identity_id: str, most: int) -> Sequence[str]:
    """Return the hashes of the newest earlier passwords."""
    mine = select(OldPasswordRow.password_hash).where(col(OldPasswordRow.identity_id) == identity_id)
    return (await session.exec(mine.order_by(col(OldPasswordRow.id).desc()).limit(most))).all()


async def keep_old_password(
    session: AsyncSession, identity_id: str, password_hash: str, now: datetime, most: int
) -> None:
    """Remember a password that is replaced; no more than `most` are kept."""
    session.add(OldPasswordRow(identity_id=identity_id, password_hash=password_hash, replaced_at=now))
    await session.flush()
    mine = select(OldPasswordRow.id).where(col(OldPasswordRow.identity_id) == identity_id)
    ids = (await session.exec(mine.order_by(col(OldPasswordRow.id).desc()).offset(most))).all()
    await session.exec(delete(OldPasswordRow).where(col(OldPasswordRow.id).in_(ids)))


async def drop_pending(session: AsyncSession, identity_id: str) -> None:
    """End every sign-in of an identity that is under way."""
    await session.exec(delete(PendingSignInRow).where(col(PendingSignInRow.identity_id) == identity_id))


async def delete_sign_in_rows_of(session: AsyncSession, identity_id: str) -> None:
    """Delete everything here that refers to an identity that is about to go."""
    await drop_factors(session, identity_id)
    await drop_pending(session, identity_id)
    await session.exec(delete(OldPasswordRow).where(col(OldPasswordRow.identity_id) == identity_id))
