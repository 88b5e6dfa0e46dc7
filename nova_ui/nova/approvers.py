"""Who decides on a request: the manager, the owners of a role, and who steps in where neither can."""

from collections.abc import Sequence

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict
from storage.nova.identities import other_administrators
from storage.nova.tables import AccessRequestRow, ApprovalRow, IdentityRow


async def manager_above(session: AsyncSession, identity_id: str, excluded: frozenset[str]) -> str | None:
    """Return the nearest active manager above an identity who is not excluded."""
    seen: set[str] = set()
    row = await session.get(IdentityRow, identity_id)
    while row is not None and row.manager_id is not None and row.manager_id not in seen:
        seen.add(row.manager_id)
        row = await session.get(IdentityRow, row.manager_id)
        if row is not None and row.status == "active" and row.id not in excluded:
            return row.id
    return None


async def active_owners(session: AsyncSession, owner_ids: Sequence[str], excluded: frozenset[str]) -> Sequence[str]:
    """Return those of the owners who can decide."""
    owners = select(IdentityRow.id).where(
        col(IdentityRow.id).in_(owner_ids),
        col(IdentityRow.id).not_in(excluded),
        col(IdentityRow.status) == "active",
    )
    return (await session.exec(owners.order_by(col(IdentityRow.id)))).all()


async def stand_ins(session: AsyncSession, excluded: frozenset[str]) -> Sequence[str]:
    """Return the administrators who decide where nobody else can.

    Raises:
        NovaConflict: there is nobody; nobody may decide on their own request.

    """
    found = [one for one in await other_administrators(session, "") if one not in excluded]
    if not found:
        raise NovaConflict("Nobody is left who could decide on this request.", code="approver_conflict")
    return found


async def choose_approver(session: AsyncSession, approval: ApprovalRow, *, leaving: IdentityRow) -> IdentityRow:
    """Return who takes over an open decision: the manager of whoever leaves, else an administrator.

    Raises:
        NovaConflict: there is nobody.

    """
    request = await session.get(AccessRequestRow, approval.request_id)
    involved = {request.requester_id, request.beneficiary_id} if request else set()
    excluded = frozenset({leaving.id, *involved})
    heir_id = await manager_above(session, leaving.id, excluded) or (await stand_ins(session, excluded))[0]
    heir = await session.get(IdentityRow, heir_id)
    if heir is None:
        raise NovaConflict("Nobody is left who could decide on this request.", code="approver_conflict")
    return heir
