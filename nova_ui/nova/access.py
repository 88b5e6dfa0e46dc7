"""What an identity may use, and why for each right; and what it may request."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.assignment_status import is_open, status_at
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.identities import visible_identity
from nova_ui.nova.identity_views import ref
from nova_ui.nova.request_views import items_of
from nova_ui.nova.views import AccessItem, AccessView, CatalogItem, CatalogQuery, Page, Ref
from storage.nova.belongings import groups_of, open_requests
from storage.nova.folded import contains_words
from storage.nova.names import application_names, identity_names, roles_by_id
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, RoleRow

_ORDER: Final = {"display_name": "search_text"}


class Access:
    """Access of identities within the caller's reach, and the catalogue."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def of(self, context: RequestContext, identity_id: str) -> AccessView:
        """Return what an identity holds now or is going to, and why.

        Raises:
            NovaNotFound: there is no such identity, or its data may not be read.

        """
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            row = await visible_identity(session, context, identity_id)
            held = select(AssignmentRow).where(col(AssignmentRow.identity_id) == row.id, is_open(now))
            groups = await groups_of(session, row.id)
            rows = (await session.exec(held.order_by(col(AssignmentRow.created_at), col(AssignmentRow.id)))).all()
            return AccessView(
                identity=Ref(id=row.id, display_name=row.display_name),
                items=await _items(session, list(rows), now),
                groups=[Ref(id=group.id, display_name=group.display_name) for group in groups],
                nova_roles=row.nova_roles,
            )

    async def catalog(self, context: RequestContext, query: CatalogQuery) -> Page[CatalogItem]:
        """Return a page of roles that may be requested for an identity within reach."""
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            person = await visible_identity(session, context, query.for_ or context.identity.id)
            statement = select(RoleRow).where(col(RoleRow.requestable).is_(True), col(RoleRow.status) == "active")
            if query.q is not None:
                statement = statement.where(contains_words(RoleRow.search_text, query.q))
            if query.application_id is not None:
                statement = statement.where(col(RoleRow.application_id) == query.application_id)
            found = await read_slice(
                session,
                statement,
                Order.by(RoleRow, query.sort, _ORDER),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await _catalog_items(session, found.rows, person, now))


async def _catalog_items(
    session: AsyncSession, roles: Sequence[RoleRow], person: IdentityRow, now: datetime
) -> list[CatalogItem]:
    held_rows = select(AssignmentRow).where(
        col(AssignmentRow.identity_id) == person.id,
        col(AssignmentRow.role_id).in_([role.id for role in roles]),
        is_open(now),
    )
    held = {row.role_id: row for row in (await session.exec(held_rows)).all()}
    requests = await open_requests(session, person.id)
    asked = {item.role_id: row.id for row in requests if row.beneficiary_id == person.id for item in items_of(row)}
    applications = await application_names(session, (role.application_id for role in roles))
    return [
        CatalogItem(
            role_id=role.id,
            key=role.key,
            display_name=role.display_name,
            description=role.description,
            application=ref(role.application_id, applications),
            approval=role.approval,
            max_days=role.max_days,
            risk=role.risk,
            held=role.id in held,
            held_until=held[role.id].valid_until if role.id in held else None,
            open_request_id=asked.get(role.id),
        )
        for role in roles
    ]


async def _items(session: AsyncSession, rows: list[AssignmentRow], now: datetime) -> list[AccessItem]:
    roles = await roles_by_id(session, (row.role_id for row in rows))
    names = await identity_names(session, (row.granted_by for row in rows))
    applications = await application_names(session, (role.application_id for role in roles.values()))
    groups = await _group_names(session, [row.source_id for row in rows if row.source == "group" and row.source_id])
    items = []
    for row in rows:
        role = roles.get(row.role_id)
        items.append(
            AccessItem(
                assignment_id=row.id,
                role=Ref(id=row.role_id, display_name=role.display_name if role else ""),
                application=ref(role.application_id if role else None, applications),
                privileged=bool(role and role.privileged),
                risk=role.risk if role else "low",
                status=status_at(row, now),
                valid_from=row.valid_from,
                valid_until=row.valid_until,
                source=row.source,
                source_id=row.source_id,
                granted_by=ref(row.granted_by, names),
                justification=row.justification,
                why=_why(row, names, groups),
            )
        )
    return items


async def _group_names(session: AsyncSession, ids: list[str]) -> Mapping[str, str]:
    found = select(GroupRow.id, GroupRow.display_name).where(col(GroupRow.id).in_(ids))
    return dict((await session.exec(found)).all()) if ids else {}


def _why(row: AssignmentRow, names: Mapping[str, str], groups: Mapping[str, str]) -> str:
    since = f"since {row.created_at:%Y-%m-%d}"
    granter = names.get(row.granted_by or "", "")
    by = {
        "direct": f"Granted {f'by {granter} ' if granter else 'directly '}{since}.",
        "request": f"Requested and approved in {row.source_id or 'a request'}, {since}.",
        "birthright": f"Comes with the person's department or position, {since}.",
        "group": f"Comes with the group {groups.get(row.source_id or '', row.source_id or '')}, {since}.",
        "routine": f"Granted by a lifecycle routine {since}.",
        "review": f"Kept by an access review {since}.",
    }
    return by.get(row.source, f"Granted {since}.")
