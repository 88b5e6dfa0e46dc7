"""Entitlements: read, add, describe, adopt, take out of use."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import ColumnElement, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import fold, searchable
from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid
from nova_ui.nova import list_filters
from nova_ui.nova.assignment_status import is_held, is_open
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.groups import check_owners
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.list_filters import filtered
from nova_ui.nova.permissions import oversees, require_administrator, require_found
from nova_ui.nova.rights import approval_of
from nova_ui.nova.roles import refs_by_name
from nova_ui.nova.views import EntitlementCreate, EntitlementPatch, EntitlementQuery, EntitlementView, Page
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.entitlement_tables import EntitlementRow, RoleEntitlementRow
from storage.nova.folded import contains_words
from storage.nova.identities import json_holds
from storage.nova.names import application_names, identity_names, roles_by_id
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import AccessRequestRow, ApplicationRow, AssignmentRow

SORT_COLUMNS: Final = {"display_name": "search_text", "created_at": "created_at", "updated_at": "updated_at"}


class Entitlements:
    """Entitlements as the caller may see and change them: overseers all, others what they or their application own."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: EntitlementQuery) -> Page[EntitlementView]:
        """Return a page of entitlements."""
        async with self._core.database.reading() as session:
            wanted = await filtered(session, query.filter, list_filters.ENTITLEMENTS)
            found = await read_slice(
                session,
                select(EntitlementRow).where(*_visible(context.identity), *_conditions(query), wanted),
                Order.by(EntitlementRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await self._views(session, found.rows))

    async def get(self, context: RequestContext, entitlement_id: str) -> EntitlementView:
        """Return one entitlement.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            row = await _find(session, context.identity, entitlement_id)
            return (await self._views(session, [row]))[0]

    async def create(self, context: RequestContext, body: EntitlementCreate) -> EntitlementView:
        """Add an entitlement that no connection has discovered.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaInvalid: the application or an owner does not exist.
            NovaConflict: the application has a right of this name already.

        """
        target = Target("entitlement", None, body.display_name)
        async with self._core.writer.writing(context, "entitlement.created", target) as write:
            require_administrator(context.identity)
            if await write.session.get(ApplicationRow, body.application_id) is None:
                raise NovaInvalid("There is no such application.", field="application_id")
            await check_owners(write.session, body.owner_ids)
            key = fold(body.native_name)
            taken = select(EntitlementRow.id).where(
                col(EntitlementRow.application_id) == body.application_id, col(EntitlementRow.native_key) == key
            )
            if (await write.session.exec(taken)).first() is not None:
                raise NovaConflict("The application has an entitlement of this name already.", field="native_name")
            moments = {"created_at": write.now, "updated_at": write.now}
            row = EntitlementRow.model_validate(
                {"id": new_id("ent"), **body.model_dump(), "native_key": key, "status": "managed", **moments}
            )
            write.session.add(row)
            await write.session.flush()
            details = {"changes": changes_between({}, body.model_dump())}
            await write.log("entitlement.created", Target("entitlement", row.id, row.display_name), details=details)
            return (await self._views(write.session, [row]))[0]

    async def update(
        self, context: RequestContext, entitlement_id: str, body: EntitlementPatch, if_match: str | None
    ) -> EntitlementView:
        """Change an entitlement, as an administrator or its owner; what the patch does not name stays.

        Raises:
            NovaForbidden: the caller is neither.
            NovaInvalid: an owner does not exist.
            NovaConflict: it is gone, or would be gone while somebody has it.

        """
        target = Target("entitlement", entitlement_id)
        async with self._core.writer.writing(context, "entitlement.updated", target) as write:
            await lock_row(write.session, EntitlementRow, entitlement_id)
            row = await _find(write.session, context.identity, entitlement_id)
            write.target = Target("entitlement", row.id, row.display_name)
            if not context.identity.is_administrator and context.identity.id not in row.owner_ids:
                raise NovaForbidden("Only administrators and the owners of an entitlement may change it.")
            check_version(row.version, if_match)
            before = row.model_dump()
            given = body.model_dump(exclude_unset=True)
            changed = {name: value for name, value in given.items() if before[name] != value}
            await _check_changes(write, row, changed)
            if changed:
                described = {**before, **changed}["description"]
                text = searchable(row.display_name, row.native_name, described)
                await write.change(row, {**changed, "search_text": text}, if_match)
                details = {"changes": changes_between(before, changed)}
                await write.log("entitlement.updated", write.target, details=details)
            return (await self._views(write.session, [row]))[0]

    async def _views(self, session: AsyncSession, rows: Sequence[EntitlementRow]) -> list[EntitlementView]:
        ids = [row.id for row in rows]
        names = await identity_names(session, (owner for row in rows for owner in row.owner_ids))
        applications = await application_names(session, (row.application_id for row in rows))
        links = select(RoleEntitlementRow).where(col(RoleEntitlementRow.entitlement_id).in_(ids))
        bundling: dict[str, list[str]] = {}
        for link in (await session.exec(links)).all():
            bundling.setdefault(link.entitlement_id, []).append(link.role_id)
        roles = await roles_by_id(session, (one for linked in bundling.values() for one in linked))
        role_names = {role_id: role.display_name for role_id, role in roles.items()}
        counts = await self._holders(session, ids)
        return [
            EntitlementView(
                **row.model_dump(exclude={"application_id", "owner_ids", "search_text", "native_key"}),
                application=ref_of(row.application_id, applications),
                owners=[ref_of(owner, names) for owner in row.owner_ids],
                approval=approval_of(row),
                roles=refs_by_name(bundling.get(row.id, ()), role_names),
                holder_count=counts.get(row.id, 0),
            )
            for row in rows
        ]

    async def _holders(self, session: AsyncSession, ids: Sequence[str]) -> Mapping[str | None, int]:
        people = func.count(func.distinct(col(AssignmentRow.identity_id)))
        held = select(AssignmentRow.entitlement_id, people).where(
            col(AssignmentRow.entitlement_id).in_(ids), is_held(self._core.clock.now())
        )
        return dict((await session.exec(held.group_by(col(AssignmentRow.entitlement_id)))).all())


def _visible(identity: Identity) -> Sequence[ColumnElement[bool]]:
    if oversees(identity):
        return ()
    owned = select(ApplicationRow.id).where(json_holds(ApplicationRow.owner_ids, identity.id))
    return (or_(json_holds(EntitlementRow.owner_ids, identity.id), col(EntitlementRow.application_id).in_(owned)),)


async def _find(session: AsyncSession, identity: Identity, entitlement_id: str) -> EntitlementRow:
    wanted = select(EntitlementRow).where(col(EntitlementRow.id) == entitlement_id, *_visible(identity))
    return require_found((await session.exec(wanted)).first(), "entitlement")


async def _check_changes(write: Write, row: EntitlementRow, changed: Mapping[str, object]) -> None:
    if row.status == "gone":
        raise NovaConflict("The entitlement is gone and stays as it was.", code="state_conflict")
    owner_ids = changed.get("owner_ids")
    if isinstance(owner_ids, list):
        await check_owners(write.session, owner_ids)
    if changed.get("status") == "gone":
        await _check_unused(write, row)


async def _check_unused(write: Write, row: EntitlementRow) -> None:
    """Refuse to take out of use what somebody has, is asked for, or stands in a bundle."""
    uses = {
        "assignments": select(func.count())
        .select_from(AssignmentRow)
        .where(col(AssignmentRow.entitlement_id) == row.id, is_open(write.now)),
        "roles": select(func.count())
        .select_from(RoleEntitlementRow)
        .where(col(RoleEntitlementRow.entitlement_id) == row.id),
        "open requests": select(func.count())
        .select_from(AccessRequestRow)
        .where(col(AccessRequestRow.status).in_(OPEN_REQUEST), json_holds(AccessRequestRow.items, row.id)),
    }
    for what, counted in uses.items():
        count = (await write.session.exec(counted)).one()
        if count:
            raise NovaConflict(f"{count} {what} still use this entitlement.", field="status", extra={"count": count})


def _conditions(query: EntitlementQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.q is not None:
        conditions.append(or_(col(EntitlementRow.id) == query.q, contains_words(EntitlementRow.search_text, query.q)))
    if query.owner_id is not None:
        conditions.append(json_holds(EntitlementRow.owner_ids, query.owner_id))
    if query.role_id is not None:
        bundled = select(RoleEntitlementRow.entitlement_id).where(col(RoleEntitlementRow.role_id) == query.role_id)
        conditions.append(col(EntitlementRow.id).in_(bundled))
    exact = {
        EntitlementRow.application_id: query.application_id,
        EntitlementRow.status: query.status,
        EntitlementRow.risk: query.risk,
    }
    conditions += [col(column) == value for column, value in exact.items() if value is not None]
    flags = {EntitlementRow.requestable: query.requestable, EntitlementRow.privileged: query.privileged}
    return [*conditions, *(col(column).is_(value) for column, value in flags.items() if value is not None)]
