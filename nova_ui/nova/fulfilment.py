"""What an approved request does: all of its items, or none and the request has failed."""

from sqlmodel import col, select

from nova_ui.errors import NovaConflict, NovaInvalid, NovaNotFound, NovaProblem
from nova_ui.nova import follow_ups
from nova_ui.nova.assignment_status import is_open
from nova_ui.nova.assignments import Grant, add_assignment, set_end
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.request_views import Item, items_of
from nova_ui.nova.writing import Write
from storage.nova.rows import lock_row
from storage.nova.tables import AccessRequestRow, AssignmentRow, IdentityRow, RoleRow


async def fulfil(write: Write, row: AccessRequestRow, cause: str) -> None:
    """Carry out every item; if one is no longer possible, none is, and the request fails with the reason."""
    before = row.status
    try:
        async with write.session.begin_nested():
            identity = await _active_identity(write, row.beneficiary_id)
            for item in items_of(row):
                await _carry_out(write, row, identity, item, cause)
    except (NovaConflict, NovaInvalid, NovaNotFound) as problem:
        await _finish(write, row, before, problem, cause)
    else:
        await _finish(write, row, before, None, cause)


async def _active_identity(write: Write, identity_id: str) -> IdentityRow:
    identity = await lock_row(write.session, IdentityRow, identity_id)
    if identity is None or identity.status != "active":
        raise NovaConflict("The identity is no longer active.")
    return identity


async def _carry_out(write: Write, row: AccessRequestRow, identity: IdentityRow, item: Item, cause: str) -> None:
    role = await write.session.get(RoleRow, item.role_id)
    if role is None or role.status != "active":
        raise NovaConflict("The role is no longer in use.")
    if item.action == "grant":
        grant = Grant(
            identity=identity,
            role=role,
            valid_until=item.valid_until,
            justification=row.justification,
            request_id=row.id,
        )
        await add_assignment(write, grant, cause)
        return
    held = select(AssignmentRow).where(
        col(AssignmentRow.identity_id) == identity.id, col(AssignmentRow.role_id) == role.id, is_open(write.now)
    )
    assignment = (await write.session.exec(held)).first()
    if assignment is None:
        raise NovaConflict("The role is no longer held.")
    if item.action == "extend":
        await set_end(write, assignment, item.valid_until, caused_by=cause)
    else:
        await follow_ups.revoke(write, (await follow_ups.plan_revocations(write.session, [assignment]))[0], cause)


async def _finish(write: Write, row: AccessRequestRow, before: str, problem: NovaProblem | None, cause: str) -> None:
    await write.session.refresh(row)
    status = "completed" if problem is None else "failed"
    await write.change(row, {"status": status})
    details: dict[str, object] = {"changes": changes_between({"status": before}, {"status": status})}
    if problem is not None:
        details["reason"] = problem.detail
    target = Target("access_request", row.id, row.justification[:80])
    await write.log(f"request.{status}", target, details=details, caused_by=cause)
