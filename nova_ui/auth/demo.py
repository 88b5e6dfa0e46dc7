"""A demo start: the sample organisation is there, and its four sign-ins have the password that is printed."""

import logging
from collections.abc import Sequence
from contextlib import suppress

from sqlalchemy import update
from sqlmodel import col, select

from nova_ui.auth.password import Passwords
from nova_ui.auth.setup import Setup, SetupClosed
from nova_ui.domain.folding import fold
from nova_ui.errors import ConfigurationError
from storage.database import Database
from storage.nova.sign_in_attempts import forget, name_subject
from storage.nova.tables import IdentityRow

log = logging.getLogger(__name__)


async def prepare_demo(
    database: Database, passwords: Passwords, setup: Setup, *, user_names: Sequence[str], password: str
) -> tuple[str, ...]:
    """Load the sample organisation into an empty database, or keep what is there; set the password of the four.

    Returns those of `user_names` that there are.

    Raises:
        ConfigurationError: the database holds another organisation, which a demo must not touch.

    """
    if await _is_empty(database):
        with suppress(SetupClosed):  # another server was quicker: what it loaded is there now
            await setup.load_sample(password)
            return tuple(user_names)
    password_hash = await passwords.hash(password)
    keys = {fold(name): name for name in user_names}
    async with database.transaction() as session:
        named = select(IdentityRow.user_name_key).where(col(IdentityRow.user_name_key).in_(keys))
        found = set((await session.exec(named)).all())
        if not found:
            raise ConfigurationError("the database holds another organisation than the demo's; give another --data-dir")
        theirs = update(IdentityRow).where(col(IdentityRow.user_name_key).in_(found))
        await session.exec(
            theirs.values(password_hash=password_hash, password_changed_at=setup.now(), locked_until=None)
        )
        for key in sorted(found):
            await forget(session, name_subject(key))
    log.info("demo.password_set", extra={"count": len(found)})
    return tuple(name for key, name in keys.items() if key in found)


async def _is_empty(database: Database) -> bool:
    async with database.reading() as session:
        return (await session.exec(select(IdentityRow.id).limit(1))).first() is None
