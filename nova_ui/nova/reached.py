"""Which entitlements somebody has in the end, and on which ways: directly, or through roles and their bundles."""

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import fold
from nova_ui.nova.identity_views import ref, ref_of
from nova_ui.nova.views import AccessPath, ReachedEntitlement
from storage.nova.bundles import read_bundles
from storage.nova.names import application_names, rights_by_id
from storage.nova.tables import AssignmentRow

Way = tuple[AssignmentRow, tuple[str, ...]]


async def ways_to(session: AsyncSession, rows: Sequence[AssignmentRow]) -> Mapping[str, list[Way]]:
    """Return, for each entitlement that these assignments give, the assignment and the roles that lead to it."""
    bundles = await read_bundles(session, (row.role_id for row in rows if row.role_id))
    ways: dict[str, list[Way]] = {}
    for row in rows:
        if row.entitlement_id:
            ways.setdefault(row.entitlement_id, []).append((row, ()))
        for entitlement_id, path in bundles.reached_from(row.role_id) if row.role_id else ():
            ways.setdefault(entitlement_id, []).append((row, path))
    return ways


async def reached_entitlements(
    session: AsyncSession, rows: Sequence[AssignmentRow], why: Mapping[str, str]
) -> list[ReachedEntitlement]:
    """Return what these assignments come to, by name; `why` says why each assignment is there."""
    ways = await ways_to(session, rows)
    rights = await rights_by_id(session, _ids_in(ways))
    names = {right_id: right.display_name for right_id, right in rights.items()}
    applications = await application_names(session, (right.application_id for right in rights.values()))
    found = [
        ReachedEntitlement(
            entitlement=ref_of(one, names),
            application=ref(rights[one].application_id, applications),
            privileged=rights[one].privileged,
            risk=rights[one].risk,
            paths=[
                AccessPath(
                    assignment_id=row.id,
                    roles=[ref_of(role_id, names) for role_id in path],
                    valid_until=row.valid_until,
                    why=_told(path, names, why.get(row.id, "")),
                )
                for row, path in ways[one]
            ],
        )
        for one in ways
        if one in rights
    ]
    return sorted(found, key=lambda one: (fold(one.entitlement.display_name), one.entitlement.id))


def _ids_in(ways: Mapping[str, list[Way]]) -> Iterable[str]:
    yield from ways
    for found in ways.values():
        for _, path in found:
            yield from path


def _told(path: tuple[str, ...], names: Mapping[str, str], why: str) -> str:
    if not path:
        return why
    roles = ", which includes ".join(names.get(role_id, "") for role_id in path)
    return f"Comes with the role {roles}. {why}"
