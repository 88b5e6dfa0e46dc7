"""What Nova's services need of signing in: the policy, the checks of passwords and codes, the counting of tries."""

from dataclasses import dataclass

from nova_ui.auth.attempts import Attempts
from nova_ui.auth.new_password import NewPasswords
from nova_ui.auth.password import Passwords
from nova_ui.auth.policies import Policies
from nova_ui.auth.second_factor import SecondFactors
from nova_ui.auth.session import Sessions
from nova_ui.domain.clock import Clock
from nova_ui.domain.sign_in_policy import SignInPolicy
from storage.database import Database
from storage.encryption import Encryption


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningIn:
    """The parts, shared by the door and by the endpoints."""

    policies: Policies
    passwords: Passwords
    factors: SecondFactors
    new_passwords: NewPasswords
    attempts: Attempts


def build_signing_in(
    database: Database,
    clock: Clock,
    encryption: Encryption,
    sessions: Sessions,
    *,
    passwords: Passwords,
    initial: SignInPolicy | None = None,
) -> SigningIn:
    """Build the parts; `initial` is the policy until one is stored."""
    return SigningIn(
        policies=Policies(database, initial),
        passwords=passwords,
        factors=SecondFactors(encryption),
        new_passwords=NewPasswords(database, clock, passwords, sessions),
        attempts=Attempts(database, clock),
    )
