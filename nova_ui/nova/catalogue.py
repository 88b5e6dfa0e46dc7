"""What an identity may request: roles first, then entitlements, in one list with one cursor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from sqlalchemy import ColumnElement
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaInvalid
from nova_ui.nova.assignment_status import is_held, is_open
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.identities import visible_identity
from nova_ui.nova.identity_views import ref, ref_of
from nova_ui.nova.reached import ways_to
from nova_ui.nova.request_items import items_of
from nova_ui.nova.rights import Right, approval_of, max_days_of, right_id_of
from nova_ui.nova.views import CatalogItem, CatalogQuery, Page
from storage.nova.belongings import open_requests
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.folded import contains_words
from storage.nova.names import application_names, roles_by_id
from storage.nova.paging import Order, Slice, Wanted, read_slice
from storage.nova.tables import AssignmentRow, IdentityRow, RoleRow

R = TypeVar("R", RoleRow, EntitlementRow)

_ORDER: Final = {"display_name": "search_text"}
_ROLES: Final = "r"
_ENTITLEMENTS: Final = "e"


class Catalogue:
    """The roles and entitlements that can be requested."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: CatalogQuery) -> Page[CatalogItem]:
        """Return a page of what may be requested for an identity within reach."""
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            person = await visible_identity(session, context, query.for_ or context.identity.id)
            section, cursor = _read_cursor(query)
            shown: list[Right] = []
            roles = await _read(session, RoleRow, query, cursor if section == _ROLES else None, query.limit)
            following = None
            if section == _ROLES:
                shown += roles.rows
                following = _next(_ROLES, roles.next_cursor)
            start = cursor if section == _ENTITLEMENTS else None
            # At least one row, to learn how many there are.
            room = query.limit - len(shown)
            entitlements = await _read(session, EntitlementRow, query, start, max(room, 1))
            if following is None and room:
                shown += entitlements.rows
                following = _next(_ENTITLEMENTS, entitlements.next_cursor)
            elif following is None and entitlements.rows:
                following = _next(_ENTITLEMENTS, "")
            return Page(
                items=await _items(session, shown, person, now),
                next_cursor=following,
                total=roles.total + entitlements.total,
                total_is_capped=roles.total_is_capped or entitlements.total_is_capped,
            )


def _next(section: str, cursor: str | None) -> str | None:
    return None if cursor is None else f"{section}.{cursor}"


def _read_cursor(query: CatalogQuery) -> tuple[str, str | None]:
    if query.cursor is None:
        return (_ENTITLEMENTS if query.type == "entitlement" else _ROLES), None
    section, point, cursor = query.cursor.partition(".")
    if section not in {_ROLES, _ENTITLEMENTS} or not point:
        raise NovaInvalid("The cursor does not belong to this list. Start again without it.", field="cursor")
    return section, cursor or None


async def _read(session: AsyncSession, table: type[R], query: CatalogQuery, cursor: str | None, limit: int) -> Slice[R]:
    kind, in_use = ("role", "active") if table is RoleRow else ("entitlement", "managed")
    if query.type not in {None, kind}:
        return Slice(rows=[], next_cursor=None, total=0, total_is_capped=False)
    conditions: list[ColumnElement[bool]] = [col(table.requestable).is_(True), col(table.status) == in_use]
    if query.q is not None:
        conditions.append(contains_words(table.search_text, query.q))
    if query.application_id is not None:
        conditions.append(col(table.application_id) == query.application_id)
    return await read_slice(
        session,
        select(table).where(*conditions),
        Order.by(table, query.sort, _ORDER),
        Wanted.of(query, cursor=cursor, limit=limit),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """Where somebody stands with what can be requested."""

    held: Mapping[str, AssignmentRow]
    through: Mapping[str, list[str]]
    asked: Mapping[str, str]


async def _standing(session: AsyncSession, person: IdentityRow, now: datetime) -> _Standing:
    mine = select(AssignmentRow).where(col(AssignmentRow.identity_id) == person.id)
    rows = (await session.exec(mine.where(is_open(now)))).all()
    active = (await session.exec(mine.where(is_held(now)))).all()
    requests = await open_requests(session, person.id)
    return _Standing(
        held={right_id_of(row): row for row in rows},
        through={
            entitlement_id: list(dict.fromkeys(path[0] for _, path in ways if path))
            for entitlement_id, ways in (await ways_to(session, active)).items()
        },
        asked={item.right_id: row.id for row in requests if row.beneficiary_id == person.id for item in items_of(row)},
    )


async def _items(
    session: AsyncSession, rights: Sequence[Right], person: IdentityRow, now: datetime
) -> list[CatalogItem]:
    standing = await _standing(session, person, now)
    applications = await application_names(session, (right.application_id for right in rights))
    roles = await roles_by_id(session, (one for ids in standing.through.values() for one in ids))
    names = {role_id: role.display_name for role_id, role in roles.items()}
    return [
        CatalogItem(
            role_id=right.id if isinstance(right, RoleRow) else None,
            entitlement_id=None if isinstance(right, RoleRow) else right.id,
            key=right.key if isinstance(right, RoleRow) else right.native_name,
            display_name=right.display_name,
            description=right.description,
            application=ref(right.application_id, applications),
            approval=approval_of(right),
            max_days=max_days_of(right),
            risk=right.risk,
            held=right.id in standing.held,
            held_until=standing.held[right.id].valid_until if right.id in standing.held else None,
            held_through=[ref_of(one, names) for one in standing.through.get(right.id, ())],
            open_request_id=standing.asked.get(right.id),
        )
        for right in rights
    ]
