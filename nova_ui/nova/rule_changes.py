"""What a change of a group or a role does to everybody at once: a few statements, whatever the number of people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaInvalid
from nova_ui.nova.given import Difference, Given, Membership, held_rights, rights_between
from nova_ui.nova.rules import IN_SERVICE, Person, check_rule, whom_it_finds
from storage.nova.filter_conditions import is_among
from storage.nova.identities import json_holds
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, MembershipRow, RoleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupState:
    """A group as it is going to be."""

    id: str
    name: str
    membership: str
    rule: str | None
    role_ids: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleState:
    """A role as it is going to be."""

    id: str
    name: str
    status: str
    birthright_rule: str | None
    max_days: int | None


async def check_group(session: AsyncSession, group: GroupState) -> None:
    """Refuse a group that can't be.

    Raises:
        NovaInvalid: a group by rule has none, or one that can't be used; another has one; or a role can't be given.

    """
    if group.membership == "rule" and group.rule is None:
        raise NovaInvalid("rule: a group by rule needs one", field="rule")
    if group.membership != "rule" and group.rule is not None:
        raise NovaInvalid('rule: only a group with the membership "rule" has one', field="rule")
    if group.rule is not None:
        check_rule(group.rule, "rule")
    if len(set(group.role_ids)) != len(group.role_ids):
        raise NovaInvalid("role_ids: a role stands there twice", field="role_ids")
    found = select(RoleRow).where(col(RoleRow.id).in_(group.role_ids))
    roles = (await session.exec(found)).all()
    if len(roles) != len(group.role_ids):
        raise NovaInvalid("role_ids: there is no such role", field="role_ids")
    if ending := [role.display_name for role in roles if role.max_days is not None]:
        raise NovaInvalid(f"role_ids: {ending[0]} is held for some days only, a group gives for good", field="role_ids")


async def check_role(session: AsyncSession, role: RoleState) -> None:
    """Refuse a role that can't be.

    Raises:
        NovaInvalid: its rule can't be used, or it is held for some days only and yet given for good.

    """
    if role.birthright_rule is not None:
        check_rule(role.birthright_rule, "birthright_rule")
    if role.max_days is None:
        return
    if role.birthright_rule is not None:
        raise NovaInvalid("max_days: a role that comes by a rule is held for good", field="max_days")
    if givers := await groups_giving(session, role.id):
        raise NovaInvalid(f"max_days: the group {givers[0].display_name} gives this role for good", field="max_days")


async def groups_giving(session: AsyncSession, role_id: str) -> Sequence[GroupRow]:
    """Return the groups whose members get a role."""
    found = select(GroupRow).where(json_holds(GroupRow.role_ids, role_id))
    return (await session.exec(found.order_by(col(GroupRow.name_key)))).all()


async def difference_for_group(
    session: AsyncSession, group: GroupState, now: datetime, *, members: Mapping[str, Person] | None = None
) -> Difference:
    """Return what has to change for a group to be as `group` says; with `members`, for them to be in it."""
    inside = await _members(session, [group.id])
    present = {person.id: person for _, person, _ in inside}
    serving = {person.id for _, person, status in inside if status in IN_SERVICE}
    if group.rule is not None:
        members = await whom_it_finds(session, group.rule)
    should = present if members is None else members
    joining = [person for one, person in should.items() if one not in present]
    leaving = [person for one, person in present.items() if one not in should]
    serving |= await _serving(session, joining)
    holders = [should[one] for one in serving & should.keys()]
    wanted = _given_by_group(group, await _active(session, group.role_ids), holders)
    from_here = (col(AssignmentRow.source) == "group", col(AssignmentRow.source_id) == group.id)
    granted, revoked = rights_between(wanted, await held_rights(session, now, *from_here))
    return Difference(
        joining=[Membership(group.id, group.name, person) for person in joining],
        leaving=[Membership(group.id, group.name, person) for person in leaving],
        granted=granted,
        revoked=revoked,
    )


async def difference_for_role(session: AsyncSession, role: RoleState, now: datetime) -> Difference:
    """Return what has to change for everybody to hold a role who should by its rule or by a group."""
    wanted: list[Given] = []
    if role.status == "active":
        if role.birthright_rule is not None:
            found = await whom_it_finds(session, role.birthright_rule)
            wanted += [Given(person, role.id, role.name, "birthright", role.id) for person in found.values()]
        givers = [group.id for group in await groups_giving(session, role.id)]
        wanted += [
            Given(person, role.id, role.name, "group", group_id)
            for group_id, person, status in await _members(session, givers)
            if status in IN_SERVICE
        ]
    held = await held_rights(session, now, col(AssignmentRow.role_id) == role.id)
    granted, revoked = rights_between(wanted, held)
    return Difference(granted=granted, revoked=revoked)


def _given_by_group(group: GroupState, roles: Mapping[str, str], people: Iterable[Person]) -> list[Given]:
    return [
        Given(person, role_id, name, "group", group.id)
        for person in sorted(people, key=lambda one: one.id)
        for role_id, name in roles.items()
    ]


async def _members(session: AsyncSession, group_ids: Sequence[str]) -> Sequence[tuple[str, Person, str]]:
    """Return group, person and state of every member."""
    found = (
        select(MembershipRow.group_id, IdentityRow.id, IdentityRow.display_name, IdentityRow.status)
        .join(IdentityRow, col(IdentityRow.id) == col(MembershipRow.identity_id))
        .where(col(MembershipRow.group_id).in_(group_ids))
        .order_by(col(MembershipRow.group_id), col(IdentityRow.id))
    )
    rows = (await session.exec(found)).all()
    return [(group_id, Person(identity_id, name), status) for group_id, identity_id, name, status in rows]


async def _serving(session: AsyncSession, people: Sequence[Person]) -> set[str]:
    mine = is_among(session, col(IdentityRow.id), [one.id for one in people])
    found = select(IdentityRow.id).where(mine, col(IdentityRow.status).in_(IN_SERVICE))
    return set((await session.exec(found)).all())


async def _active(session: AsyncSession, role_ids: Sequence[str]) -> Mapping[str, str]:
    found = select(RoleRow.id, RoleRow.display_name).where(
        col(RoleRow.id).in_(role_ids), col(RoleRow.status) == "active"
    )
    return dict((await session.exec(found)).all())
