"""Who is in a group: administrators and the group's owners add and remove."""

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid, NovaNotFound
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.given import Difference, Membership, carry_out, held_rights
from nova_ui.nova.group_views import group_views, visible_group
from nova_ui.nova.groups import check_manual, locked_group, state_of
from nova_ui.nova.identity_lists import SORT_COLUMNS
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.rule_changes import difference_for_group
from nova_ui.nova.rules import Person, stand_still
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
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, MembershipRow


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
            await stand_still(write.session)
            row = await locked_group(write, group_id)
            _require_administrator_or_owner(context.identity, row)
            check_version(row.version, if_match)
            check_by_hand(row)
            people = await _people(write.session, identity_ids)
            inside = await _inside(write.session, row.id)
            new = [one for one in people if one.id not in inside]
            if new:
                await write.change(row, {}, if_match)
                members = {one: Person(one, name) for one, name in inside.items()}
                members |= {one.id: Person(one.id, one.display_name) for one in new}
                found = await difference_for_group(write.session, state_of(row), write.now, members=members)
                await carry_out(write, found, None, changed_group=row.id)
            return MembersAdded(
                group=(await group_views(write.session, [row]))[0],
                added=[Ref(id=one.id, display_name=one.display_name) for one in new],
                already_members=[Ref(id=one.id, display_name=one.display_name) for one in people if one.id in inside],
            )

    async def impact_of_remove(self, context: RequestContext, group_id: str, identity_id: str | None) -> Impact:
        """Return what removing a member would do, or the refusal it would give."""
        if identity_id is None:
            raise NovaInvalid("identity_id: is missing", field="identity_id")
        async with self._core.database.reading() as session:
            row = await visible_group(session, context.identity, group_id)
            subject = ObjectRef(type="group", id=row.id, display=row.display_name)
            now = self._core.clock.now()
            return await weigh(subject, _plan_remove(session, context, row, identity_id, now))

    async def remove(
        self, context: RequestContext, group_id: str, identity_id: str, if_match: str | None
    ) -> Done[GroupView]:
        """Take one member out; what the group granted to it is revoked."""
        async with self._core.writer.writing(context, "group.member_removed", Target("group", group_id)) as write:
            await stand_still(write.session)
            row = await locked_group(write, group_id)
            check_version(row.version, if_match)
            found = await _find_removal(write.session, context, row, identity_id, write.now)
            await write.change(row, {}, if_match)
            await carry_out(write, found, None, changed_group=row.id)
            return Done(object=(await group_views(write.session, [row]))[0], effects=effects_of(_effects(found)))

    async def impact_of_replace(self, context: RequestContext, group_id: str, identity_ids: list[str]) -> Impact:
        """Return what replacing all members would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            row = await visible_group(session, context.identity, group_id)
            subject = ObjectRef(type="group", id=row.id, display=row.display_name)
            now = self._core.clock.now()
            return await weigh(subject, _plan_replace(session, context, row, identity_ids, now))

    async def replace(
        self, context: RequestContext, group_id: str, identity_ids: list[str], if_match: str | None
    ) -> Done[GroupView]:
        """Make exactly these the members, in one step.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaInvalid: a new one does not exist or is out of service; then nothing changes.

        """
        async with self._core.writer.writing(context, "group.member_removed", Target("group", group_id)) as write:
            await stand_still(write.session)
            row = await locked_group(write, group_id)
            check_version(row.version, if_match)
            found = await _find_replacement(write.session, context, row, identity_ids, write.now)
            if found.size:
                await write.change(row, {}, if_match)
                await carry_out(write, found, None, changed_group=row.id)
            return Done(object=(await group_views(write.session, [row]))[0], effects=effects_of(_effects(found)))


def check_by_hand(row: GroupRow) -> None:
    """Refuse to add or remove members where a connector or a rule says who is in.

    Raises:
        NovaConflict: the members are not kept by hand.

    """
    check_manual(row)
    if row.membership == "rule":
        raise NovaConflict("The members of this group follow its rule. Change the rule instead.", code="state_conflict")


def _effects(found: Difference) -> list[Planned]:
    return found.planned(by="person")


async def _inside(session: AsyncSession, group_id: str) -> dict[str, str]:
    """Return the names of the members by id."""
    members = select(IdentityRow.id, IdentityRow.display_name).join(
        MembershipRow, col(MembershipRow.identity_id) == col(IdentityRow.id)
    )
    return dict((await session.exec(members.where(col(MembershipRow.group_id) == group_id))).all())


async def _find_removal(
    session: AsyncSession, context: RequestContext, row: GroupRow, identity_id: str, now: datetime
) -> Difference:
    _require_administrator_or_owner(context.identity, row)
    check_by_hand(row)
    member = await session.get(IdentityRow, identity_id)
    membership = await session.get(MembershipRow, (row.id, identity_id))
    if member is None or membership is None:
        raise NovaNotFound("This identity is not a member of the group.")
    theirs = (
        col(AssignmentRow.identity_id) == identity_id,
        col(AssignmentRow.source) == "group",
        col(AssignmentRow.source_id) == row.id,
    )
    person = Person(member.id, member.display_name)
    return Difference(
        leaving=[Membership(row.id, row.display_name, person)], revoked=await held_rights(session, now, *theirs)
    )


async def _plan_remove(
    session: AsyncSession, context: RequestContext, row: GroupRow, identity_id: str, now: datetime
) -> list[Planned]:
    return _effects(await _find_removal(session, context, row, identity_id, now))


async def _find_replacement(
    session: AsyncSession, context: RequestContext, row: GroupRow, identity_ids: list[str], now: datetime
) -> Difference:
    require_administrator(context.identity)
    check_by_hand(row)
    inside = await _inside(session, row.id)
    new = await _people(session, [one for one in identity_ids if one not in inside])
    if len(set(identity_ids)) != len(identity_ids):
        raise NovaInvalid("An id stands there twice.", field="identity_ids")
    names = {**inside, **{one.id: one.display_name for one in new}}
    members = {one: Person(one, names[one]) for one in identity_ids}
    return await difference_for_group(session, state_of(row), now, members=members)


async def _plan_replace(
    session: AsyncSession, context: RequestContext, row: GroupRow, identity_ids: list[str], now: datetime
) -> list[Planned]:
    return _effects(await _find_replacement(session, context, row, identity_ids, now))


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
