"""Hand over everything that an identity owns, decides on or manages."""

from collections.abc import Sequence
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import MAX_NAMES
from nova_ui.nova.following import follow
from nova_ui.nova.identities import locked_identity
from nova_ui.nova.identity_endings import Owned, owned_by
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.views import Ref, TransferredItem, TransferredView
from nova_ui.nova.writing import Write, check_version
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.identities import OwnedRow, is_below
from storage.nova.locks import take_lock
from storage.nova.tables import (
    AccessRequestRow,
    ApplicationRow,
    ApprovalRow,
    GroupRow,
    IdentityRow,
    RoleRow,
)

_OWNABLE: Final = frozenset({"group", "role", "application", "entitlement"})


class Transfers:
    """Passes belongings from one identity to another."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def transfer(
        self, context: RequestContext, identity_id: str, to: str, if_match: str | None
    ) -> TransferredView:
        """Move everything in one transaction, each object with its own entry.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaInvalid: the target does not exist or is not active.
            NovaConflict: the target may not decide on a request that waits, or reports to somebody who would move.

        """
        target = Target("identity", identity_id)
        async with self._core.writer.writing(context, "ownership.transferred", target) as write:
            row = await locked_identity(write, identity_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            await take_lock(write.session, "nova.managers")
            heir = await _heir(write.session, row, to)
            owned = await owned_by(write.session, row.id)
            for one in owned:
                await _hand_over(write, one, row, heir)
            await _tell_heir(write, row, heir, owned)
            return TransferredView(
                object=Ref(id=row.id, display_name=row.display_name),
                to=Ref(id=heir.id, display_name=heir.display_name),
                transferred=[TransferredItem(type=one.type, id=one.id, display=one.display) for one in owned],
            )


async def hand_over_everything(write: Write, row: IdentityRow, heir: IdentityRow, cause: str) -> Sequence[Owned]:
    """Move everything from an identity to another within the write of a routine; return what moved.

    Raises:
        NovaConflict: the target may not decide on a request that waits, or reports to somebody who would move.

    """
    await take_lock(write.session, "nova.managers")
    taker = await _heir(write.session, row, heir.id)
    owned = await owned_by(write.session, row.id)
    for one in owned:
        await _hand_over(write, one, row, taker, cause)
    await _tell_heir(write, row, taker, owned)
    return owned


async def _tell_heir(write: Write, row: IdentityRow, heir: IdentityRow, owned: Sequence[Owned]) -> None:
    if not owned or heir.id == write.context.actor.identity_id:
        return
    names = [one.display for one in owned]
    what = ", ".join(names[:MAX_NAMES]) + (f" … ({len(names)})" if len(names) > MAX_NAMES else "")
    notice = Notice(kind=NoticeKind.TAKEN_OVER, values={"identity": row.display_name, "what": what}, link="/access")
    await notify(write, [heir.id], notice)


async def _heir(session: AsyncSession, row: IdentityRow, to: str) -> IdentityRow:
    heir = await session.get(IdentityRow, to)
    if heir is None or heir.status != "active":
        raise NovaInvalid("There is no such active identity.", field="to")
    if heir.id == row.id:
        raise NovaInvalid("Nothing can be transferred to the same identity.", field="to")
    if heir.manager_id != row.id and await is_below(session, heir.id, row.id):
        raise NovaConflict("The target reports to somebody who would move under it. Choose somebody else.")
    return heir


async def _hand_over(write: Write, one: Owned, row: IdentityRow, heir: IdentityRow, cause: str | None = None) -> None:
    if one.type in _OWNABLE:
        changes = await _new_owner(write, one, row.id, heir.id)
    elif one.type == "report":
        changes = await _new_manager(write, one, row, heir)
    else:
        changes = await _new_approver(write, one, heir)
    kind = "identity" if one.type == "report" else one.type
    entry_id = await write.log(
        "ownership.transferred", Target(kind, one.id, one.display), details={"changes": changes}, caused_by=cause
    )
    if one.type == "report":
        await follow(write, one.id, entry_id)


async def _new_owner(write: Write, one: Owned, old: str, new: str) -> Sequence[object]:
    found = await _owned_row(write.session, one)
    if found is None:
        raise NovaConflict("Something that goes with this is gone meanwhile. Read again and retry.")
    before = list(found.owner_ids)
    after = list(dict.fromkeys(new if owner == old else owner for owner in before))
    await write.change(found, {"owner_ids": after})
    return changes_between({"owner_ids": before}, {"owner_ids": after})


async def _owned_row(session: AsyncSession, one: Owned) -> OwnedRow | None:
    match one.type:
        case "group":
            return await session.get(GroupRow, one.id)
        case "role":
            return await session.get(RoleRow, one.id)
        case "entitlement":
            return await session.get(EntitlementRow, one.id)
        case _:
            return await session.get(ApplicationRow, one.id)


async def _new_manager(write: Write, one: Owned, row: IdentityRow, heir: IdentityRow) -> Sequence[object]:
    report = await write.session.get(IdentityRow, one.id)
    if report is None:
        raise NovaConflict("Something that goes with this is gone meanwhile. Read again and retry.")
    # Whoever takes over from their own manager reports to that one's manager from then on.
    manager_id = row.manager_id if report.id == heir.id else heir.id
    before = report.manager_id
    await write.change(report, {"manager_id": manager_id})
    return changes_between({"manager_id": before}, {"manager_id": manager_id})


async def _new_approver(write: Write, one: Owned, heir: IdentityRow) -> Sequence[object]:
    approval = await write.session.get(ApprovalRow, one.id)
    request = await write.session.get(AccessRequestRow, approval.request_id) if approval else None
    if approval is None or request is None:
        raise NovaConflict("Something that goes with this is gone meanwhile. Read again and retry.")
    if heir.id in {request.requester_id, request.beneficiary_id}:
        raise NovaConflict(
            f"The target may not decide on the request {request.id}, which is its own.", code="approver_conflict"
        )
    before = approval.approver_id
    await write.change(approval, {"approver_id": heir.id})
    return changes_between({"approver_id": before}, {"approver_id": heir.id})
