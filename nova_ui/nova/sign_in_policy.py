"""The sign-in policy: read, replaced as a whole, and asked about one identity."""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth.persons import roles_now
from nova_ui.auth.policies import Policies
from nova_ui.domain.identity import SessionId
from nova_ui.domain.sign_in_policy import Method, SignInPolicy, missing_rules
from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.identities import visible_identity
from nova_ui.nova.permissions import require_administrator, require_overseer
from nova_ui.nova.sign_in_evaluation import evaluate
from nova_ui.nova.views.sign_in import EvaluateBody, EvaluationView, SignInPolicyBody, SignInPolicyView
from nova_ui.nova.writing import Write, check_version
from storage.nova import sessions as stored
from storage.nova.sign_in_policy import POLICY_ID, find_policy, lock_policy
from storage.nova.sign_in_tables import SignInPolicyRow
from storage.nova.tables import IdentityRow, SessionRow

TARGET: Final = Target("sign_in_policy", POLICY_ID, "Sign-in policy")
FIRST_VERSION: Final = 1


class SignInPolicies:
    """The one policy; it counts for every server from the next request on."""

    def __init__(self, core: Core, policies: Policies) -> None:
        self._core = core
        self._policies = policies

    async def get(self, context: RequestContext) -> SignInPolicyView:
        """Return the policy.

        Raises:
            NovaForbidden: the caller oversees nothing.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            row = await find_policy(session)
        return _view(row, self._policies.initial)

    async def replace(self, context: RequestContext, body: SignInPolicyBody, if_match: str | None) -> SignInPolicyView:
        """Store another policy; sessions end that it would not have let in.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaPreconditionFailed: the policy is no longer what `if_match` names.
            NovaInvalid: a rule is missing.
            NovaConflict: the caller could not sign in any more.

        """
        missing = missing_rules(body)
        if missing:
            raise NovaInvalid(f"{', '.join(missing)}: is missing", field=missing[0])
        async with self._core.writer.writing(context, "sign_in_policy.updated", TARGET) as write:
            await lock_policy(write.session)
            require_administrator(context.identity)
            row = await find_policy(write.session)
            check_version(FIRST_VERSION if row is None else row.version, if_match)
            before = self._policies.initial if row is None else SignInPolicy.model_validate(row.rules)
            await _check_own_way_in(write.session, context, body)
            changes = changes_between(_flat(before), _flat(body))
            if not changes:
                return _view(row, self._policies.initial)
            row = await _store(write, row, body, if_match)
            cause = await write.log("sign_in_policy.updated", TARGET, details={"changes": changes})
            await end_outsiders(write, body, cause)
            return _view(row, self._policies.initial)

    async def evaluate(self, context: RequestContext, body: EvaluateBody) -> EvaluationView:
        """Tell whether an identity would get in, and by which rule not.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaNotFound: there is no such identity.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            row = await visible_identity(session, context, body.identity_id)
            policy, roles = await self._policies.within(session), await roles_now(session, row)
        return evaluate(policy, row, roles, body, self._core.clock.now())


async def end_outsiders(
    write: Write, policy: SignInPolicy, cause: str, *, identity_id: str | None = None
) -> list[SessionId]:
    """End the sessions that a policy would not have let in: from elsewhere, or without a factor that it requires.

    The session that asks stays: its administrator must be able to undo a mistake.
    """
    live = select(SessionRow, IdentityRow).where(
        col(SessionRow.identity_id) == col(IdentityRow.id),
        col(SessionRow.ended_at).is_(None),
        col(SessionRow.expires_at) > write.now,
        col(SessionRow.id) != write.context.session_id,
    )
    if identity_id is not None:
        live = live.where(col(SessionRow.identity_id) == identity_id)
    ended = []
    for row, identity in (await write.session.exec(live.order_by(col(SessionRow.id)))).all():
        roles = await roles_now(write.session, identity)
        if policy.allows_network(row.ip) and ("otp" in row.methods or not policy.requires_mfa(roles)):
            continue
        if await stored.end(write.session, SessionId(row.id), write.now):
            owner = {"id": identity.id, "display": identity.display_name}
            target = Target("session", row.id, row.user_agent or "")
            details = {"identity": owner, "reason": "sign_in_policy"}
            await write.log("session.ended", target, details=details, caused_by=cause)
            ended.append(SessionId(row.id))
    write.note_ended(ended)
    return ended


async def _check_own_way_in(session: AsyncSession, context: RequestContext, policy: SignInPolicy) -> None:
    """Refuse a policy by which the administrator who stores it could not come in again, so that one always can."""
    if Method.PASSWORD not in policy.methods:
        raise NovaConflict(
            "Without the method password nobody could sign in any more.", code="self_lockout", field="methods"
        )
    own = await session.get(SessionRow, context.caller.session_id)
    if not policy.allows_network(own.ip if own else None):
        raise NovaConflict(
            "You could not sign in any more: your own address is in none of the networks.",
            code="self_lockout",
            field="networks",
        )


async def _store(
    write: Write, row: SignInPolicyRow | None, policy: SignInPolicy, if_match: str | None
) -> SignInPolicyRow:
    values: dict[str, object] = {
        "rules": policy.model_dump(mode="json"),
        "idle_minutes": policy.session.idle_minutes,
        "max_hours": policy.session.max_hours,
    }
    if row is not None:
        await write.change(row, values, if_match)
        return row
    moments = {"created_at": write.now, "updated_at": write.now}
    row = SignInPolicyRow.model_validate({"id": POLICY_ID, "version": FIRST_VERSION + 1, **values, **moments})
    write.session.add(row)
    await write.session.flush()
    return row


def _view(row: SignInPolicyRow | None, initial: SignInPolicy) -> SignInPolicyView:
    policy = initial if row is None else SignInPolicy.model_validate(row.rules)
    return SignInPolicyView(
        mfa=policy.mfa,
        methods=list(policy.methods),
        password=policy.password,
        lockout=policy.lockout,
        session=policy.session,
        networks=list(policy.networks),
        version=FIRST_VERSION if row is None else row.version,
        updated_at=None if row is None else row.updated_at,
    )


def _flat(part: BaseModel, place: str = "") -> Mapping[str, object]:
    """Return the rules by their place, such as `password.min_length`, for the entry of a change."""
    flat: dict[str, object] = {}
    for name in type(part).model_fields:
        value = getattr(part, name)
        if isinstance(value, BaseModel):
            flat |= _flat(value, f"{place}{name}.")
        else:
            flat[f"{place}{name}"] = value
    return flat
