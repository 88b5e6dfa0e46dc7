"""Rules over identities: which attributes they may look at, whom one finds, and whether it finds one identity.

A rule looks at what an identity is, never at what it holds, so that no rule can set off another one. Attributes that
change without a write of the identity (its last sign-in, its manager's name) are left out: nobody would look again.
So is what people change themselves: by that anybody could give themselves what a rule gives.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sqlalchemy import ColumnElement
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.filter_meaning import Condition, Stored, holds
from nova_ui.nova.identity_views import primary_email
from nova_ui.nova.list_filters import IDENTITIES, understood
from nova_ui.nova.views import MePatch
from storage.nova.filter_conditions import condition_of
from storage.nova.locks import share_lock, take_lock
from storage.nova.tables import IdentityRow

# Whom rules give something: nothing to those who have not come yet, or who have left.
IN_SERVICE: Final = ("active", "suspended")
SAMPLE: Final = 20

_LEFT_OUT: Final = frozenset(
    {"nova_roles", "protected", "status_reason", "last_sign_in_at", "locked_until", "created_at", "updated_at"}
)
_ONES_OWN: Final = frozenset(MePatch.model_fields)
ATTRIBUTES: Final = {
    name: attribute for name, attribute in IDENTITIES.items() if name not in _LEFT_OUT and name not in _ONES_OWN
}
_KINDS: Final = {name: attribute.kind for name, attribute in ATTRIBUTES.items()}
_LOCK: Final = "nova.rules"


@dataclass(frozen=True, slots=True)
class Person:
    """An identity by id and name."""

    id: str
    display: str


async def stand_still(session: AsyncSession) -> None:
    """Let no rule change before this transaction ends; for every write of an identity, before it locks one."""
    await share_lock(session, _LOCK)


async def change_alone(session: AsyncSession) -> None:
    """Let nobody change an identity or another rule before this transaction ends; for every write of a rule."""
    await take_lock(session, _LOCK)


def check_rule(text: str, field: str) -> None:
    """Refuse a rule that can't be used.

    Raises:
        NovaInvalid: names the field and the character.

    """
    understood(text, _KINDS, field)


def finds(rule: str, row: IdentityRow) -> bool:
    """Whether a rule finds this identity now."""
    return row.status in IN_SERVICE and holds(_condition(rule), _values(row))


async def whom_it_finds(session: AsyncSession, rule: str) -> Mapping[str, Person]:
    """Return everybody whom a rule finds, by id; the database decides, however many there are."""
    found = select(IdentityRow.id, IdentityRow.display_name).where(await _finding(session, rule))
    rows = (await session.exec(found.order_by(col(IdentityRow.id)))).all()
    return {identity_id: Person(identity_id, name) for identity_id, name in rows}


async def sample_of(session: AsyncSession, rule: str) -> tuple[int, Sequence[IdentityRow]]:
    """Return how many a rule finds, and the first of them by name."""
    condition = await _finding(session, rule)
    count = (await session.exec(select(func.count()).select_from(IdentityRow).where(condition))).one()
    first = select(IdentityRow).where(condition).order_by(col(IdentityRow.search_text), col(IdentityRow.id))
    return count, (await session.exec(first.limit(SAMPLE))).all()


async def _finding(session: AsyncSession, rule: str) -> ColumnElement[bool]:
    return col(IdentityRow.status).in_(IN_SERVICE) & await condition_of(session, _condition(rule), ATTRIBUTES)


@lru_cache(maxsize=1_000)
def _condition(rule: str) -> Condition:
    return understood(rule, _KINDS, "rule")


def _values(row: IdentityRow) -> Mapping[str, Stored]:
    return {
        **{name: getattr(row, name) for name in ATTRIBUTES if hasattr(row, name)},
        "email": primary_email(row.emails),
        "manager.id": row.manager_id,
        "active": row.status == "active",
    }
