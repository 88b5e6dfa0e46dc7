"""What a role bundles, and who gains or loses what when that changes."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.assignment_status import is_held
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.bundling import Wanted, check_bundle, once, with_bundle, write_links
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.roles import locked_role, role_views, visible_role
from nova_ui.nova.views import Done, Impact, ObjectRef, RoleBundle, RoleView
from nova_ui.nova.writing import check_version
from storage.nova.bundles import Bundles, read_bundles, roles_above
from storage.nova.locks import take_lock
from storage.nova.names import identity_names, rights_by_id
from storage.nova.tables import AssignmentRow, RoleRow


class RoleBundles:
    """Replaces the bundle of a role as a whole."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def impact(self, context: RequestContext, role_id: str, body: RoleBundle) -> Impact:
        """Return what replacing the bundle would do, or the refusal it would give."""
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            row = await visible_role(session, context.identity, role_id, now)
            subject = ObjectRef(type="role", id=row.id, display=row.display_name)
            return await weigh(subject, _plan(session, context, row, body, now))

    async def replace(
        self, context: RequestContext, role_id: str, body: RoleBundle, if_match: str | None
    ) -> Done[RoleView]:
        """Set what a role bundles.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaInvalid: an entitlement or a role can't be bundled, a role would be below itself, or too deep.

        """
        async with self._core.writer.writing(context, "role.updated", Target("role", role_id)) as write:
            # Two roles that include each other at the same moment would be a cycle that neither check sees.
            await take_lock(write.session, "nova.role_bundles")
            row = await locked_role(write, role_id)
            check_version(row.version, if_match)
            planned = await _plan(write.session, context, row, body, write.now)
            bundles = await read_bundles(write.session, [row.id])
            wanted = _wanted(row, body, bundles)
            before, after = _named(row.id, bundles), _named(row.id, with_bundle(bundles, row.id, wanted))
            if before != after:
                await write.change(row, {}, if_match)
                await write_links(write.session, row.id, wanted.entitlement_ids, wanted.child_role_ids)
                details = {"changes": changes_between(before, after)}
                await write.log("role.updated", Target("role", row.id, row.display_name), details=details)
            return Done(object=(await role_views(write.session, [row], write.now))[0], effects=effects_of(planned))


async def _plan(
    session: AsyncSession, context: RequestContext, row: RoleRow, body: RoleBundle, now: datetime
) -> list[Planned]:
    require_administrator(context.identity)
    before = await read_bundles(session, [row.id])
    wanted = _wanted(row, body, before)
    await check_bundle(session, row.id, wanted)
    old, new = _named(row.id, before), _named(row.id, with_bundle(before, row.id, wanted))
    names = await rights_by_id(session, {one for part in (*old.values(), *new.values()) for one in part})
    planned = []
    for field, kind in (("entitlement_ids", "entitlement"), ("child_role_ids", "role")):
        for one in [*old[field], *(one for one in new[field] if one not in old[field])]:
            if (one in old[field]) != (one in new[field]):
                result = "added" if one in new[field] else "removed"
                display = names[one].display_name if one in names else ""
                planned.append(Planned(type=kind, id=one, display=display, result=result))
    return [*planned, *await _affected(session, row.id, wanted, now)] if planned else []


async def _affected(session: AsyncSession, role_id: str, wanted: Wanted, now: datetime) -> list[Planned]:
    """Return who gains and who loses entitlements: whoever also has them another way does neither."""
    above = await roles_above(session, [role_id])
    holders = select(AssignmentRow.identity_id).where(col(AssignmentRow.role_id).in_(above), is_held(now))
    held = select(AssignmentRow.identity_id, AssignmentRow.role_id, AssignmentRow.entitlement_id).where(
        col(AssignmentRow.identity_id).in_(holders), is_held(now)
    )
    roles: dict[str, set[str]] = {}
    single: dict[str, set[str]] = {}
    for identity_id, held_role, held_entitlement in (await session.exec(held)).all():
        (roles if held_role else single).setdefault(identity_id, set()).add(held_role or held_entitlement or "")
    before = await read_bundles(session, {one for ids in roles.values() for one in ids} | {*wanted.child_role_ids})
    after = with_bundle(before, role_id, wanted)
    names = await identity_names(session, roles)
    planned = []
    for identity_id in sorted(roles, key=lambda one: (names.get(one, ""), one)):
        own = single.get(identity_id, set())
        had, has = own | _reached(before, roles[identity_id]), own | _reached(after, roles[identity_id])
        display = names.get(identity_id, "")
        planned += [
            Planned(type="identity", id=identity_id, display=display, result=result)
            for result, differs in (("gains", has - had), ("loses", had - has))
            if differs
        ]
    return planned


def _reached(bundles: Bundles, role_ids: Iterable[str]) -> set[str]:
    return {entitlement_id for role_id in role_ids for entitlement_id, _ in bundles.reached_from(role_id)}


def _wanted(row: RoleRow, body: RoleBundle, bundles: Bundles) -> Wanted:
    children = bundles.children.get(row.id, ()) if body.child_role_ids is None else body.child_role_ids
    return Wanted(entitlement_ids=once(body.entitlement_ids), child_role_ids=once(children))


def _named(role_id: str, bundles: Bundles) -> Mapping[str, list[str]]:
    return {
        "entitlement_ids": sorted(bundles.entitlements.get(role_id, ())),
        "child_role_ids": sorted(bundles.children.get(role_id, ())),
    }
