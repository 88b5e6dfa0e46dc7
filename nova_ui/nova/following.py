"""Rule groups, the roles that groups give, and birthright roles follow what an identity is, within the write itself.

Rules look at an identity's own attributes only: nothing that follows can make anything else follow.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.given import Difference, Given, Membership, carry_out, held_rights, rights_between
from nova_ui.nova.rules import IN_SERVICE, Person, finds, stand_still
from nova_ui.nova.writing import Write
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, MembershipRow, RoleRow


async def follow(write: Write, identity_id: str, cause: str) -> None:
    """Bring up to date which rule groups an identity is in, and which roles groups and birthright rules give it.

    To be called after every change of an identity or of its memberships; what is right already stays. Every entry is
    caused by the entry `cause`, or by the one about the membership that the role comes with.
    """
    await stand_still(write.session)
    await write.session.flush()
    row = await write.session.get(IdentityRow, identity_id, populate_existing=True)
    if row is not None:
        await carry_out(write, await difference_for(write.session, row, row.status, write.now), cause)


async def difference_for(session: AsyncSession, row: IdentityRow, status: str, now: datetime) -> Difference:
    """Return what has to change for an identity to be in and to hold what it should, were its state `status`."""
    person = Person(row.id, row.display_name)
    mine = select(MembershipRow.group_id).where(col(MembershipRow.identity_id) == row.id)
    inside = set((await session.exec(mine)).all())
    groups = await _groups(session, inside)
    serves = status in IN_SERVICE
    should = {one.id for one in groups if (serves and finds(one.rule, row) if one.rule else one.id in inside)}
    wanted = await _rights(session, row, [one for one in groups if one.id in should]) if serves else []
    held = await held_rights(session, now, col(AssignmentRow.identity_id) == row.id)
    granted, revoked = rights_between(wanted, held)
    named = {one.id: Membership(one.id, one.display_name, person) for one in groups}
    return Difference(
        joining=[named[one] for one in sorted(should - inside)],
        leaving=[named[one] for one in sorted(inside - should)],
        granted=granted,
        revoked=revoked,
    )


async def _groups(session: AsyncSession, inside: set[str]) -> Sequence[GroupRow]:
    """Return the groups that matter: those by rule, and those that the identity is in."""
    found = select(GroupRow).where(or_(col(GroupRow.rule).is_not(None), col(GroupRow.id).in_(inside)))
    return (await session.exec(found.order_by(col(GroupRow.id)))).all()


async def _rights(session: AsyncSession, row: IdentityRow, groups: Sequence[GroupRow]) -> list[Given]:
    person = Person(row.id, row.display_name)
    named = {role_id for group in groups for role_id in group.role_ids}
    found = select(RoleRow).where(
        col(RoleRow.status) == "active", or_(col(RoleRow.birthright_rule).is_not(None), col(RoleRow.id).in_(named))
    )
    roles: Mapping[str, RoleRow] = {one.id: one for one in (await session.exec(found)).all()}
    by_group = [
        Given(person, role_id, roles[role_id].display_name, "group", group.id)
        for group in groups
        for role_id in group.role_ids
        if role_id in roles
    ]
    by_birth = [
        Given(person, role.id, role.display_name, "birthright", role.id)
        for role in roles.values()
        if role.birthright_rule and finds(role.birthright_rule, row)
    ]
    return [*by_group, *by_birth]
