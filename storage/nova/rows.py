"""Rows read under a lock and changed only in the version that was read."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol, TypeVar

from sqlalchemy import update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession


class Versioned(Protocol):
    """A row with a version that every change raises by one."""

    id: str
    version: int


V = TypeVar("V", bound=SQLModel)


async def lock_row(session: AsyncSession, table: type[V], row_id: str) -> V | None:
    """Read a row for a change: nobody else changes it before this transaction ends."""
    wanted = select(table).where(col(getattr(table, "id")) == row_id).with_for_update()  # noqa: B009 - SQLModel
    return (await session.exec(wanted.execution_options(populate_existing=True))).one_or_none()


async def change_row(session: AsyncSession, row: Versioned, values: Mapping[str, object], now: datetime | None) -> bool:
    """Write `values` and the next version, if the row still has the version that was read; say whether it had."""
    table = type(row)
    moment = {} if now is None else {"updated_at": now}
    change = (
        update(table)
        .where(col(table.id) == row.id, col(table.version) == row.version)
        .values(**values, **moment, version=row.version + 1)
        .execution_options(synchronize_session=False)
    )
    if (await session.exec(change)).rowcount != 1:
        return False
    await session.refresh(row)
    return True
