"""What a request asks for: reading it, naming it, and whether it can be asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.nova.assignment_status import is_open
from nova_ui.nova.assignments import check_end, one_right
from nova_ui.nova.rights import Right, find_right, is_held_as, is_in_use, kind_of, max_days_of
from nova_ui.nova.views import RequestItem
from nova_ui.nova.writing import Write
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.identities import json_holds
from storage.nova.names import rights_by_id
from storage.nova.tables import AccessRequestRow, AssignmentRow, IdentityRow

_REMOVABLE: Final = frozenset({"direct", "request"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a request asks for: the id of a role or of an entitlement."""

    right_id: str
    action: str
    valid_until: datetime | None


def items_of(row: AccessRequestRow) -> list[Item]:
    """Return what a request asks for."""
    return [_item(stored) for stored in row.items]


async def names_of_items(session: AsyncSession, row: AccessRequestRow) -> str:
    """Return the names of what a request asks for, in one line."""
    ids = [item.right_id for item in items_of(row)]
    rights: Mapping[str, Right] = await rights_by_id(session, ids)
    return ", ".join(rights[one].display_name for one in ids if one in rights)


async def check_items(write: Write, beneficiary: IdentityRow, items: Sequence[RequestItem]) -> list[Right]:
    """Return the roles and entitlements that are asked for.

    Raises:
        NovaInvalid: one can't be requested, stands there twice, or its period is not possible.
        NovaConflict: it is held already, not held, or asked for already.

    """
    rights = [await _check_item(write, beneficiary, item, f"items.{place}") for place, item in enumerate(items)]
    if len({right.id for right in rights}) != len(rights):
        raise NovaInvalid("A role or an entitlement stands there twice.", field="items")
    return rights


async def held_assignment(
    session: AsyncSession, identity_id: str, right_id: str, now: datetime
) -> AssignmentRow | None:
    """Return the assignment by which an identity holds a right itself, preferring one that a request may change."""
    wanted = select(AssignmentRow).where(
        col(AssignmentRow.identity_id) == identity_id, is_held_as(right_id), is_open(now)
    )
    rows = (await session.exec(wanted.order_by(col(AssignmentRow.created_at), col(AssignmentRow.id)))).all()
    return min(rows, key=lambda row: row.source not in _REMOVABLE, default=None)


async def _check_item(write: Write, beneficiary: IdentityRow, item: RequestItem, place: str) -> Right:
    try:
        right_id, field = one_right(item.role_id, item.entitlement_id)
    except NovaInvalid as problem:
        raise NovaInvalid(problem.detail, field=f"{place}.{problem.field}") from None
    right = await find_right(write.session, right_id)
    if right is None or not is_in_use(right) or (item.action != "revoke" and not right.requestable):
        detail = "There is no such role or entitlement to be requested; the catalogue names those."
        raise NovaInvalid(detail, field=f"{place}.{field}")
    what = f"the {kind_of(right)} {right.display_name}"
    held = await held_assignment(write.session, beneficiary.id, right.id, write.now)
    if item.action == "grant" and held is not None:
        raise NovaConflict(f"{beneficiary.display_name} holds {what} already.", field=place)
    if item.action != "grant":
        _check_held(held, beneficiary, what, item.action, place)
    _check_end(write, right, item, place)
    await _check_not_asked_for(write, beneficiary, right, place)
    return right


def _check_held(held: AssignmentRow | None, beneficiary: IdentityRow, what: str, action: str, place: str) -> None:
    if held is None:
        raise NovaConflict(f"{beneficiary.display_name} does not hold {what}.", field=place)
    if held.source not in _REMOVABLE:
        verb = "given back" if action == "revoke" else "extended"
        raise NovaConflict(f"It comes from a {held.source} and can't be {verb} by a request.", field=place)
    if action == "extend" and held.valid_until is None:
        raise NovaConflict(f"{beneficiary.display_name} holds {what} without an end.", field=place)


def _check_end(write: Write, right: Right, item: RequestItem, place: str) -> None:
    if item.action == "revoke" and item.valid_until is not None:
        raise NovaInvalid("What is given back has no end.", field=f"{place}.valid_until")
    try:
        if item.valid_until is not None or (item.action == "extend" and max_days_of(right) is not None):
            check_end(right, write.now, item.valid_until)
    except NovaInvalid as problem:
        raise NovaInvalid(problem.detail, field=f"{place}.{problem.field}") from None


async def _check_not_asked_for(write: Write, beneficiary: IdentityRow, right: Right, place: str) -> None:
    asked = select(AccessRequestRow.id).where(
        col(AccessRequestRow.beneficiary_id) == beneficiary.id,
        col(AccessRequestRow.status).in_(OPEN_REQUEST),
        json_holds(AccessRequestRow.items, right.id),
    )
    open_one = (await write.session.exec(asked)).first()
    if open_one is not None:
        raise NovaConflict(f"The request {open_one} for {right.display_name} is still open.", field=place)


def _item(stored: JsonObject) -> Item:
    until = stored.get("valid_until")
    return Item(
        right_id=str(stored.get("role_id") or stored.get("entitlement_id")),
        action=str(stored.get("action", "grant")),
        valid_until=datetime.fromisoformat(until) if isinstance(until, str) else None,
    )
