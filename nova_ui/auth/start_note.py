"""What the server tells whoever starts it: the demo's sign-ins, or how to set it up."""

from collections.abc import Sequence
from dataclasses import dataclass

from nova_ui.auth.build import Auth
from nova_ui.auth.demo import prepare_demo
from nova_ui.settings import Settings
from storage.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class StartNote:
    """`sign_ins` are the demo's, all with the demo's password; `setup_code` is there while Nova is not set up."""

    sign_ins: tuple[str, ...] = ()
    setup_code: str | None = None


async def make_start_note(
    database: Database, auth: Auth, settings: Settings, *, demo_names: Sequence[str]
) -> StartNote:
    """Prepare the demo, if this is one, and return what to tell; call it once the schema is up to date.

    Raises:
        ConfigurationError: a demo over another organisation's data.

    """
    if settings.demo and settings.demo_password is not None:
        password = settings.demo_password.get_secret_value()
        names = await prepare_demo(database, auth.passwords, auth.setup, user_names=demo_names, password=password)
        return StartNote(sign_ins=names)
    return StartNote(setup_code=auth.setup.code if await auth.setup.is_open() else None)
