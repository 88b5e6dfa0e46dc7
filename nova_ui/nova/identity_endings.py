"""What ends an identity or locks it out, what goes with it, and the way back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import IdentityId, Role
from nova_ui.errors import NovaConflict
from nova_ui.nova import follow_ups
from nova_ui.nova.approvers import choose_approver
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.following import difference_for, follow
from nova_ui.nova.fresh_sign_in import require_fresh_sign_in, require_still_administrator
from nova_ui.nova.identities import locked_identity, visible_identity
from nova_ui.nova.identity_views import identity_view
from nova_ui.nova.notices import NoticeKind, tell_administrators
from nova_ui.nova.permissions import require_administrator, require_interface
from nova_ui.nova.views import Done, IdentityView, Impact, ObjectRef
from nova_ui.nova.writing import Write, check_version
from storage.nova import belongings
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.identities import direct_reports, has_other_administrator, lock_administrators, owned_objects
from storage.nova.sessions import end_sessions_of
from storage.nova.sign_in_attempts import forget, name_subject, newest
from storage.nova.tables import ApplicationRow, GroupRow, IdentityRow, RoleRow

Ending = Literal["suspend", "disable", "delete", "end_sessions"]

# How long assignments outlive a disabled identity; a leaver routine may say otherwise one day.
GRACE: Final = timedelta(days=30)
MAX_NAMED: Final = 20
_AUDIT: Final = {
    "suspend": "identity.suspended",
    "disable": "identity.disabled",
    "delete": "identity.deleted",
    "end_sessions": "session.ended",
}
_FROM: Final = {"suspend": {"active"}, "disable": {"active", "suspended", "staged"}}
_STATUS: Final = {"suspend": "suspended", "disable": "disabled"}
_TYPES: Final = {GroupRow: "group", RoleRow: "role", ApplicationRow: "application", EntitlementRow: "entitlement"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """Something that an identity owns, decides on or manages."""

    type: str
    id: str
    display: str


class IdentityEndings:
    """Suspend, disable, delete, end sessions; activate and unlock."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def impact(self, context: RequestContext, identity_id: str, action: Ending) -> Impact:
        """Return what an action would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            row = await visible_identity(session, context, identity_id)
            subject = ObjectRef(type="identity", id=row.id, display=row.display_name)
            return await weigh(subject, plan(session, context, row, action, self._core.clock.now()))

    async def suspend(
        self, context: RequestContext, identity_id: str, reason: str | None, if_match: str | None
    ) -> Done[IdentityView]:
        """Lock an identity out for now."""
        return await self._change_status(context, identity_id, "suspend", reason, if_match)

    async def disable(
        self, context: RequestContext, identity_id: str, reason: str | None, if_match: str | None
    ) -> Done[IdentityView]:
        """Take an identity out of service."""
        return await self._change_status(context, identity_id, "disable", reason, if_match)

    async def delete(self, context: RequestContext, identity_id: str, if_match: str | None) -> Done[IdentityView]:
        """Delete an identity with everything that hangs on it; log entries stay."""
        async with self._core.writer.writing(context, "identity.deleted", Target("identity", identity_id)) as write:
            row = await self._prepare(write, identity_id, if_match)
            planned = await plan(write.session, context, row, "delete", write.now)
            await require_still_administrator(write.session, context)
            last = await identity_view(write.session, row)
            cause = await write.log("identity.deleted", write.target, details={"user_name": row.user_name})
            await follow_ups.carry_out(write, planned, cause, row.id)
            await belongings.delete_rows_of(write.session, row.id)
            await write.session.delete(row)
            return Done(object=last, effects=effects_of(planned))

    async def end_sessions(self, context: RequestContext, identity_id: str, if_match: str | None) -> Done[IdentityView]:
        """End every session of an identity, with its pages and turns."""
        async with self._core.writer.writing(context, "session.ended", Target("identity", identity_id)) as write:
            row = await locked_identity(write, identity_id)
            check_version(row.version, if_match)
            planned = await plan(write.session, context, row, "end_sessions", write.now)
            for one in planned:
                await write.log("session.ended", Target("session", one.id, row.display_name))
            ended = await end_sessions_of(write.session, IdentityId(row.id), write.now)
            write.note_ended(ended)
            return Done(object=await identity_view(write.session, row), effects=effects_of(planned))

    async def activate(
        self, context: RequestContext, identity_id: str, reason: str | None, if_match: str | None
    ) -> IdentityView:
        """Let an identity in: a new one, a suspended one, or one that comes back.

        With it an administrator comes back too, so that is done as one is named: in the interface, after a fresh
        sign-in, and every administrator is told.

        Raises:
            NovaForbidden: the caller is no administrator, or may not bring one back.
            NovaConflict: the identity is in no state to be activated.

        """
        async with self._core.writer.writing(context, "identity.activated", Target("identity", identity_id)) as write:
            await lock_administrators(write.session)
            row = await locked_identity(write, identity_id)
            require_administrator(context.identity)
            is_administrator = Role.ADMINISTRATOR.value in row.nova_roles
            if is_administrator:
                require_interface(context)
                await require_still_administrator(write.session, context)
                await require_fresh_sign_in(write.session, context, write.now)
            check_version(row.version, if_match)
            if row.status not in {"staged", "suspended", "disabled"}:
                raise NovaConflict(f"The identity is {row.status} and cannot be activated.", code="state_conflict")
            cause = await _write_status(write, row, "identity.activated", _new_status("active", reason), if_match)
            await follow(write, row.id, cause)
            if is_administrator:
                await tell_administrators(write, row, NoticeKind.ADMINISTRATOR_ADDED)
            return await identity_view(write.session, row)

    async def unlock(self, context: RequestContext, identity_id: str, if_match: str | None) -> IdentityView:
        """Forget failed sign-ins and the lock they led to."""
        async with self._core.writer.writing(context, "identity.unlocked", Target("identity", identity_id)) as write:
            row = await locked_identity(write, identity_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            subject = name_subject(row.user_name_key)
            day_ago = write.now - timedelta(days=1)
            failed = await newest(write.session, subject, since=day_ago, limit=1)
            if (row.locked_until is None or row.locked_until <= write.now) and not failed:
                raise NovaConflict("The identity is not locked.", code="state_conflict")
            before = {"locked_until": row.locked_until}
            await forget(write.session, subject)
            await write.change(row, {"locked_until": None}, if_match)
            changes = changes_between(before, {"locked_until": None})
            await write.log("identity.unlocked", write.target, details={"changes": changes})
            return await identity_view(write.session, row)

    async def _prepare(self, write: Write, identity_id: str, if_match: str | None) -> IdentityRow:
        await lock_administrators(write.session)
        row = await locked_identity(write, identity_id)
        check_version(row.version, if_match)
        return row

    async def _change_status(
        self,
        context: RequestContext,
        identity_id: str,
        action: Literal["suspend", "disable"],
        reason: str | None,
        if_match: str | None,
    ) -> Done[IdentityView]:
        async with self._core.writer.writing(context, _AUDIT[action], Target("identity", identity_id)) as write:
            row = await self._prepare(write, identity_id, if_match)
            planned = await plan(write.session, context, row, action, write.now)
            await require_still_administrator(write.session, context)
            cause = await _write_status(write, row, _AUDIT[action], _new_status(_STATUS[action], reason), if_match)
            await follow_ups.carry_out(write, planned, cause, row.id)
            return Done(object=await identity_view(write.session, row), effects=effects_of(planned))


async def plan(
    session: AsyncSession, context: RequestContext, row: IdentityRow, action: Ending, now: datetime
) -> Sequence[Planned]:
    """Return everything that goes with an action on an identity.

    Raises:
        NovaForbidden: the caller is no administrator.
        NovaConflict: oneself, the last administrator, a protected identity, a wrong state, or something still owned.

    """
    require_administrator(context.identity)
    if row.id == context.identity.id:
        if action == "end_sessions":
            raise NovaConflict("End your own sessions in your profile, or sign out.", code="self_lockout")
        raise NovaConflict(f"You cannot {action} yourself.", code="self_lockout")
    return await plan_by_itself(session, row, action, now)


async def plan_by_itself(session: AsyncSession, row: IdentityRow, action: Ending, now: datetime) -> Sequence[Planned]:
    """Return everything that goes with an action, whoever asks for it: a person with the right to, or a routine.

    Raises:
        NovaConflict: the last administrator, a protected identity, a wrong state, or something still owned.

    """
    sessions = await follow_ups.plan_sessions(session, row.id, now)
    if action == "end_sessions":
        return sessions
    await _check_may_go(session, row, action)
    if action == "suspend":
        return sessions
    requests = await follow_ups.plan_cancellations(session, row.id)
    held = await follow_ups.open_assignments(session, row.id, now)
    revocations = await follow_ups.plan_revocations(session, held)
    if action == "disable":
        ends = (now + GRACE).isoformat()
        until = {one.id: one.valid_until for one in held}
        # What groups and rules gave ends at once: it would not be given now.
        lost = (await difference_for(session, row, _STATUS[action], now)).planned(by="group")
        ending = {one.id for one in lost}
        later = [
            Planned(type="assignment_end", id=one.id, display=one.display, result="ends", onto=ends)
            for one in revocations
            if one.id not in ending and ((end := until[one.id]) is None or end > now + GRACE)
        ]
        return [*sessions, *requests, *await _plan_passing_on(session, row, requests), *later, *lost]
    memberships = await follow_ups.plan_memberships(session, row.id)
    return [*sessions, *requests, *revocations, *memberships, *await follow_ups.plan_chats(session, row.id)]


async def owned_by(session: AsyncSession, identity_id: str) -> list[Owned]:
    """Return what an identity owns, whom it manages and which decisions wait for it."""
    objects = [
        Owned(type=_TYPES[type(one)], id=one.id, display=one.display_name)
        for one in await owned_objects(session, identity_id)
    ]
    reports = [
        Owned(type="report", id=one.id, display=one.display_name) for one in await direct_reports(session, identity_id)
    ]
    approvals = [
        Owned(type="approval", id=one.id, display=f"step {one.step} of {one.request_id}")
        for one in await belongings.open_approvals(session, identity_id)
    ]
    return [*objects, *reports, *approvals]


async def _check_may_go(session: AsyncSession, row: IdentityRow, action: Ending) -> None:
    if row.protected:
        raise NovaConflict("This identity is protected.", code="protected_object")
    if action in _FROM and row.status not in _FROM[action]:
        raise NovaConflict(f"The identity is {row.status}; {action} is not possible.", code="state_conflict")
    is_administrator = "administrator" in row.nova_roles and row.status == "active"
    if is_administrator and not await has_other_administrator(session, row.id):
        raise NovaConflict("This is the last administrator.", code="last_administrator")
    if action == "delete":
        await _check_owns_nothing(session, row)


async def _check_owns_nothing(session: AsyncSession, row: IdentityRow) -> None:
    owned = await owned_by(session, row.id)
    if not owned:
        return
    named = "; ".join(f"{one.type} {one.display} ({one.id})" for one in owned[:MAX_NAMED])
    more = f"; {len(owned) - MAX_NAMED} more" if len(owned) > MAX_NAMED else ""
    raise NovaConflict(
        f"The identity still owns, manages or decides on: {named}{more}. Transfer these first.",
        code="conflict",
        extra={"owned": [{"type": one.type, "id": one.id, "display": one.display} for one in owned]},
    )


async def _plan_passing_on(session: AsyncSession, row: IdentityRow, cancelled: Sequence[Planned]) -> list[Planned]:
    gone = {one.id for one in cancelled}
    planned = []
    for approval in await belongings.open_approvals(session, row.id):
        if approval.request_id in gone:
            continue
        heir = await choose_approver(session, approval, leaving=row)
        planned.append(
            Planned(
                type="approval",
                id=approval.id,
                display=f"step {approval.step} → {heir.display_name}",
                result="passed_on",
                onto=heir.id,
            )
        )
    return planned


def _new_status(status: str, reason: str | None) -> dict[str, object]:
    return {"status": status, "status_reason": reason}


async def _write_status(
    write: Write, row: IdentityRow, action: str, after: dict[str, object], if_match: str | None
) -> str:
    changes = changes_between({"status": row.status, "status_reason": row.status_reason}, after)
    await write.change(row, after, if_match)
    return await write.log(action, write.target, details={"changes": changes})
