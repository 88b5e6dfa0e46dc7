"""Applications, for reading; of a client secret only whether it is set."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaForbidden
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.list_filters import APPLICATIONS, filtered
from nova_ui.nova.permissions import oversees, require_found
from nova_ui.nova.views import ApplicationQuery, ApplicationView, Page, SecretState
from storage.nova.folded import contains_words
from storage.nova.identities import json_holds, owns_any
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.tables import ApplicationRow, RoleRow

SORT_COLUMNS: Final = {"display_name": "search_text", "created_at": "created_at", "updated_at": "updated_at"}


class Applications:
    """Applications as the caller may see them: administrators and auditors all, owners their own."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: ApplicationQuery) -> Page[ApplicationView]:
        """Return a page of applications.

        Raises:
            NovaForbidden: the caller neither oversees nor owns any application.

        """
        async with self._core.database.reading() as session:
            statement = select(ApplicationRow).where(await filtered(session, query.filter, APPLICATIONS))
            if not oversees(context.identity):
                if not await owns_any(session, ApplicationRow, context.identity.id):
                    raise NovaForbidden("Applications are shown to administrators, auditors and their owners.")
                statement = statement.where(json_holds(ApplicationRow.owner_ids, context.identity.id))
            if query.q is not None:
                words = contains_words(ApplicationRow.search_text, query.q)
                statement = statement.where(or_(words, col(ApplicationRow.id) == query.q))
            if query.status is not None:
                statement = statement.where(col(ApplicationRow.status) == query.status)
            if query.owner_id is not None:
                statement = statement.where(json_holds(ApplicationRow.owner_ids, query.owner_id))
            found = await read_slice(
                session,
                statement,
                Order.by(ApplicationRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await _views(session, found.rows))

    async def get(self, context: RequestContext, application_id: str) -> ApplicationView:
        """Return one application.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            row = await session.get(ApplicationRow, application_id)
            sees = row is not None and (oversees(context.identity) or context.identity.id in row.owner_ids)
            return (await _views(session, [require_found(row if sees else None, "application")]))[0]


async def _views(session: AsyncSession, rows: Sequence[ApplicationRow]) -> list[ApplicationView]:
    names = await identity_names(session, (owner for row in rows for owner in row.owner_ids))
    counted = select(RoleRow.application_id, func.count()).where(
        col(RoleRow.application_id).in_([row.id for row in rows])
    )
    counts = dict((await session.exec(counted.group_by(col(RoleRow.application_id)))).all())
    return [
        ApplicationView(
            id=row.id,
            key=row.key,
            display_name=row.display_name,
            description=row.description,
            owners=[ref_of(owner, names) for owner in row.owner_ids],
            status=row.status,
            client_id=row.client_id,
            client_secret=SecretState(set=row.client_secret is not None, updated_at=row.client_secret_set_at),
            role_count=counts.get(row.id, 0),
            version=row.version,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]
