"""Where the sign-in policy is read: afresh for every question, so that every server knows a change at once."""

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.sign_in_policy import SessionRule, SignInPolicy
from nova_ui.settings import Settings
from storage.database import Database
from storage.nova.sign_in_policy import find_policy, find_rules


class Policies:
    """The policy as it is now; `initial` counts until somebody stores another."""

    def __init__(self, database: Database, initial: SignInPolicy | None = None) -> None:
        self._database = database
        self.initial = initial or SignInPolicy()

    async def current(self) -> SignInPolicy:
        """Return the policy."""
        async with self._database.asking() as connection:
            rules = await find_rules(connection)
        return self.initial if rules is None else SignInPolicy.model_validate(rules)

    async def within(self, session: AsyncSession) -> SignInPolicy:
        """Return the policy as a transaction sees it."""
        row = await find_policy(session)
        return self.initial if row is None else SignInPolicy.model_validate(row.rules)


def initial_policy(settings: Settings) -> SignInPolicy:
    """Return the policy that counts until one is stored: the session's times come from the settings."""
    idle = min(settings.session_idle_minutes, settings.session_max_hours * 60)
    return SignInPolicy(session=SessionRule(idle_minutes=idle, max_hours=settings.session_max_hours))
