"""Keyset paging: a page costs the same at any depth, and a cursor fits only the list it came from."""

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar, get_args

from pydantic import BaseModel
from sqlalchemy import func, tuple_
from sqlalchemy.orm import Mapped
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from nova_ui.domain.json_value import JsonValue
from nova_ui.errors import NovaInvalid

R = TypeVar("R", bound=SQLModel)
KeyValue = str | int | datetime

COUNT_CAP: Final = 10_000
_MAX_INTEGER: Final = 2**31 - 1  # more is an error of the driver


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which page is asked for; `fingerprint` is equal for equal filters and order."""

    cursor: str | None
    limit: int
    fingerprint: str

    @classmethod
    def of(cls, query: BaseModel, *, cursor: str | None, limit: int) -> "Wanted":
        """Return the page that a list request asks for."""
        filters = query.model_dump_json(exclude={"cursor", "limit", "fields"})
        digest = hashlib.sha256(f"{type(query).__name__}{filters}".encode()).hexdigest()[:12]
        return cls(cursor=cursor, limit=limit, fingerprint=digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """By which columns of one table a list is ordered; the last one is unique, none holds NULL."""

    table: type[SQLModel]
    columns: tuple[str, ...]
    descending: bool = False

    @classmethod
    def by(cls, table: type[SQLModel], sort: str, columns: dict[str, str], unique: str = "id") -> "Order":
        """Return the order for a `sort` such as `-created_at`; `columns` names the column of each sort word."""
        return cls(table=table, columns=(columns[sort.removeprefix("-")], unique), descending=sort.startswith("-"))

    @property
    def elements(self) -> tuple[Mapped[KeyValue], ...]:
        """The columns themselves."""
        return tuple(col(getattr(self.table, name)) for name in self.columns)

    @property
    def kinds(self) -> tuple[type[KeyValue], ...]:
        """The Python types of the columns."""
        annotations = [self.table.model_fields[name].annotation for name in self.columns]
        return tuple(
            next(kind for kind in (datetime, int, str) if kind is one or kind in get_args(one)) for one in annotations
        )

    def key_of(self, row: SQLModel) -> list[KeyValue]:
        """Return where `row` stands in this order."""
        return [getattr(row, name) for name in self.columns]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Generic[R]):
    """One page of rows; `total` counts up to a cap."""

    rows: Sequence[R]
    next_cursor: str | None
    total: int
    total_is_capped: bool


async def read_slice(
    session: AsyncSession, statement: SelectOfScalar[R], order: Order, wanted: Wanted, *, count_cap: int = COUNT_CAP
) -> Slice[R]:
    """Return one page of `statement`, which selects one table and has no order of its own.

    Raises:
        NovaInvalid: the cursor does not belong to this list.

    """
    total = await count_up_to(session, statement, order, count_cap)
    page = statement
    if wanted.cursor is not None:
        key = _read_cursor(wanted, order)
        position, here = tuple_(*order.elements), tuple_(*key)
        page = page.where(position < here if order.descending else position > here)
    ordered = [one.desc() if order.descending else one.asc() for one in order.elements]
    rows = (await session.exec(page.order_by(*ordered).limit(wanted.limit + 1))).all()
    shown = rows[: wanted.limit]
    more = len(rows) > wanted.limit
    return Slice(
        rows=shown,
        next_cursor=_write_cursor(wanted.fingerprint, order.key_of(shown[-1])) if more else None,
        total=min(total, count_cap),
        total_is_capped=total > count_cap,
    )


async def read_merged_slice(
    session: AsyncSession,
    statements: Sequence[SelectOfScalar[R]],
    order: Order,
    wanted: Wanted,
    *,
    count_cap: int = COUNT_CAP,
) -> Slice[R]:
    """Return one page of what any of `statements` selects; no row is in two of them.

    Each is read along its own index: one statement with `OR` would gather every row and sort them.

    Raises:
        NovaInvalid: the cursor does not belong to this list.

    """
    parts = [await read_slice(session, one, order, wanted, count_cap=count_cap) for one in statements]
    rows = sorted((row for part in parts for row in part.rows), key=order.key_of, reverse=order.descending)
    shown = rows[: wanted.limit]
    more = len(rows) > wanted.limit or any(part.next_cursor is not None for part in parts)
    total = sum(part.total for part in parts)
    return Slice(
        rows=shown,
        next_cursor=_write_cursor(wanted.fingerprint, order.key_of(shown[-1])) if more else None,
        total=min(total, count_cap),
        total_is_capped=total > count_cap or any(part.total_is_capped for part in parts),
    )


async def count_up_to(session: AsyncSession, statement: SelectOfScalar[R], order: Order, cap: int) -> int:
    """Count the rows of `statement`, at most one more than `cap`."""
    ids = statement.with_only_columns(order.elements[-1]).limit(cap + 1).subquery()
    return (await session.exec(select(func.count()).select_from(ids))).one()


def _write_cursor(fingerprint: str, key: Sequence[KeyValue]) -> str:
    values: list[JsonValue] = [value.isoformat() if isinstance(value, datetime) else value for value in key]
    raw = json.dumps([fingerprint, *values], ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _read_cursor(wanted: Wanted, order: Order) -> list[KeyValue]:
    foreign = NovaInvalid("The cursor does not belong to this list. Start again without it.", field="cursor")
    cursor = wanted.cursor or ""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        parts = json.loads(raw)
    except (binascii.Error, ValueError, RecursionError):
        raise foreign from None
    if not isinstance(parts, list) or len(parts) != len(order.columns) + 1 or parts[0] != wanted.fingerprint:
        raise foreign
    try:
        return [_key_value(part, kind) for part, kind in zip(parts[1:], order.kinds, strict=True)]
    except (TypeError, ValueError):
        raise foreign from None


def _key_value(part: object, kind: type) -> KeyValue:
    if kind is datetime and isinstance(part, str):
        moment = datetime.fromisoformat(part)
        if moment.utcoffset() != timedelta():
            raise ValueError("not written here")  # and perhaps beyond the calendar, once it is turned into UTC
        return moment
    if kind is int and type(part) is int and 0 <= part <= _MAX_INTEGER:
        return part
    if kind is str and isinstance(part, str) and "\x00" not in part:
        part.encode()  # a lone surrogate is a ValueError here, not an error of the driver later
        return part
    raise TypeError(part)
