"""What an approved request does: all of its items, or none and the request has failed."""

from nova_ui.errors import NovaConflict, NovaInvalid, NovaNotFound, NovaProblem
from nova_ui.nova import follow_ups
from nova_ui.nova.assignments import Grant, add_assignment, set_end
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.decided_notices import tell_decided
from nova_ui.nova.request_items import Item, held_assignment, items_of
from nova_ui.nova.rights import find_right, is_in_use
from nova_ui.nova.rules import stand_still
from nova_ui.nova.writing import Write
from storage.nova.rows import lock_row
from storage.nova.tables import AccessRequestRow, IdentityRow


async def fulfil(write: Write, row: AccessRequestRow, cause: str) -> None:
    """Carry out every item; if one is no longer possible, none is, and the request fails with the reason."""
    approved = {"changes": changes_between({"status": row.status}, {"status": "approved"})}
    await write.change(row, {"status": "approved"})
    target = Target("access_request", row.id, row.justification[:80])
    await write.log("request.approved", target, details=approved, caused_by=cause)
    try:
        async with write.session.begin_nested():
            identity = await _active_identity(write, row.beneficiary_id)
            for item in items_of(row):
                await _carry_out(write, row, identity, item, cause)
    except (NovaConflict, NovaInvalid, NovaNotFound) as problem:
        await _finish(write, row, problem, cause)
    else:
        await _finish(write, row, None, cause)


async def _active_identity(write: Write, identity_id: str) -> IdentityRow:
    await stand_still(write.session)
    identity = await lock_row(write.session, IdentityRow, identity_id)
    if identity is None or identity.status != "active":
        raise NovaConflict("The identity is no longer active.")
    return identity


async def _carry_out(write: Write, row: AccessRequestRow, identity: IdentityRow, item: Item, cause: str) -> None:
    right = await find_right(write.session, item.right_id)
    if right is None or (item.action != "revoke" and not is_in_use(right)):
        raise NovaConflict("What was asked for is no longer in use.")
    if item.action == "grant":
        grant = Grant(
            identity=identity,
            right=right,
            valid_until=item.valid_until,
            justification=row.justification,
            source="request",
            source_id=row.id,
        )
        await add_assignment(write, grant, cause)
        return
    assignment = await held_assignment(write.session, identity.id, right.id, write.now)
    if assignment is None:
        raise NovaConflict(f"{right.display_name} is no longer held.")
    if item.action == "extend":
        await set_end(write, assignment, item.valid_until, caused_by=cause)
    else:
        await follow_ups.revoke(write, (await follow_ups.plan_revocations(write.session, [assignment]))[0], cause)


async def _finish(write: Write, row: AccessRequestRow, problem: NovaProblem | None, cause: str) -> None:
    await write.session.refresh(row)
    status = "completed" if problem is None else "failed"
    changes = changes_between({"status": row.status}, {"status": status})
    await write.change(row, {"status": status})
    details: dict[str, object] = {"changes": changes}
    if problem is not None:
        details["reason"] = problem.detail
    target = Target("access_request", row.id, row.justification[:80])
    await write.log(f"request.{status}", target, details=details, caused_by=cause)
    await tell_decided(write, row, problem.detail if problem else "")
