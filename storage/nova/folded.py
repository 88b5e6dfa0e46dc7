"""Filters that compare texts folded, the same on every database."""

from sqlalchemy import ColumnElement, and_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import fold


async def matches_folded(session: AsyncSession, column: str | None, text: str) -> ColumnElement[bool]:
    """Return the condition that `column` equals `text` after folding.

    The databases fold differently, or ASCII only; so the distinct values, which are few, are folded here.
    """
    wanted = fold(text)
    values = (await session.exec(select(column).distinct())).all()
    return col(column).in_([value for value in values if value is not None and fold(value) == wanted])


def contains_words(column: str, words: str) -> ColumnElement[bool]:
    """Return the condition that a column of folded text holds each of the words, in any order."""
    return and_(*(col(column).contains(word, autoescape=True) for word in fold(words).split()))
