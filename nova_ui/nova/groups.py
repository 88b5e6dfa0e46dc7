"""Groups: read, create, update, delete. Their members are in `group_members`."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import fold
from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid
from nova_ui.nova import follow_ups
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.list_filters import GROUPS, filtered
from nova_ui.nova.permissions import oversees, require_administrator, require_found
from nova_ui.nova.views import Done, GroupCreate, GroupPatch, GroupQuery, GroupView, Impact, ObjectRef, Page
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.folded import contains_words
from storage.nova.identities import json_holds, owns_any
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, MembershipRow

SORT_COLUMNS: Final = {"display_name": "name_key", "created_at": "created_at", "updated_at": "updated_at"}


class Groups:
    """Groups as the caller may see and change them: administrators and auditors all, owners their own."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: GroupQuery) -> Page[GroupView]:
        """Return a page of groups.

        Raises:
            NovaForbidden: the caller neither oversees nor owns any group.

        """
        async with self._core.database.reading() as session:
            statement = select(GroupRow).where(*_conditions(query), await filtered(session, query.filter, GROUPS))
            if not oversees(context.identity):
                if not await owns_any(session, GroupRow, context.identity.id):
                    raise NovaForbidden("Groups are shown to administrators, auditors and their owners.")
                statement = statement.where(json_holds(GroupRow.owner_ids, context.identity.id))
            found = await read_slice(
                session,
                statement,
                Order.by(GroupRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await group_views(session, found.rows))

    async def get(self, context: RequestContext, group_id: str) -> GroupView:
        """Return one group.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            row = await visible_group(session, context.identity, group_id)
            return (await group_views(session, [row]))[0]

    async def create(self, context: RequestContext, body: GroupCreate) -> GroupView:
        """Add a group.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaConflict: the name is taken.

        """
        async with self._core.writer.writing(
            context, "group.created", Target("group", None, body.display_name)
        ) as write:
            require_administrator(context.identity)
            await _check_name(write.session, "", body.display_name)
            await check_owners(write.session, body.owner_ids)
            row = GroupRow(
                id=new_id("grp"),
                display_name=body.display_name,
                name_key=fold(body.display_name),
                description=body.description,
                owner_ids=body.owner_ids,
                created_at=write.now,
                updated_at=write.now,
            )
            write.session.add(row)
            await write.session.flush()
            target = Target("group", row.id, row.display_name)
            await write.log("group.created", target, details={"changes": changes_between({}, body.model_dump())})
            return (await group_views(write.session, [row]))[0]

    async def update(self, context: RequestContext, group_id: str, body: GroupPatch, if_match: str | None) -> GroupView:
        """Change fields of a group; what the patch does not name stays."""
        async with self._core.writer.writing(context, "group.updated", Target("group", group_id)) as write:
            row = await locked_group(write, group_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            check_manual(row)
            before = row.model_dump()
            given = body.model_dump(exclude_unset=True)
            changed = {name: value for name, value in given.items() if before[name] != value}
            if "display_name" in changed:
                await _check_name(write.session, row.id, str(changed["display_name"]))
            await check_owners(write.session, body.owner_ids if "owner_ids" in changed else [])
            if changed:
                derived = {"name_key": fold(str(changed.get("display_name", row.display_name)))}
                await write.change(row, {**changed, **derived}, if_match)
                target = Target("group", row.id, row.display_name)
                await write.log("group.updated", target, details={"changes": changes_between(before, changed)})
            return (await group_views(write.session, [row]))[0]

    async def impact_of_delete(self, context: RequestContext, group_id: str) -> Impact:
        """Return what deleting a group would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            row = await visible_group(session, context.identity, group_id)
            subject = ObjectRef(type="group", id=row.id, display=row.display_name)
            return await weigh(subject, _plan_delete(session, context, row))

    async def delete(self, context: RequestContext, group_id: str, if_match: str | None) -> Done[GroupView]:
        """Delete a group; its members lose what it grants."""
        async with self._core.writer.writing(context, "group.deleted", Target("group", group_id)) as write:
            row = await locked_group(write, group_id)
            check_version(row.version, if_match)
            planned = await _plan_delete(write.session, context, row)
            last = (await group_views(write.session, [row]))[0]
            cause = await write.log("group.deleted", write.target)
            for one in planned:
                if one.type == "membership":
                    await follow_ups.remove_member(write, row.id, one.id, cause)
                else:
                    await follow_ups.revoke(write, one, cause)
            await write.session.delete(row)
            return Done(object=last, effects=effects_of(planned))


async def visible_group(session: AsyncSession, identity: Identity, group_id: str) -> GroupRow:
    """Return a group that the caller may see.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    row = await session.get(GroupRow, group_id, populate_existing=True)
    sees = row is not None and (oversees(identity) or identity.id in row.owner_ids)
    return require_found(row if sees else None, "group")


async def locked_group(write: Write, group_id: str) -> GroupRow:
    """Return a visible group under a lock, for a change."""
    await lock_row(write.session, GroupRow, group_id)
    row = await visible_group(write.session, write.asker.identity, group_id)
    write.target = Target("group", row.id, row.display_name)
    return row


def check_manual(row: GroupRow) -> None:
    """Refuse to change what a connector keeps.

    Raises:
        NovaConflict: the group comes from a connector.

    """
    if row.source != "nova":
        raise NovaConflict("This group is kept by a connector and read-only here.", code="state_conflict")


async def check_owners(session: AsyncSession, owner_ids: Sequence[str]) -> None:
    """Refuse owners that do not exist or are out of service.

    Raises:
        NovaInvalid: one of them can't own anything.

    """
    in_service = col(IdentityRow.status).in_(["active", "staged", "suspended"])
    found = select(IdentityRow.id).where(col(IdentityRow.id).in_(owner_ids), in_service)
    if set((await session.exec(found)).all()) != set(owner_ids):
        raise NovaInvalid("An owner does not exist or is out of service.", field="owner_ids")


async def group_views(session: AsyncSession, rows: Sequence[GroupRow]) -> list[GroupView]:
    """Return a page of groups with their owners' names and member counts."""
    names = await identity_names(session, (owner for row in rows for owner in row.owner_ids))
    counted = (
        select(MembershipRow.group_id, func.count())
        .where(col(MembershipRow.group_id).in_([row.id for row in rows]))
        .group_by(col(MembershipRow.group_id))
    )
    counts = dict((await session.exec(counted)).all())
    return [
        GroupView(
            id=row.id,
            display_name=row.display_name,
            description=row.description,
            owners=[ref_of(owner, names) for owner in row.owner_ids],
            member_count=counts.get(row.id, 0),
            source=row.source,
            protected=row.protected,
            version=row.version,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]


def _conditions(query: GroupQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.q is not None:
        conditions.append(or_(contains_words(GroupRow.name_key, query.q), col(GroupRow.id) == query.q))
    if query.source is not None:
        conditions.append(col(GroupRow.source) == query.source)
    if query.owner_id is not None:
        conditions.append(json_holds(GroupRow.owner_ids, query.owner_id))
    if query.member_id is not None:
        mine = select(MembershipRow.group_id).where(col(MembershipRow.identity_id) == query.member_id)
        conditions.append(col(GroupRow.id).in_(mine))
    return conditions


async def _plan_delete(session: AsyncSession, context: RequestContext, row: GroupRow) -> list[Planned]:
    require_administrator(context.identity)
    if row.protected:
        raise NovaConflict("This group is protected.", code="protected_object")
    check_manual(row)
    members = (
        select(IdentityRow)
        .join(MembershipRow, col(MembershipRow.identity_id) == col(IdentityRow.id))
        .where(col(MembershipRow.group_id) == row.id)
        .order_by(col(IdentityRow.search_text), col(IdentityRow.id))
    )
    memberships = [
        Planned(type="membership", id=member.id, display=member.display_name, result="removed")
        for member in (await session.exec(members)).all()
    ]
    return [*memberships, *await follow_ups.plan_revocations(session, await granted_by_group(session, row.id))]


async def granted_by_group(session: AsyncSession, group_id: str, identity_id: str | None = None) -> list[AssignmentRow]:
    """Return the assignments that a group gives, to everyone or to one member."""
    granted = select(AssignmentRow).where(
        col(AssignmentRow.source) == "group",
        col(AssignmentRow.source_id) == group_id,
        col(AssignmentRow.status).in_(["active", "scheduled", "pending"]),
    )
    if identity_id is not None:
        granted = granted.where(col(AssignmentRow.identity_id) == identity_id)
    return list((await session.exec(granted.order_by(col(AssignmentRow.id)))).all())


async def _check_name(session: AsyncSession, own_id: str, name: str) -> None:
    taken = select(GroupRow.id).where(col(GroupRow.name_key) == fold(name), col(GroupRow.id) != own_id)
    if (await session.exec(taken)).first() is not None:
        raise NovaConflict("A group with this display_name exists already.", field="display_name")
