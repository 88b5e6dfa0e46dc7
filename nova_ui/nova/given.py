"""What groups and rules give to whom: the difference between what should be and what is, and carrying it out.

Whoever is in a group holds its roles with the source `group`; whom the rule of a role finds holds it with the source
`birthright`. Each source stands by itself, so that what was granted by hand stays when a rule takes its own away.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import ColumnElement, delete, insert, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict
from nova_ui.nova.assignment_status import is_open
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.effects import Planned
from nova_ui.nova.rules import Person
from nova_ui.nova.writing import Write
from storage.ids import new_id
from storage.nova.filter_conditions import is_among
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, MembershipRow, RoleRow

MAX_CHANGES: Final = 200_000
GIVEN: Final = ("group", "birthright")


@dataclass(frozen=True, slots=True)
class Membership:
    """Somebody in a group."""

    group_id: str
    group: str
    person: Person


@dataclass(frozen=True, slots=True)
class Given:
    """A role that somebody holds because of a group or a rule; the id of the assignment, once there is one."""

    person: Person
    role_id: str
    role: str
    source: Literal["group", "birthright"]
    source_id: str
    assignment_id: str | None = None

    @property
    def display(self) -> str:
        """How entries name the assignment."""
        return f"{self.role} · {self.person.display}"

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes it the same right."""
        return (self.person.id, self.role_id, self.source, self.source_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is to be changed for everything to be as it should be."""

    joining: Sequence[Membership] = ()
    leaving: Sequence[Membership] = ()
    granted: Sequence[Given] = ()
    revoked: Sequence[Given] = ()

    @property
    def size(self) -> int:
        """How many changes these are."""
        return len(self.joining) + len(self.leaving) + len(self.granted) + len(self.revoked)

    @property
    def counts(self) -> dict[str, int]:
        """What an entry says of it."""
        found = {
            "members_added": len(self.joining),
            "members_removed": len(self.leaving),
            "roles_granted": len(self.granted),
            "roles_revoked": len(self.revoked),
        }
        return {name: count for name, count in found.items() if count}

    def planned(self, *, by: Literal["person", "group"]) -> list[Planned]:
        """Return it as effects; a membership goes by the person's name or by the group's."""
        named = [*((one, "added") for one in self.joining), *((one, "removed") for one in self.leaving)]
        memberships = [
            Planned(type="membership", id=one.person.id, display=one.person.display, result=result)
            if by == "person"
            else Planned(type="membership", id=one.group_id, display=one.group, result=result)
            for one, result in named
        ]
        granted = [
            Planned(type="assignment", id=one.role_id, display=one.display, result="granted") for one in self.granted
        ]
        revoked = [
            Planned(type="assignment", id=one.assignment_id or "", display=one.display, result="revoked")
            for one in self.revoked
        ]
        return [*memberships, *granted, *revoked]


def rights_between(wanted: Iterable[Given], held: Iterable[Given]) -> tuple[list[Given], list[Given]]:
    """Return which rights are to be granted and which revoked, for `wanted` to be what is `held`."""
    should, have = {one.key: one for one in wanted}, {one.key: one for one in held}
    granted = [one for key, one in should.items() if key not in have]
    return granted, [one for key, one in have.items() if key not in should]


async def held_rights(session: AsyncSession, now: datetime, *where: ColumnElement[bool]) -> list[Given]:
    """Return the rights given by groups and rules that are open at `now`; `where` narrows them."""
    found = (
        select(AssignmentRow, col(IdentityRow.display_name), col(RoleRow.display_name))
        .join(IdentityRow, col(IdentityRow.id) == col(AssignmentRow.identity_id))
        .join(RoleRow, col(RoleRow.id) == col(AssignmentRow.role_id))
        .where(col(AssignmentRow.source).in_(GIVEN), is_open(now), *where)
        .order_by(col(AssignmentRow.id))
    )
    return [
        Given(
            person=Person(row.identity_id, name),
            role_id=row.role_id or "",
            role=role,
            source="group" if row.source == "group" else "birthright",
            source_id=row.source_id or row.role_id or "",
            assignment_id=row.id,
        )
        for row, name, role in (await session.exec(found)).all()
    ]


async def carry_out(write: Write, found: Difference, cause: str | None, *, changed_group: str | None = None) -> None:
    """Make everything as it should be, with an entry for each change, all of them caused by the entry `cause`.

    A statement for each kind of change, however many people it is about; `changed_group` has its new version already.

    Raises:
        NovaConflict: it would be more than 200,000 changes at once.

    """
    if found.size > MAX_CHANGES:
        raise NovaConflict(f"This would be {found.size} changes at once. Make it in smaller steps.")
    moved = {one.group_id for one in (*found.joining, *found.leaving)} - {changed_group}
    await _new_versions(write, moved)
    causes = {**await _leave(write, found.leaving, cause), **await _join(write, found.joining, cause)}
    await _revoke(write, found.revoked, causes, cause)
    await _grant(write, found.granted, causes, cause)


_Causes = Mapping[tuple[str, str], str]  # group and identity of a membership → the entry about it


async def _new_versions(write: Write, group_ids: Collection[str]) -> None:
    """Give groups whose members change a new version, locked in one order whoever does it."""
    if not group_ids:
        return
    mine = col(GroupRow.id).in_(group_ids)
    await write.session.exec(select(GroupRow.id).where(mine).order_by(col(GroupRow.id)).with_for_update())
    newer = update(GroupRow).where(mine).values(version=col(GroupRow.version) + 1, updated_at=write.now)
    await write.session.exec(newer.execution_options(synchronize_session=False))


async def _leave(write: Write, leaving: Sequence[Membership], cause: str | None) -> _Causes:
    for group_id in sorted({one.group_id for one in leaving}):
        gone = [one.person.id for one in leaving if one.group_id == group_id]
        theirs = is_among(write.session, col(MembershipRow.identity_id), gone)
        removal = delete(MembershipRow).where(col(MembershipRow.group_id) == group_id, theirs)
        await write.session.exec(removal.execution_options(synchronize_session=False))
    return await _log_members(write, "group.member_removed", leaving, cause)


async def _join(write: Write, joining: Sequence[Membership], cause: str | None) -> _Causes:
    rows = [{"group_id": one.group_id, "identity_id": one.person.id, "added_at": write.now} for one in joining]
    await _insert(write, MembershipRow, rows)
    return await _log_members(write, "group.member_added", joining, cause)


async def _log_members(write: Write, action: str, memberships: Sequence[Membership], cause: str | None) -> _Causes:
    return {
        (one.group_id, one.person.id): await write.log(
            action,
            Target("group", one.group_id, one.group),
            details={"member": {"id": one.person.id, "display": one.person.display}},
            caused_by=cause,
        )
        for one in memberships
    }


async def _revoke(write: Write, revoked: Sequence[Given], causes: _Causes, cause: str | None) -> None:
    ids = [one.assignment_id for one in revoked if one.assignment_id]
    end = update(AssignmentRow).where(is_among(write.session, col(AssignmentRow.id), ids))
    end = end.values(status="revoked", version=col(AssignmentRow.version) + 1, updated_at=write.now)
    if ids:
        await write.session.exec(end.execution_options(synchronize_session=False))
    details = {"changes": changes_between({"status": "active"}, {"status": "revoked"})}
    for one in revoked:
        target = Target("assignment", one.assignment_id, one.display)
        because = causes.get((one.source_id, one.person.id), cause)
        await write.log("assignment.revoked", target, details=details, caused_by=because)


async def _grant(write: Write, granted: Sequence[Given], causes: _Causes, cause: str | None) -> None:
    rows = [_assignment(write, one) for one in granted]
    await _insert(write, AssignmentRow, [row.model_dump() for row in rows])
    for one, row in zip(granted, rows, strict=True):
        after = {"identity_id": row.identity_id, "role_id": row.role_id, "status": row.status, "source": row.source}
        because = causes.get((one.source_id, one.person.id), cause)
        target = Target("assignment", row.id, one.display)
        details = {"changes": changes_between({}, after)}
        await write.log("assignment.granted", target, details=details, caused_by=because)


def _assignment(write: Write, given: Given) -> AssignmentRow:
    return AssignmentRow(
        id=new_id("asg"),
        identity_id=given.person.id,
        role_id=given.role_id,
        source=given.source,
        source_id=given.source_id,
        valid_from=write.now,
        created_at=write.now,
        updated_at=write.now,
    )


async def _insert(write: Write, table: type[SQLModel], rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        await write.session.flush()
        await (await write.session.connection()).execute(insert(table), rows)
