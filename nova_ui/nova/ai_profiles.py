"""Stored provider profiles as the models' registry wants them, and every process kept up to date with them."""

import asyncio
import logging
from contextlib import suppress
from typing import Final, Protocol

from pydantic import SecretStr, ValidationError
from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_profile import DeclaredMode, ModelLimits, ModelParameters, ModelProfile, ProviderKind
from nova_ui.llm.fallback import FallBackOrder
from nova_ui.llm.profiles import KeyedProfile
from nova_ui.nova.ai_profile_secrets import ProfileSecrets
from nova_ui.nova.views.ai_configuration import AiLimits, AiParameters
from storage.database import Database
from storage.encryption import Encryption, UnsealFailed
from storage.nova.ai_tables import AiConfigurationRow, AiProfileRow, secret_place

_log = logging.getLogger(__name__)

CONFIGURATION_ID: Final = "ai"
LOOK_EVERY_S: Final = 2.0


class Models(Protocol):
    """Whoever asks models by profiles."""

    def use(self, profiles: list[KeyedProfile], default_key: str | None, order: FallBackOrder) -> None:
        """Use these profiles from the next request on."""


def profile_of(row: AiProfileRow) -> ModelProfile:
    """Return a stored profile without its key."""
    return ModelProfile(
        key=row.key,
        name=row.name,
        kind=ProviderKind(row.kind),
        base_url=row.base_url,
        models=tuple(row.models),
        allow_private=row.allow_private,
        limits=limits_of(row),
        parameters=ModelParameters(**parameters_view(row).model_dump()),
        proxy_url=row.proxy_url or "",
        proxy_user=row.proxy_user or "",
        proxy_allow_private=row.proxy_allow_private,
        ca_certificates=row.ca_certificates or "",
        declared_mode=declared_mode_of(row),
    )


def declared_mode_of(row: AiProfileRow) -> DeclaredMode | None:
    """Return what was declared; a word that is not known counts as the furthest."""
    match row.declared_mode:
        case None:
            return None
        case "local":
            return "local"
        case _:
            return "external"


def limits_of(row: AiProfileRow) -> ModelLimits:
    """Return the limits of a stored profile; ones that can't be read are the usual ones."""
    try:
        return ModelLimits(**AiLimits.model_validate(row.limits).model_dump())
    except ValidationError:
        return ModelLimits()


def parameters_view(row: AiProfileRow) -> AiParameters:
    """Return the parameters of a stored profile; ones that can't be read are left to the provider."""
    try:
        return AiParameters.model_validate(row.parameters)
    except ValidationError:
        return AiParameters.model_validate({})


class ProfileWatch:
    """Hands the stored profiles to the registry: at the start, after each change here, and soon after one elsewhere."""

    def __init__(self, database: Database, encryption: Encryption, models: Models) -> None:
        self._database = database
        self._encryption = encryption
        self._models = models
        self._version = 0
        self._task: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()

    async def start(self) -> None:
        """Load the profiles, then look for changes in the background."""
        await self.refresh()
        self._task = asyncio.create_task(self._go_on())

    async def stop(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def forget(self) -> None:
        """Load the profiles anew at the next look, whatever was loaded before."""
        self._version = 0

    async def look(self) -> None:
        """Load what has changed; where that can't be read, what is known stays in use."""
        try:
            await self.refresh()
        except Exception:  # noqa: BLE001 - the database may be back at the next look
            _log.warning("ai_profiles.not_read")

    async def refresh(self) -> None:
        """Load the profiles if anything has changed since the last time."""
        async with self._looking:  # else one who looked earlier could put back what was there before
            await self._refresh()

    async def _refresh(self) -> None:
        async with self._database.reading() as session:
            configuration = await session.get(AiConfigurationRow, CONFIGURATION_ID)
            if configuration is None or configuration.version == self._version:
                return
            rows = (await session.exec(select(AiProfileRow))).all()
        order = FallBackOrder(names=tuple(configuration.fall_back), may_widen=configuration.fall_back_may_widen)
        self._models.use([self._keyed(row) for row in rows], configuration.default_profile, order)
        self._version = configuration.version

    def _keyed(self, row: AiProfileRow) -> KeyedProfile:
        try:
            api_key, password = self._opened(row, "api_key"), self._opened(row, "proxy_password")
            headers = ProfileSecrets(self._encryption).open_headers(row)
        except UnsealFailed as failed:
            _log.error("ai_profile.key_lost", extra={"profile": row.key, "reason": failed.reason})
            return KeyedProfile(profile=profile_of(row), key_is_lost=True)
        return KeyedProfile(
            profile=profile_of(row),
            api_key=api_key,
            proxy_password=password,
            headers={name: SecretStr(value) for name, value in headers.items()},
        )

    def _opened(self, row: AiProfileRow, column: str) -> SecretStr | None:
        sealed = getattr(row, column)
        return None if sealed is None else SecretStr(self._encryption.open(sealed, secret_place(row, column)))

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await self.look()


async def configuration_row(session: AsyncSession) -> AiConfigurationRow | None:
    """Return the one row, if anything was ever configured."""
    return await session.get(AiConfigurationRow, CONFIGURATION_ID, populate_existing=True)
