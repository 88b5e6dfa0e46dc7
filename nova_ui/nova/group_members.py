"""Who is in a group: administrators and the group's owners add and remove."""

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaForbidden, NovaInvalid, NovaNotFound
from nova_ui.nova import follow_ups
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.groups import check_manual, granted_by_group, group_views, locked_group, visible_group
from nova_ui.nova.identity_lists import SORT_COLUMNS
from nova_ui.nova.views import (
    Done,
    GroupView,
    Impact,
    MemberQuery,
    MembersAdded,
    MemberView,
    ObjectRef,
    Page,
    Ref,
)
from nova_ui.nova.writing import check_version
from storage.nova.folded import contains_words
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.tables import GroupRow, IdentityRow, MembershipRow


class GroupMembers:
    """The members of groups."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, group_id: str, query: MemberQuery) -> Page[MemberView]:
        """Return a page of members, by name."""
        async with self._core.database.reading() as session:
            await visible_group(session, context.identity, group_id)
            members = (
                select(IdentityRow)
                .join(MembershipRow, col(MembershipRow.identity_id) == col(IdentityRow.id))
                .where(col(MembershipRow.group_id) == group_id)
            )
            if query.q is not None:
                members = members.where(contains_words(IdentityRow.search_text, query.q))
            found = await read_slice(
                session,
                members,
                Order.by(IdentityRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            since = select(MembershipRow.identity_id, MembershipRow.added_at).where(
                col(MembershipRow.group_id) == group_id,
                col(MembershipRow.identity_id).in_([row.id for row in found.rows]),
            )
            added_at = dict((await session.exec(since)).all())
        views = [
            MemberView(
                id=row.id,
                display_name=row.display_name,
                user_name=row.user_name,
                department=row.department,
                status=row.status,
                added_at=added_at[row.id],
            )
            for row in found.rows
            if row.id in added_at
        ]
        return page_of(found, views)

    async def add(
        self, context: RequestContext, group_id: str, identity_ids: list[str], if_match: str | None
    ) -> MembersAdded:
        """Add members; who is in already stays so.

        Raises:
            NovaForbidden: the caller is neither administrator nor owner of the group.
            NovaInvalid: one of them does not exist or is out of service; then nobody is added.

        """
        async with self._core.writer.writing(context, "group.member_added", Target("group", group_id)) as write:
            row = await locked_group(write, group_id)
            _require_administrator_or_owner(context.identity, row)
            check_version(row.version, if_match)
            check_manual(row)
            people = await _people(write.session, identity_ids)
            already = set(
                (
                    await write.session.exec(
                        select(MembershipRow.identity_id).where(
                            col(MembershipRow.group_id) == row.id, col(MembershipRow.identity_id).in_(identity_ids)
                        )
                    )
                ).all()
            )
            new = [one for one in people if one.id not in already]
            for one in new:
                write.session.add(MembershipRow(group_id=row.id, identity_id=one.id, added_at=write.now))
            await write.session.flush()
            if new:
                await write.change(row, {}, if_match)
            for one in new:
                member = {"id": one.id, "display": one.display_name}
                await write.log("group.member_added", write.target, details={"member": member})
            return MembersAdded(
                group=(await group_views(write.session, [row]))[0],
                added=[Ref(id=one.id, display_name=one.display_name) for one in new],
                already_members=[Ref(id=one.id, display_name=one.display_name) for one in people if one.id in already],
            )

    async def impact_of_remove(self, context: RequestContext, group_id: str, identity_id: str | None) -> Impact:
        """Return what removing a member would do, or the refusal it would give."""
        if identity_id is None:
            raise NovaInvalid("identity_id: is missing", field="identity_id")
        async with self._core.database.reading() as session:
            row = await visible_group(session, context.identity, group_id)
            subject = ObjectRef(type="group", id=row.id, display=row.display_name)
            return await weigh(subject, _plan_remove(session, context, row, identity_id))

    async def remove(
        self, context: RequestContext, group_id: str, identity_id: str, if_match: str | None
    ) -> Done[GroupView]:
        """Take one member out; what the group granted to it is revoked."""
        async with self._core.writer.writing(context, "group.member_removed", Target("group", group_id)) as write:
            row = await locked_group(write, group_id)
            check_version(row.version, if_match)
            planned = await _plan_remove(write.session, context, row, identity_id)
            cause = await follow_ups.remove_member(write, row.id, identity_id, None)
            for one in planned:
                if one.type == "assignment":
                    await follow_ups.revoke(write, one, cause)
            await write.session.refresh(row)
            return Done(object=(await group_views(write.session, [row]))[0], effects=effects_of(planned))


async def _plan_remove(
    session: AsyncSession, context: RequestContext, row: GroupRow, identity_id: str
) -> list[Planned]:
    _require_administrator_or_owner(context.identity, row)
    check_manual(row)
    member = await session.get(IdentityRow, identity_id)
    membership = await session.get(MembershipRow, (row.id, identity_id))
    if member is None or membership is None:
        raise NovaNotFound("This identity is not a member of the group.")
    removed = Planned(type="membership", id=member.id, display=member.display_name, result="removed")
    granted = await granted_by_group(session, row.id, identity_id)
    return [removed, *await follow_ups.plan_revocations(session, granted)]


def _require_administrator_or_owner(identity: Identity, row: GroupRow) -> None:
    if not identity.is_administrator and identity.id not in row.owner_ids:
        raise NovaForbidden("Only administrators and the group's owners may do this.")


async def _people(session: AsyncSession, identity_ids: list[str]) -> list[IdentityRow]:
    if len(set(identity_ids)) != len(identity_ids):
        raise NovaInvalid("An id stands there twice.", field="identity_ids")
    in_service = col(IdentityRow.status).in_(["active", "staged", "suspended"])
    found = select(IdentityRow).where(col(IdentityRow.id).in_(identity_ids), in_service)
    people = {row.id: row for row in (await session.exec(found)).all()}
    missing = [one for one in identity_ids if one not in people]
    if missing:
        raise NovaInvalid(f"{len(missing)} of them do not exist or are out of service.", field="identity_ids")
    return [people[one] for one in identity_ids]
