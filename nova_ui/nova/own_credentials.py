"""One's own password and second factor."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth.new_password import replace
from nova_ui.auth.owner_notices import OwnerNotice, tell_owner
from nova_ui.auth.persons import roles_now
from nova_ui.auth.second_factor import MAX_SET_UP_TRIES, CodeProblem, Enrolment, methods_of
from nova_ui.auth.session import Whence
from nova_ui.auth.signing_in import SigningIn
from nova_ui.domain.sign_in_policy import Method
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid, NovaTooMany, SignInThrottled
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.follow_ups import plan_sessions
from nova_ui.nova.fresh_sign_in import require_fresh_sign_in
from nova_ui.nova.identities import locked_identity
from nova_ui.nova.views import Done, Impact, ObjectRef
from nova_ui.nova.views.credentials import EnrolmentView, MfaView, PasswordChange, PasswordChanged, RecoveryCodes
from nova_ui.nova.writing import Write
from storage.nova import second_factors as stored
from storage.nova.sessions import end_others
from storage.nova.tables import IdentityRow

_CODE_DETAIL: Final = {
    CodeProblem.WRONG: "The code is not correct. Send the one that the app shows now.",
    CodeProblem.USED: "This code was used already.",
    CodeProblem.NOT_BEGUN: f"Nothing is being set up, it took too long, or {MAX_SET_UP_TRIES} codes were wrong.",
}


class OwnCredentials:
    """What only its owner changes. Passwords and codes are compared here and go nowhere else."""

    def __init__(self, core: Core, signing_in: SigningIn) -> None:
        self._core = core
        self._parts = signing_in

    async def change_password(self, context: RequestContext, body: PasswordChange) -> PasswordChanged:
        """Replace one's password; every other session ends.

        Raises:
            NovaForbidden: the current password is wrong.
            NovaTooMany: it was wrong too often.
            NovaInvalid: the policy does not take the new one.

        """
        target = Target("identity", context.identity.id, context.identity.display_name)
        identity = await self._checked_owner(context, body.current_password.get_secret_value(), target)
        rule = (await self._parts.policies.current()).password
        new = body.new_password.get_secret_value()
        fault = await self._parts.new_passwords.find_fault(identity, new, rule)
        if fault is not None:
            raise NovaInvalid(fault.sentence, field="new_password", code="password_refused")
        new_hash = await self._parts.new_passwords.hash(new)
        async with self._core.writer.writing(context, "identity.password_changed", target) as write:
            if not await replace(write.session, identity, new_hash, rule.history, write.now):
                raise NovaConflict("The password was changed at the same moment.", code="state_conflict")
            cause = await write.log("identity.password_changed", target)
            ended = await _end_other_sessions(write, context, cause)
            await _tell_owner(write, identity.id, OwnerNotice.PASSWORD_CHANGED)
        return PasswordChanged(ended_sessions=ended)

    async def mfa(self, context: RequestContext) -> MfaView:
        """Return which second factors one has, and what the policy says of them."""
        policy = await self._parts.policies.current()
        async with self._core.database.reading() as session:
            identity = await session.get_one(IdentityRow, context.identity.id)
            left = await stored.codes_left(session, identity.id)
            roles = await roles_now(session, identity)
        return MfaView(
            mfa_methods=identity.mfa_methods,
            may_enrol=policy.may_enrol,
            required=policy.requires_mfa(roles),
            recovery_codes_left=left,
            min_password_length=policy.password.min_length,
        )

    async def begin_totp(self, context: RequestContext) -> EnrolmentView:
        """Begin to set an authenticator app up; the one of now counts until the new one is confirmed.

        Raises:
            NovaForbidden: the password was not entered again.
            NovaConflict: the policy allows no second factor.

        """
        async with self._core.writer.writing(context, "identity.mfa_begun", _own(context)) as write:
            identity = await self._fresh_owner(write, context)
            if not (await self._parts.policies.within(write.session)).may_enrol:
                raise NovaConflict("The sign-in policy allows no second factor.", code="state_conflict")
            begun = await self._parts.factors.begin(write.session, identity, write.now)
            await write.log("identity.mfa_begun", _own(context))
        return _enrolment(begun)

    async def confirm_totp(self, context: RequestContext, code: str) -> RecoveryCodes:
        """Let the new app count, by a code of it; every other session ends. Return recovery codes, shown once.

        Raises:
            NovaForbidden: the code does not count.
            NovaConflict: nothing is being set up any more.

        """
        outcome: list[str] | CodeProblem
        async with self._core.writer.writing(context, "identity.mfa_enrolled", _own(context)) as write:
            identity = await locked_identity(write, context.identity.id)
            outcome = await self._parts.factors.confirm(write.session, identity, code, write.now)
            if isinstance(outcome, list):
                cause = await _note_methods(write, identity, "identity.mfa_enrolled")
                await _end_other_sessions(write, context, cause)
                await _tell_owner(write, identity.id, OwnerNotice.MFA_ENROLLED)
        if isinstance(outcome, CodeProblem):  # outside: the try that was counted must stay counted
            raise await self._refused(context, outcome)
        return RecoveryCodes(recovery_codes=outcome)

    async def impact_of_removal(self, context: RequestContext) -> Impact:
        """Return what doing without a second factor would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            identity = await session.get_one(IdentityRow, context.identity.id)
            subject = ObjectRef(type="identity", id=identity.id, display=identity.display_name)
            return await weigh(subject, self._plan_removal(session, context, identity, self._core.clock.now()))

    async def remove_totp(self, context: RequestContext) -> Done[MfaView]:
        """Do without a second factor; every other session ends.

        Raises:
            NovaForbidden: the password was not entered again.
            NovaConflict: there is none, or the policy requires one.

        """
        async with self._core.writer.writing(context, "identity.mfa_removed", _own(context)) as write:
            identity = await locked_identity(write, context.identity.id)
            planned = await self._plan_removal(write.session, context, identity, write.now)
            await stored.drop_factors(write.session, identity.id)
            cause = await _note_methods(write, identity, "identity.mfa_removed")
            await _end_other_sessions(write, context, cause)
            await _tell_owner(write, identity.id, OwnerNotice.MFA_REMOVED)
        return Done(object=await self.mfa(context), effects=effects_of(planned))

    async def new_recovery_codes(self, context: RequestContext) -> RecoveryCodes:
        """Replace one's recovery codes; the old ones no longer count, and every other session ends.

        Raises:
            NovaForbidden: the password was not entered again.
            NovaConflict: there is no second factor.

        """
        async with self._core.writer.writing(context, "identity.recovery_codes_created", _own(context)) as write:
            identity = await self._fresh_owner(write, context)
            if Method.TOTP not in identity.mfa_methods:
                raise NovaConflict("Set up a second factor first.", code="state_conflict")
            codes = await self._parts.factors.new_codes(write.session, identity.id, write.now)
            cause = await _note_methods(write, identity, "identity.recovery_codes_created")
            await _end_other_sessions(write, context, cause)
            await _tell_owner(write, identity.id, OwnerNotice.RECOVERY_CODES_CREATED)
        return RecoveryCodes(recovery_codes=codes)

    async def _plan_removal(
        self, session: AsyncSession, context: RequestContext, identity: IdentityRow, now: datetime
    ) -> Sequence[Planned]:
        await require_fresh_sign_in(session, context, now)
        policy = await self._parts.policies.within(session)
        if Method.TOTP not in identity.mfa_methods:
            raise NovaConflict("There is no second factor.", code="state_conflict")
        if policy.requires_mfa(await roles_now(session, identity)):
            raise NovaConflict("The sign-in policy requires a second factor of you.", code="state_conflict")
        live = await plan_sessions(session, identity.id, now)
        return [one for one in live if one.id != context.caller.session_id]

    async def _fresh_owner(self, write: Write, context: RequestContext) -> IdentityRow:
        identity = await locked_identity(write, context.identity.id)
        await require_fresh_sign_in(write.session, context, write.now)
        return identity

    async def _checked_owner(self, context: RequestContext, password: str, target: Target) -> IdentityRow:
        """Return the caller's row once the password was right; a wrong one counts as at the door."""
        async with self._core.database.reading() as session:
            identity = await session.get_one(IdentityRow, context.identity.id)
        lockout = (await self._parts.policies.current()).lockout
        try:
            attempt = await self._parts.attempts.begin(identity.user_name_key, context.ip, lockout)
        except SignInThrottled as throttled:
            wait = throttled.retry_after_s
            raise NovaTooMany(f"Too many attempts. Try again in {wait} seconds.", extra={"retry_after": wait}) from None
        if (await self._parts.passwords.verify(password, identity.password_hash)).matches:
            await self._parts.attempts.take_back(attempt)
            return identity
        whence = Whence(ip=context.ip, request_id=context.request_id)
        await self._parts.attempts.failed(attempt, identity, "wrong_password", whence)
        wrong = NovaForbidden("The current password is not correct.", code="wrong_password", field="current_password")
        await self._core.writer.log_refusal(context, "identity.password_changed", target, wrong)
        raise wrong

    async def _refused(self, context: RequestContext, problem: CodeProblem) -> NovaConflict | NovaForbidden:
        detail = _CODE_DETAIL[problem]
        refused: NovaConflict | NovaForbidden = NovaForbidden(detail, code=problem.value, field="one_time_code")
        if problem is CodeProblem.NOT_BEGUN:
            refused = NovaConflict(detail, code="state_conflict")
        await self._core.writer.log_refusal(context, "identity.mfa_enrolled", _own(context), refused)
        return refused


async def _end_other_sessions(write: Write, context: RequestContext, cause: str) -> int:
    ended = await end_others(write.session, context.identity.id, context.caller.session_id, write.now)
    for one in ended:
        await write.log("session.ended", Target("session", one, context.identity.display_name), caused_by=cause)
    write.note_ended(ended)
    return len(ended)


async def _note_methods(write: Write, identity: IdentityRow, action: str) -> str:
    """Repeat on the identity which factors it has, and log what was done; never the seed or a code."""
    methods = await methods_of(write.session, identity.id)
    changes = changes_between({"mfa_methods": identity.mfa_methods}, {"mfa_methods": methods})
    await write.change(identity, {"mfa_methods": methods})
    target = Target("identity", identity.id, identity.display_name)
    return await write.log(action, target, details={"changes": changes})


async def _tell_owner(write: Write, identity_id: str, kind: OwnerNotice) -> None:
    await tell_owner(write.session, identity_id, kind, write.now)
    write.notified.add(identity_id)


async def clear_factors(session: AsyncSession, identity_id: str) -> None:
    """Delete every second factor of an identity, and end its sign-ins that are under way."""
    await stored.drop_factors(session, identity_id)
    await stored.drop_pending(session, identity_id)


def _own(context: RequestContext) -> Target:
    return Target("identity", context.identity.id, context.identity.display_name)


def _enrolment(begun: Enrolment) -> EnrolmentView:
    return EnrolmentView(totp_secret=begun.seed, totp_link=begun.link)
