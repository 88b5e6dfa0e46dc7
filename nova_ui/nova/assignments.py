"""Assignments: who holds which role or entitlement, granted, prolonged and revoked by administrators."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict, NovaInvalid, NovaNotFound
from nova_ui.nova import follow_ups, list_filters
from nova_ui.nova.assignment_status import is_open, status_at, status_column
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, load_reach, page_of
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.identity_views import ref, ref_of
from nova_ui.nova.list_filters import filtered
from nova_ui.nova.permissions import require_administrator, require_found
from nova_ui.nova.rights import Right, find_right, is_held_as, is_in_use, kind_of, max_days_of, right_id_of, right_ref
from nova_ui.nova.rules import stand_still
from nova_ui.nova.views import AssignmentCreate, AssignmentQuery, AssignmentView, Done, Impact, ObjectRef, Page
from nova_ui.nova.views.access import AssignmentSource
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.folded import contains_words
from storage.nova.names import application_names, identity_names, rights_by_id
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import AssignmentRow, IdentityRow, RoleRow

SORT_COLUMNS: Final = {"created_at": "created_at", "updated_at": "updated_at"}
_FIXED_SOURCES: Final = {
    "birthright": "It is a birthright of the identity and comes back; change the rule instead.",
    "group": "It comes from a group; remove the identity from the group instead.",
}


class Assignments:
    """Assignments as the caller may see and change them: everybody their own, managers those of their tree."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: AssignmentQuery) -> Page[AssignmentView]:
        """Return a page of assignments."""
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            reach = await load_reach(session, context.identity)
            wanted = await filtered(session, query.filter, list_filters.assignments(now))
            statement = select(AssignmentRow).where(*_conditions(query, now), wanted)
            if not reach.everybody:
                statement = statement.where(col(AssignmentRow.identity_id).in_(reach.ids))
            found = await read_slice(
                session,
                statement,
                Order.by(AssignmentRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await assignment_views(session, found.rows, now))

    async def get(self, context: RequestContext, assignment_id: str) -> AssignmentView:
        """Return one assignment.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            row = await _visible(session, context, assignment_id)
            return (await assignment_views(session, [row], self._core.clock.now()))[0]

    async def grant(self, context: RequestContext, body: AssignmentCreate) -> AssignmentView:
        """Give a role or an entitlement to an identity.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaInvalid: identity, role or entitlement can't take part, or the period is too long.
            NovaConflict: the identity holds it already.

        """
        async with self._core.writer.writing(context, "assignment.granted", Target("assignment", None)) as write:
            require_administrator(context.identity)
            right_id, field = one_right(body.role_id, body.entitlement_id)
            await stand_still(write.session)
            identity = await lock_row(write.session, IdentityRow, body.identity_id)
            right = await find_right(write.session, right_id)
            if identity is None or identity.status != "active":
                raise NovaInvalid("There is no such active identity.", field="identity_id")
            if right is None or not is_in_use(right):
                raise NovaInvalid("There is no such role or entitlement in use.", field=field)
            grant = Grant(
                identity=identity,
                right=right,
                valid_from=body.valid_from,
                valid_until=body.valid_until,
                justification=body.justification,
            )
            row = await add_assignment(write, grant)
            return (await assignment_views(write.session, [row], write.now))[0]

    async def change_end(
        self, context: RequestContext, assignment_id: str, valid_until: datetime | None, if_match: str | None
    ) -> AssignmentView:
        """Set a new end; None takes it away.

        Raises:
            NovaConflict: the assignment is over, or a rule or a group says how long it lasts.
            NovaInvalid: the end lies in the past or beyond what the role allows.

        """
        async with self._core.writer.writing(
            context, "assignment.changed", Target("assignment", assignment_id)
        ) as write:
            row = await _locked(write, assignment_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            _check_not_fixed(row)
            await set_end(write, row, valid_until, if_match=if_match)
            return (await assignment_views(write.session, [row], write.now))[0]

    async def impact_of_revoke(self, context: RequestContext, assignment_id: str) -> Impact:
        """Return what revoking would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            row = await _visible(session, context, assignment_id)
            subject = ObjectRef(type="assignment", id=row.id, display=await _display(session, row))
            return await weigh(subject, _plan_revoke(context, row, self._core.clock.now()))

    async def revoke(self, context: RequestContext, assignment_id: str, if_match: str | None) -> Done[AssignmentView]:
        """Take a right away; the assignment stays as history."""
        async with self._core.writer.writing(
            context, "assignment.revoked", Target("assignment", assignment_id)
        ) as write:
            row = await _locked(write, assignment_id)
            check_version(row.version, if_match)
            await _plan_revoke(context, row, write.now)
            planned = Planned(type="assignment", id=row.id, display=write.target.display, result="revoked")
            await follow_ups.revoke(write, planned, None)
            return Done(object=(await assignment_views(write.session, [row], write.now))[0], effects=[])


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A role or an entitlement about to be given: to whom, for how long, why, and out of what."""

    identity: IdentityRow
    right: Right
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    justification: str = ""
    source: AssignmentSource = "direct"
    source_id: str | None = None


def one_right(role_id: str | None, entitlement_id: str | None) -> tuple[str, str]:
    """Return what a request names, and in which field.

    Raises:
        NovaInvalid: it names neither or both.

    """
    if (role_id is None) == (entitlement_id is None):
        raise NovaInvalid("Name either a role_id or an entitlement_id.", field="role_id")
    return (role_id, "role_id") if role_id is not None else (entitlement_id or "", "entitlement_id")


async def add_assignment(write: Write, grant: Grant, caused_by: str | None = None) -> AssignmentRow:
    """Add an assignment with its entry; without an end it gets the latest one that the role allows.

    Raises:
        NovaInvalid: the period is not possible.
        NovaConflict: the identity holds the right already, or is going to.

    """
    identity, right = grant.identity, grant.right
    field = f"{kind_of(right)}_id"
    held = select(AssignmentRow.id).where(
        col(AssignmentRow.identity_id) == identity.id, is_held_as(right.id), is_open(write.now)
    )
    if (await write.session.exec(held)).first() is not None:
        what = f"the {kind_of(right)} {right.display_name}"
        raise NovaConflict(f"{identity.display_name} holds {what} already.", field=field)
    start = grant.valid_from if grant.valid_from is not None and grant.valid_from > write.now else None
    begins = start or write.now
    valid_until, max_days = grant.valid_until, max_days_of(right)
    if valid_until is None and max_days is not None:
        valid_until = _latest_end(begins, max_days)
    check_end(right, begins, valid_until)
    row = AssignmentRow(
        id=new_id("asg"),
        identity_id=identity.id,
        role_id=right.id if isinstance(right, RoleRow) else None,
        entitlement_id=None if isinstance(right, RoleRow) else right.id,
        source=grant.source,
        source_id=grant.source_id,
        valid_from=begins,
        valid_until=valid_until,
        justification=grant.justification,
        granted_by=write.context.actor.identity_id,
        status="scheduled" if start else "active",
        created_at=write.now,
        updated_at=write.now,
    )
    write.session.add(row)
    await write.session.flush()
    after = {"identity_id": identity.id, field: right.id, "status": row.status, "valid_until": row.valid_until}
    target = Target("assignment", row.id, f"{right.display_name} · {identity.display_name}")
    details = {"changes": changes_between({}, after), "justification": row.justification, "source": row.source}
    await write.log("assignment.granted", target, details=details, caused_by=caused_by)
    return row


async def set_end(
    write: Write,
    row: AssignmentRow,
    valid_until: datetime | None,
    *,
    if_match: str | None = None,
    caused_by: str | None = None,
) -> None:
    """Set a new end of an assignment, with its entry.

    Raises:
        NovaInvalid: the end is not possible.
        NovaConflict: the assignment is over.

    """
    status = status_at(row, write.now)
    if status not in {"active", "scheduled"}:
        raise NovaConflict(f"The assignment is {status}.", code="state_conflict")
    right = await find_right(write.session, right_id_of(row))
    if right is None:
        raise NovaNotFound("There is no such role or entitlement any more.")
    check_end(right, max(write.now, row.valid_from or write.now), valid_until)
    changes = changes_between({"valid_until": row.valid_until}, {"valid_until": valid_until})
    if not changes:
        return
    await write.change(row, {"valid_until": valid_until}, if_match)
    target = Target("assignment", row.id, await _display(write.session, row))
    await write.log("assignment.changed", target, details={"changes": changes}, caused_by=caused_by)


def _latest_end(begins: datetime, max_days: int) -> datetime:
    try:
        return begins + timedelta(days=max_days)
    except OverflowError:
        raise NovaInvalid("valid_from must lie long enough before the year 10000.", field="valid_from") from None


def check_end(right: Right, begins: datetime, valid_until: datetime | None) -> None:
    """Refuse an end that lies before the begin or beyond what a role allows.

    Raises:
        NovaInvalid: names what is allowed.

    """
    max_days = max_days_of(right)
    if valid_until is None:
        if max_days is not None:
            raise NovaInvalid(f"This role ends after at most {max_days} days.", field="valid_until")
        return
    if valid_until <= begins:
        raise NovaInvalid("valid_until must lie in the future and after valid_from.", field="valid_until")
    # A day of leeway: whoever names a date means up to its end.
    if max_days is not None and valid_until - begins > timedelta(days=max_days + 1):
        raise NovaInvalid(f"This role ends after at most {max_days} days.", field="valid_until")


async def assignment_views(session: AsyncSession, rows: Sequence[AssignmentRow], now: datetime) -> list[AssignmentView]:
    """Return a page of assignments with all names."""
    rights = await rights_by_id(session, (right_id_of(row) for row in rows))
    ids = {one for row in rows for one in (row.identity_id, row.granted_by)}
    names = await identity_names(session, ids)
    applications = await application_names(session, (right.application_id for right in rights.values()))
    views = []
    for row in rows:
        right = rights.get(right_id_of(row))
        views.append(
            AssignmentView(
                id=row.id,
                identity=ref_of(row.identity_id, names),
                role=right_ref(row.role_id, rights, "rol_"),
                entitlement=right_ref(row.entitlement_id, rights, "ent_"),
                application=ref(right.application_id if right else None, applications),
                source=row.source,
                source_id=row.source_id,
                valid_from=row.valid_from,
                valid_until=row.valid_until,
                justification=row.justification,
                granted_by=ref(row.granted_by, names),
                status=status_at(row, now),
                version=row.version,
                created_at=row.created_at,
                updated_at=row.updated_at,
            )
        )
    return views


def _conditions(query: AssignmentQuery, now: datetime) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    exact = {
        AssignmentRow.identity_id: query.identity_id,
        AssignmentRow.role_id: query.role_id,
        AssignmentRow.entitlement_id: query.entitlement_id,
        AssignmentRow.source: query.source,
    }
    conditions += [col(column) == value for column, value in exact.items() if value is not None]
    if query.status is not None:
        conditions.append(status_column(now) == query.status)
    if query.q is not None:
        people = select(IdentityRow.id).where(contains_words(IdentityRow.search_text, query.q))
        roles = contains_words(RoleRow.search_text, query.q)
        mine = _of_rights(roles, contains_words(EntitlementRow.search_text, query.q))
        conditions.append(col(AssignmentRow.identity_id).in_(people) | mine)
    if query.application_id is not None:
        roles = col(RoleRow.application_id) == query.application_id
        conditions.append(_of_rights(roles, col(EntitlementRow.application_id) == query.application_id))
    if query.privileged is not None:
        roles = col(RoleRow.privileged).is_(query.privileged)
        conditions.append(_of_rights(roles, col(EntitlementRow.privileged).is_(query.privileged)))
    return [*conditions, *_moments(query)]


def _of_rights(roles: ColumnElement[bool], entitlements: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that an assignment is of such a role or of such an entitlement."""
    return or_(
        col(AssignmentRow.role_id).in_(select(RoleRow.id).where(roles)),
        col(AssignmentRow.entitlement_id).in_(select(EntitlementRow.id).where(entitlements)),
    )


def _moments(query: AssignmentQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.ends_before is not None:
        conditions.append(col(AssignmentRow.valid_until) <= query.ends_before)
    if query.ends_after is not None:
        conditions.append(col(AssignmentRow.valid_until) >= query.ends_after)
    if query.created_after is not None:
        conditions.append(col(AssignmentRow.created_at) >= query.created_after)
    if query.created_before is not None:
        conditions.append(col(AssignmentRow.created_at) <= query.created_before)
    return conditions


async def _visible(session: AsyncSession, context: RequestContext, assignment_id: str) -> AssignmentRow:
    row = await session.get(AssignmentRow, assignment_id, populate_existing=True)
    reach = await load_reach(session, context.identity)
    return require_found(row if row is not None and reach.covers(row.identity_id) else None, "assignment")


async def _locked(write: Write, assignment_id: str) -> AssignmentRow:
    await lock_row(write.session, AssignmentRow, assignment_id)
    row = await _visible(write.session, write.asker, assignment_id)
    write.target = Target("assignment", row.id, await _display(write.session, row))
    return row


async def _display(session: AsyncSession, row: AssignmentRow) -> str:
    return (await follow_ups.plan_revocations(session, [row]))[0].display


async def _plan_revoke(context: RequestContext, row: AssignmentRow, now: datetime) -> list[Planned]:
    require_administrator(context.identity)
    _check_not_fixed(row)
    status = status_at(row, now)
    if status in {"revoked", "expired", "failed"}:
        raise NovaConflict(f"The assignment is {status} already.", code="state_conflict")
    return []


def _check_not_fixed(row: AssignmentRow) -> None:
    """Refuse to take or to end by hand what a rule or a group gives: it would come back.

    Raises:
        NovaConflict: names what gives it.

    """
    if row.source in _FIXED_SOURCES:
        raise NovaConflict(
            _FIXED_SOURCES[row.source],
            code="state_conflict",
            extra={"source": row.source, "source_id": row.source_id},
        )
