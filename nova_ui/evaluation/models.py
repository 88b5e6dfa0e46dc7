"""Which model to try: the built-in one, the endpoint of the environment, or a stored profile; nothing is changed."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from nova_ui.domain.ai_profile import BUILT_IN_KEY, ENVIRONMENT_KEY
from nova_ui.errors import ConfigurationError, NovaUnavailable
from nova_ui.evaluation.place import ModelChoice
from nova_ui.llm.fallback import FallBackOrder
from nova_ui.llm.profiles import KeyedProfile
from nova_ui.nova.ai_profiles import ProfileWatch
from nova_ui.settings import Settings
from storage.database import Database
from storage.key_file import load_or_create

BUILT_IN: Final = ModelChoice(name=BUILT_IN_KEY)


class _Profiles:
    """Takes the stored profiles, as the models' registry does in the server."""

    def __init__(self) -> None:
        self.stored: Sequence[KeyedProfile] = ()

    def use(self, profiles: Sequence[KeyedProfile], default_key: str | None, order: FallBackOrder) -> None:
        del default_key, order  # no other model may stand in for the one that is tried
        self.stored = profiles


async def find_model(name: str, settings: Settings) -> ModelChoice:
    """Return the model called `name`: `built-in`, `environment`, a profile's key, or `profile/model`.

    Of the database only the profiles are read.

    Raises:
        ConfigurationError: there is none; the sentence says which there are.

    """
    if name == BUILT_IN_KEY:
        return BUILT_IN
    if name == ENVIRONMENT_KEY:
        return _of_environment(settings)
    stored = await _stored_profiles(settings)
    key, _, model = name.partition("/")
    keyed = next((one for one in stored if one.profile.key == key), None)
    if keyed is None or (model and model not in keyed.profile.models):
        known = [BUILT_IN_KEY, ENVIRONMENT_KEY, *(_names(stored))]
        raise ConfigurationError(f"there is no model {name}; known are {', '.join(known)}")
    return ModelChoice(name=name, keyed=keyed)


def _of_environment(settings: Settings) -> ModelChoice:
    if settings.ai_base_url is None:
        raise ConfigurationError("NOVA_AI_BASE_URL names no model")
    return ModelChoice(
        name=ENVIRONMENT_KEY,
        base_url=settings.ai_base_url,
        api_key=settings.ai_api_key,
        model=settings.ai_model,
    )


def _names(stored: Sequence[KeyedProfile]) -> list[str]:
    return [f"{one.profile.key}/{model}" for one in stored for model in one.profile.models]


async def _stored_profiles(settings: Settings) -> Sequence[KeyedProfile]:
    if not settings.key_path.exists():
        raise ConfigurationError(f"there are no stored profiles: {settings.key_path} does not exist")
    found = _Profiles()
    database = Database(settings.database_address)
    try:
        await ProfileWatch(database, load_or_create(settings.key_path), found).refresh()
    except (NovaUnavailable, SQLAlchemyError):
        raise ConfigurationError("the stored profiles can't be read: start the server of this version once") from None
    finally:
        await database.close()
    return found.stored
