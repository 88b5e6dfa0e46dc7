"""Whether an identity would get in: the same decisions as the door's, told with the rule that stands against it."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from nova_ui.auth.persons import changed_at
from nova_ui.auth.sign_in import why_kept_out
from nova_ui.domain.identity import Role
from nova_ui.domain.sign_in_policy import Method, SignInPolicy, Step, steps_after_password
from nova_ui.nova.views.common import Ref
from nova_ui.nova.views.sign_in import EvaluateBody, EvaluationView
from storage.nova.tables import IdentityRow

_WHY: Final = {
    "no_password": "The identity has no password.",
    "not_active": "The identity is not active.",
    "locked": "The identity is locked after too many failed attempts.",
    "network": "The sign-in policy allows no sign-in from there.",
    "method": "The sign-in policy does not allow this method.",
    "second_factor_off": "The sign-in policy asks for no second factor, so none is accepted.",
    "no_second_factor": "The identity has no such second factor.",
}
_STEPS: Final = {
    Step.CODE: "a code of the authenticator app or a recovery code",
    Step.NEW_PASSWORD: "a new password, since the old one has expired",
    Step.ENROL: "setting up a second factor",
}


def evaluate(
    policy: SignInPolicy, row: IdentityRow, roles: Collection[Role], body: EvaluateBody, now: datetime
) -> EvaluationView:
    """Return what would happen if the identity signed in now with the right password."""
    everywhere = policy.model_copy(update={"networks": ()}) if body.network is None else policy
    rule = "no_password" if row.password_hash is None else why_kept_out(row, everywhere, body.network, now)
    rule = rule or _rule_of_factor(policy, row, body.method)
    steps = (
        ()
        if rule is not None
        else steps_after_password(
            policy,
            roles=roles,
            mfa_methods=row.mfa_methods,
            password_changed_at=changed_at(row),
            now=now,
        )
    )
    return EvaluationView(
        identity=Ref(id=row.id, display_name=row.display_name),
        allowed=rule is None,
        rule=rule,
        why=_sentence(rule, steps),
        steps=[step.value for step in steps],
        locked_until=row.locked_until if row.locked_until is not None and row.locked_until > now else None,
    )


def _rule_of_factor(policy: SignInPolicy, row: IdentityRow, method: Method) -> str | None:
    if method not in policy.methods:
        return "method"
    if method is Method.PASSWORD:
        return None
    if not policy.may_enrol:
        return "second_factor_off"
    return None if method.value in row.mfa_methods else "no_second_factor"


def _sentence(rule: str | None, steps: Collection[Step]) -> str:
    if rule is not None:
        return _WHY[rule]
    if not steps:
        return "With the right password the identity gets in."
    return f"With the right password the identity gets in after {' and '.join(_STEPS[step] for step in steps)}."
