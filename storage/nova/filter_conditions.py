"""Filters as conditions of the database: every check is true or false there too, never NULL, and texts fold alike."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ARRAY, ColumnElement, String, and_, any_, bindparam, cast, false, func, not_, or_
from sqlalchemy.orm import Mapped
from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.filter_grammar import Operator
from nova_ui.domain.filter_meaning import Check, Condition, Joined, Kind, Not, compares
from nova_ui.domain.folding import fold

FEW: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """An attribute of a list's objects: its kind, and what holds it.

    A name of another object is read `through` the foreign key of this one, `key` being the other's id. `read` takes
    the text out of a value that is none, such as a list of addresses.
    """

    kind: Kind
    column: Any  # a column of a table or an expression over some; what it holds is said by `kind`
    through: Any = None
    key: Any = None
    read: Callable[[Any], str | None] | None = None


async def condition_of(
    session: AsyncSession, condition: Condition, attributes: Mapping[str, Attribute]
) -> ColumnElement[bool]:
    """Return `condition` for a statement over the table whose columns `attributes` names."""
    match condition:
        case Not(inner):
            return not_(await condition_of(session, inner, attributes))
        case Joined(parts, any_of):
            found = [await condition_of(session, part, attributes) for part in parts]
            return or_(*found) if any_of else and_(*found)
        case Check():
            return await _check(session, condition, attributes[condition.attribute])


async def _check(session: AsyncSession, check: Check, attribute: Attribute) -> ColumnElement[bool]:
    if check.operator is Operator.NE:
        return not_(await _check(session, Check(check.attribute, check.kind, Operator.EQ, check.value), attribute))
    condition = await _BY_KIND[check.kind](session, check, attribute)
    if attribute.through is None:
        return condition
    others = select(attribute.key).where(condition)
    return and_(attribute.through.is_not(None), attribute.through.in_(others))


async def _text(session: AsyncSession, check: Check, attribute: Attribute) -> ColumnElement[bool]:
    """Compare folded. The databases fold differently, or ASCII only: the distinct values are folded here."""
    if attribute.read is not None:
        return await _read_texts(session, check, attribute)
    values = (await session.exec(select(attribute.column).where(attribute.column.is_not(None)).distinct())).all()
    matching = [value for value in values if (folded := fold(value)) and compares(folded, check)]
    return and_(attribute.column.is_not(None), is_among(session, attribute.column, matching))


async def _read_texts(session: AsyncSession, check: Check, attribute: Attribute) -> ColumnElement[bool]:
    read = attribute.read or str
    rows = (await session.exec(select(attribute.key, attribute.column))).all()
    matching = [key for key, value in rows if (folded := fold(read(value) or "")) and compares(folded, check)]
    return is_among(session, attribute.key, matching)


async def _key(_session: AsyncSession, check: Check, attribute: Attribute) -> ColumnElement[bool]:
    column, value = attribute.column, str(check.value)
    present = and_(column.is_not(None), column != "")
    match check.operator:
        case None:
            return present
        case Operator.CO:
            return and_(present, column.contains(value, autoescape=True))
        case Operator.SW:
            return and_(present, column.startswith(value, autoescape=True))
        case Operator.EW:
            return and_(present, column.endswith(value, autoescape=True))
        case _:
            return and_(column.is_not(None), column == value)


async def _keys(_session: AsyncSession, check: Check, attribute: Attribute) -> ColumnElement[bool]:
    text = cast(attribute.column, String)
    present = and_(text.is_not(None), text != "[]")
    if check.operator is None:
        return present
    if set(str(check.value)) & set('"\\\\'):
        return false()  # no key holds these; between two keys they would be found
    return and_(present, text.contains(f'"{check.value}"', autoescape=True))


async def _flag(_session: AsyncSession, check: Check, attribute: Attribute) -> ColumnElement[bool]:
    present: ColumnElement[bool] = attribute.column.is_not(None)
    return present if check.operator is None else and_(present, attribute.column.is_(check.value))


async def _ordered(_session: AsyncSession, check: Check, attribute: Attribute) -> ColumnElement[bool]:
    column = attribute.column
    present = and_(column.is_not(None), column != "") if check.kind is Kind.DAY else column.is_not(None)
    match check.operator:
        case None:
            return present
        case Operator.GT:
            return and_(present, column > check.value)
        case Operator.GE:
            return and_(present, column >= check.value)
        case Operator.LT:
            return and_(present, column < check.value)
        case Operator.LE:
            return and_(present, column <= check.value)
        case _:
            return and_(present, column == check.value)


def is_among(
    session: AsyncSession, column: ColumnElement[str] | Mapped[str], values: Sequence[str]
) -> ColumnElement[bool]:
    """Return the condition that `column` is one of `values`, however many: a statement has only so many parameters."""
    if not values:
        return false()
    if len(values) <= FEW:
        return column.in_(values)
    if session.get_bind().dialect.name == "sqlite":
        each = func.json_each(json.dumps(list(values))).table_valued("value")
        return column.in_(select(each.c.value))
    return column == any_(bindparam(None, list(values), type_=ARRAY(String)))


_BY_KIND: Final[Mapping[Kind, Callable[[AsyncSession, Check, Attribute], Awaitable[ColumnElement[bool]]]]] = {
    Kind.TEXT: _text,
    Kind.KEY: _key,
    Kind.KEYS: _keys,
    Kind.FLAG: _flag,
    Kind.NUMBER: _ordered,
    Kind.DAY: _ordered,
    Kind.MOMENT: _ordered,
}
