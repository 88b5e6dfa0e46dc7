"""Applications: read, create, update. Of a connection only its kind and how its last test went."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import searchable
from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaConflict, NovaForbidden
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.groups import check_owners
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.list_filters import APPLICATIONS, filtered
from nova_ui.nova.permissions import oversees, require_administrator, require_found
from nova_ui.nova.views import ApplicationCreate, ApplicationPatch, ApplicationQuery, ApplicationView, Page
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.application_tables import ConnectionRow
from storage.nova.folded import contains_words
from storage.nova.identities import json_holds, owns_any
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import ApplicationRow, RoleRow

SORT_COLUMNS: Final = {"display_name": "search_text", "created_at": "created_at", "updated_at": "updated_at"}
NO_CONNECTION: Final = "none"


class Applications:
    """Applications as the caller may see and change them: administrators and auditors all, owners their own."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: ApplicationQuery) -> Page[ApplicationView]:
        """Return a page of applications.

        Raises:
            NovaForbidden: the caller neither oversees nor owns any application.

        """
        async with self._core.database.reading() as session:
            matching = await filtered(session, query.filter, APPLICATIONS)
            statement = select(ApplicationRow).where(matching, *_conditions(query))
            if not oversees(context.identity):
                if not await owns_any(session, ApplicationRow, context.identity.id):
                    raise NovaForbidden("Applications are shown to administrators, auditors and their owners.")
                statement = statement.where(json_holds(ApplicationRow.owner_ids, context.identity.id))
            found = await read_slice(
                session,
                statement,
                Order.by(ApplicationRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await application_views(session, found.rows))

    async def get(self, context: RequestContext, application_id: str) -> ApplicationView:
        """Return one application.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            row = await visible_application(session, context.identity, application_id)
            return (await application_views(session, [row]))[0]

    async def create(self, context: RequestContext, body: ApplicationCreate) -> ApplicationView:
        """Add an application, as a draft without a connection.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaConflict: the key is taken.
            NovaInvalid: an owner does not exist.

        """
        target = Target("application", None, body.display_name)
        async with self._core.writer.writing(context, "application.created", target) as write:
            require_administrator(context.identity)
            taken = select(ApplicationRow.id).where(col(ApplicationRow.key) == body.key)
            if (await write.session.exec(taken)).first() is not None:
                raise NovaConflict("An application with this key exists already.", field="key")
            await check_owners(write.session, body.owner_ids)
            values = {**body.model_dump(), "status": "draft"}
            moments = {"created_at": write.now, "updated_at": write.now}
            row = ApplicationRow.model_validate({"id": new_id("app"), **values, **moments})
            write.session.add(row)
            await write.session.flush()
            target = Target("application", row.id, row.display_name)
            await write.log("application.created", target, details={"changes": changes_between({}, values)})
            return (await application_views(write.session, [row]))[0]

    async def update(
        self, context: RequestContext, application_id: str, body: ApplicationPatch, if_match: str | None
    ) -> ApplicationView:
        """Change fields of an application; what the patch does not name stays."""
        target = Target("application", application_id)
        async with self._core.writer.writing(context, "application.updated", target) as write:
            row = await locked_application(write, context.identity, application_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            before = row.model_dump()
            given = body.model_dump(exclude_unset=True)
            changed = {name: value for name, value in given.items() if before[name] != value}
            if "owner_ids" in changed:
                await check_owners(write.session, changed["owner_ids"])
            if changed:
                now = {**before, **changed}
                derived = {"search_text": searchable(now["display_name"], now["key"], now["description"])}
                await write.change(row, {**changed, **derived}, if_match)
                target = Target("application", row.id, row.display_name)
                await write.log("application.updated", target, details={"changes": changes_between(before, changed)})
            return (await application_views(write.session, [row]))[0]


async def visible_application(session: AsyncSession, identity: Identity, application_id: str) -> ApplicationRow:
    """Return an application that the caller may see.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    row = await session.get(ApplicationRow, application_id)
    sees = row is not None and (oversees(identity) or identity.id in row.owner_ids)
    return require_found(row if sees else None, "application")


async def locked_application(write: Write, identity: Identity, application_id: str) -> ApplicationRow:
    """Return an application that the caller may see, for a change of it or of its connection.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    await lock_row(write.session, ApplicationRow, application_id)
    row = await visible_application(write.session, identity, application_id)
    write.target = Target("application", row.id, row.display_name)
    return row


async def application_views(session: AsyncSession, rows: Sequence[ApplicationRow]) -> list[ApplicationView]:
    """Return a page of applications with names, connections and the number of their roles."""
    names = await identity_names(session, (owner for row in rows for owner in row.owner_ids))
    ids = [row.id for row in rows]
    counted = select(RoleRow.application_id, func.count()).where(col(RoleRow.application_id).in_(ids))
    counts = dict((await session.exec(counted.group_by(col(RoleRow.application_id)))).all())
    connected = (await session.exec(select(ConnectionRow).where(col(ConnectionRow.id).in_(ids)))).all()
    connections = {row.id: row for row in connected if row.kind != NO_CONNECTION}
    return [_view(row, names, connections.get(row.id), counts.get(row.id, 0)) for row in rows]


def _view(
    row: ApplicationRow, names: Mapping[str, str], connection: ConnectionRow | None, role_count: int
) -> ApplicationView:
    return ApplicationView(
        id=row.id,
        key=row.key,
        display_name=row.display_name,
        description=row.description,
        owners=[ref_of(owner, names) for owner in row.owner_ids],
        status=row.status,
        requestable=row.requestable,
        provisioning=row.provisioning,
        connection=connection.kind if connection else NO_CONNECTION,
        connection_state=connection.test_state if connection else None,
        connection_tested_at=connection.tested_at if connection else None,
        role_count=role_count,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _conditions(query: ApplicationQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.q is not None:
        words = contains_words(ApplicationRow.search_text, query.q)
        conditions.append(or_(words, col(ApplicationRow.id) == query.q))
    if query.status is not None:
        conditions.append(col(ApplicationRow.status) == query.status)
    if query.owner_id is not None:
        conditions.append(json_holds(ApplicationRow.owner_ids, query.owner_id))
    if query.requestable is not None:
        conditions.append(col(ApplicationRow.requestable).is_(query.requestable))
    connected = select(ConnectionRow.id).where(col(ConnectionRow.kind) != NO_CONNECTION)
    if query.connection == NO_CONNECTION:
        conditions.append(col(ApplicationRow.id).not_in(connected))
    elif query.connection is not None:
        conditions.append(col(ApplicationRow.id).in_(connected.where(col(ConnectionRow.kind) == query.connection)))
    if query.connection_state is not None:
        tested = connected.where(col(ConnectionRow.test_state) == query.connection_state)
        conditions.append(col(ApplicationRow.id).in_(tested))
    return conditions
