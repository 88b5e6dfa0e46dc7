"""Roles: read, create, update, delete."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import fold, searchable
from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.nova import list_filters
from nova_ui.nova.assignment_status import is_held, is_open
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.bundling import add_bundle, write_links
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, load_reach, page_of
from nova_ui.nova.effects import MAX_NAMES, Planned, effects_of, weigh
from nova_ui.nova.given import Difference, carry_out
from nova_ui.nova.groups import check_owners
from nova_ui.nova.identity_views import ref, ref_of
from nova_ui.nova.list_filters import filtered
from nova_ui.nova.permissions import oversees, require_administrator, require_found
from nova_ui.nova.rule_changes import RoleState, check_role, difference_for_role, groups_giving
from nova_ui.nova.rules import change_alone
from nova_ui.nova.views import Done, Impact, ObjectRef, Page, Ref, RoleCreate, RolePatch, RoleQuery, RoleView
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.bundles import own_bundles, roles_above
from storage.nova.folded import contains_words
from storage.nova.identities import json_holds
from storage.nova.names import application_names, identity_names, rights_by_id
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import AccessRequestRow, ApplicationRow, AssignmentRow, RoleRow

SORT_COLUMNS: Final = {"display_name": "search_text", "created_at": "created_at", "updated_at": "updated_at"}


class Roles:
    """Roles as the caller may see and change them.

    Administrators and auditors see all; others those that can be requested, that they own, or that somebody within
    their reach holds.
    """

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: RoleQuery) -> Page[RoleView]:
        """Return a page of roles."""
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            visible = await _visible(session, context.identity, now)
            wanted = await filtered(session, query.filter, list_filters.roles(now))
            found = await read_slice(
                session,
                select(RoleRow).where(*visible, *_conditions(query), wanted),
                Order.by(RoleRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await role_views(session, found.rows, now))

    async def get(self, context: RequestContext, role_id: str) -> RoleView:
        """Return one role.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            row = await visible_role(session, context.identity, role_id, now)
            return (await role_views(session, [row], now))[0]

    async def create(self, context: RequestContext, body: RoleCreate) -> RoleView:
        """Add a role.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaConflict: the key is taken.
            NovaInvalid: the application or an owner does not exist.

        """
        async with self._core.writer.writing(context, "role.created", Target("role", None, body.display_name)) as write:
            require_administrator(context.identity)
            await change_alone(write.session)
            if (await write.session.exec(select(RoleRow.id).where(col(RoleRow.key) == body.key))).first() is not None:
                raise NovaConflict("A role with this key exists already.", field="key")
            await _check_references(write.session, body.model_dump())
            moments = {"created_at": write.now, "updated_at": write.now}
            row = RoleRow.model_validate({"id": new_id("rol"), **body.model_dump(), **moments})
            await check_role(write.session, _state_of(row))
            write.session.add(row)
            await write.session.flush()
            await add_bundle(write, row.id, body.entitlement_ids, body.child_role_ids)
            target = Target("role", row.id, row.display_name)
            found = await difference_for_role(write.session, _state_of(row), write.now)
            details = {"changes": changes_between({}, body.model_dump()), **found.counts}
            await carry_out(write, found, await write.log("role.created", target, details=details))
            return (await role_views(write.session, [row], write.now))[0]

    async def update(self, context: RequestContext, role_id: str, body: RolePatch, if_match: str | None) -> RoleView:
        """Change fields of a role; what the patch does not name stays.

        Raises:
            NovaConflict: a built-in role would be taken out of use.

        """
        async with self._core.writer.writing(context, "role.updated", Target("role", role_id)) as write:
            await change_alone(write.session)
            row = await locked_role(write, role_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            before = row.model_dump()
            given = body.model_dump(exclude_unset=True)
            changed = {name: value for name, value in given.items() if before[name] != value}
            if row.protected and changed.get("status", "active") != "active":
                raise NovaConflict("This role is built in and stays in use.", code="protected_object")
            await _check_references(write.session, changed)
            if changed:
                now = {**before, **changed}
                derived = {"search_text": searchable(now["display_name"], now["key"], now["description"])}
                found = await _find_difference(write, row, changed)
                await write.change(row, {**changed, **derived}, if_match)
                target = Target("role", row.id, row.display_name)
                details = {"changes": changes_between(before, changed), **found.counts}
                await carry_out(write, found, await write.log("role.updated", target, details=details))
            return (await role_views(write.session, [row], write.now))[0]

    async def impact_of_delete(self, context: RequestContext, role_id: str) -> Impact:
        """Return what deleting a role would do, or the refusal it would give."""
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            row = await visible_role(session, context.identity, role_id, now)
            subject = ObjectRef(type="role", id=row.id, display=row.display_name)
            return await weigh(subject, _plan_delete(session, context, row, now))

    async def delete(self, context: RequestContext, role_id: str, if_match: str | None) -> Done[RoleView]:
        """Delete a role that nobody holds; its ended assignments go with it."""
        async with self._core.writer.writing(context, "role.deleted", Target("role", role_id)) as write:
            await change_alone(write.session)
            row = await locked_role(write, role_id)
            check_version(row.version, if_match)
            planned = await _plan_delete(write.session, context, row, write.now)
            last = (await role_views(write.session, [row], write.now))[0]
            await write.log("role.deleted", write.target, details={"key": row.key, "ended_assignments": len(planned)})
            await write.session.exec(delete(AssignmentRow).where(col(AssignmentRow.role_id) == row.id))
            await write_links(write.session, row.id, (), ())
            await write.session.delete(row)
            return Done(object=last, effects=effects_of(planned))


async def visible_role(session: AsyncSession, identity: Identity, role_id: str, now: datetime) -> RoleRow:
    """Return a role that the caller may see.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    visible = await _visible(session, identity, now)
    return require_found(
        (await session.exec(select(RoleRow).where(col(RoleRow.id) == role_id, *visible))).first(), "role"
    )


async def role_views(session: AsyncSession, rows: Sequence[RoleRow], now: datetime) -> list[RoleView]:
    """Return a page of roles with names and the number of their holders."""
    names = await identity_names(session, (owner for row in rows for owner in row.owner_ids))
    applications = await application_names(session, (row.application_id for row in rows))
    counted = select(AssignmentRow.role_id, func.count(func.distinct(col(AssignmentRow.identity_id)))).where(
        col(AssignmentRow.role_id).in_([row.id for row in rows]), is_held(now)
    )
    counts = dict((await session.exec(counted.group_by(col(AssignmentRow.role_id)))).all())
    bundles = await own_bundles(session, [row.id for row in rows])
    bundled = {one for parts in (bundles.entitlements, bundles.children) for ids in parts.values() for one in ids}
    rights = await rights_by_id(session, bundled)
    rights_named = {right_id: right.display_name for right_id, right in rights.items()}
    return [
        _role_view(row, names, applications, counts.get(row.id, 0)).model_copy(
            update={
                "entitlements": refs_by_name(bundles.entitlements.get(row.id, ()), rights_named),
                "child_roles": refs_by_name(bundles.children.get(row.id, ()), rights_named),
            }
        )
        for row in rows
    ]


def refs_by_name(ids: Iterable[str], names: Mapping[str, str]) -> list[Ref]:
    """Return objects by id and name, in the order of their names."""
    return sorted((ref_of(one, names) for one in ids), key=lambda one: (fold(one.display_name), one.id))


def _role_view(row: RoleRow, names: Mapping[str, str], applications: Mapping[str, str], holders: int) -> RoleView:
    return RoleView(
        id=row.id,
        key=row.key,
        display_name=row.display_name,
        description=row.description,
        application=ref(row.application_id, applications),
        owners=[ref_of(owner, names) for owner in row.owner_ids],
        requestable=row.requestable,
        approval=row.approval,
        max_days=row.max_days,
        risk=row.risk,
        privileged=row.privileged,
        status=row.status,
        protected=row.protected,
        entitlements=[],
        child_roles=[],
        birthright_rule=row.birthright_rule,
        holder_count=holders,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


async def _visible(session: AsyncSession, identity: Identity, now: datetime) -> Sequence[ColumnElement[bool]]:
    if oversees(identity):
        return ()
    reach = await load_reach(session, identity)
    held = select(AssignmentRow.role_id).where(col(AssignmentRow.identity_id).in_(reach.ids), is_open(now))
    return (
        or_(
            and_(col(RoleRow.requestable).is_(True), col(RoleRow.status) == "active"),
            json_holds(RoleRow.owner_ids, identity.id),
            col(RoleRow.id).in_(held),
        ),
    )


def _conditions(query: RoleQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.q is not None:
        same = or_(col(RoleRow.id) == query.q, contains_words(RoleRow.search_text, query.q))
        conditions.append(same)
    if query.owner_id is not None:
        conditions.append(json_holds(RoleRow.owner_ids, query.owner_id))
    exact = {
        RoleRow.status: query.status,
        RoleRow.application_id: query.application_id,
        RoleRow.risk: query.risk,
        RoleRow.approval: query.approval,
    }
    conditions += [col(column) == value for column, value in exact.items() if value is not None]
    if query.birthright is not None:
        rule = col(RoleRow.birthright_rule)
        conditions.append(rule.is_not(None) if query.birthright else rule.is_(None))
    flags = {RoleRow.requestable: query.requestable, RoleRow.privileged: query.privileged}
    conditions += [col(column).is_(value) for column, value in flags.items() if value is not None]
    return conditions


async def locked_role(write: Write, role_id: str) -> RoleRow:
    """Return a visible role under a lock, for a change.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    await lock_row(write.session, RoleRow, role_id)
    row = await visible_role(write.session, write.asker.identity, role_id, write.now)
    write.target = Target("role", row.id, row.display_name)
    return row


def _state_of(row: RoleRow) -> RoleState:
    return RoleState(
        id=row.id,
        name=row.display_name,
        status=row.status,
        birthright_rule=row.birthright_rule,
        max_days=row.max_days,
    )


async def _find_difference(write: Write, row: RoleRow, changed: Mapping[str, object]) -> Difference:
    """Return what a change of the role does to those who hold it by a rule or by a group."""
    after = _state_of(RoleRow.model_validate({**row.model_dump(), **changed}))
    if changed.keys() & {"birthright_rule", "max_days"}:
        await check_role(write.session, after)
    if not changed.keys() & {"birthright_rule", "status"}:
        return Difference()
    return await difference_for_role(write.session, after, write.now)


async def _check_references(session: AsyncSession, values: Mapping[str, object]) -> None:
    application_id = values.get("application_id")
    if application_id is not None and await session.get(ApplicationRow, application_id) is None:
        raise NovaInvalid("There is no such application.", field="application_id")
    owner_ids = values.get("owner_ids")
    if isinstance(owner_ids, list):
        await check_owners(session, owner_ids)


async def _plan_delete(session: AsyncSession, context: RequestContext, row: RoleRow, now: datetime) -> list[Planned]:
    require_administrator(context.identity)
    if row.protected:
        raise NovaConflict("This role is built in.", code="protected_object")
    mine = col(AssignmentRow.role_id) == row.id
    held = (await session.exec(select(func.count()).select_from(AssignmentRow).where(mine, is_open(now)))).one()
    if held:
        raise NovaConflict(
            f"{held} assignments of this role are still in force. Revoke them first.", extra={"count": held}
        )
    if givers := await groups_giving(session, row.id):
        named = ", ".join(group.display_name for group in givers[:MAX_NAMES])
        raise NovaConflict(f"Groups give this role: {named}. Take it from them first.", extra={"count": len(givers)})
    waiting = (
        select(func.count())
        .select_from(AccessRequestRow)
        .where(col(AccessRequestRow.status).in_(OPEN_REQUEST), json_holds(AccessRequestRow.items, row.id))
    )
    requests = (await session.exec(waiting)).one()
    if requests:
        raise NovaConflict(
            f"{requests} open requests ask for this role. Decide on them first.", extra={"count": requests}
        )
    parents = await roles_above(session, [row.id]) - {row.id}
    if parents:
        raise NovaConflict(
            f"{len(parents)} roles include this role. Take it out of them first.", extra={"count": len(parents)}
        )
    ended = (await session.exec(select(AssignmentRow).where(mine).order_by(col(AssignmentRow.id)))).all()
    names = await identity_names(session, (one.identity_id for one in ended))
    return [
        Planned(type="ended_assignment", id=one.id, display=names.get(one.identity_id, ""), result="removed")
        for one in ended
    ]
