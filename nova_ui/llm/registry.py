"""Which models there are: the endpoint of the settings, else the built-in model."""

import ipaddress
import logging
from collections.abc import Callable
from typing import Final, Protocol

import httpx
from pydantic import SecretStr

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.clock import Clock, SystemClock
from nova_ui.errors import ConfigurationError
from nova_ui.i18n.translator import Translators
from nova_ui.llm.builtin.model import BuiltInModel
from nova_ui.llm.connection import Connection
from nova_ui.llm.limits import Limits
from nova_ui.llm.openai_chat import OpenAiChat
from nova_ui.llm.openai_request import Profile
from nova_ui.llm.port import Mode, Model

_log = logging.getLogger(__name__)

BUILT_IN_NAME: Final = "built-in"


class ModelSettings(Protocol):
    """What the registry reads from the settings."""

    @property
    def ai_base_url(self) -> str | None:
        """Address of an OpenAI-compatible endpoint; None: the built-in model answers."""

    @property
    def ai_api_key(self) -> SecretStr | None:
        """Key that is sent there and nowhere else."""

    @property
    def ai_model(self) -> str | None:
        """Name of the model there."""


class ModelRegistry:
    """The models that assistants may use."""

    def __init__(self, built_in: Model, connection: Connection | None = None, default_model: str | None = None) -> None:
        self._built_in = built_in
        self._connection = connection
        self._default_model = default_model

    @classmethod
    def from_settings(
        cls,
        settings: ModelSettings,
        *,
        unwrap: Callable[[str], str | None],
        translators: Translators,
        clock: Clock | None = None,
        limits: Limits | None = None,
    ) -> "ModelRegistry":
        """Build the models; `unwrap` takes a tool's result out of its envelope.

        Raises:
            ConfigurationError: the address, the key or the model's name is not usable.

        """
        clock = clock or SystemClock()
        built_in = BuiltInModel(unwrap=unwrap, translators=translators, clock=clock)
        if settings.ai_base_url is None:
            return cls(built_in)
        if not settings.ai_model:
            raise ConfigurationError("NOVA_AI_MODEL must name the model to ask at NOVA_AI_BASE_URL.")
        headers: dict[str, str] = {}
        if settings.ai_api_key is not None:
            headers["authorization"] = f"Bearer {settings.ai_api_key.get_secret_value()}"
        connection = Connection(settings.ai_base_url, headers=headers, clock=clock, limits=limits)
        if headers and settings.ai_base_url.startswith("http:") and mode_of(settings.ai_base_url) is Mode.EXTERNAL:
            _log.warning("model.key_unprotected")
        return cls(built_in, connection, settings.ai_model)

    @property
    def default(self) -> Model:
        """The model of assistants that name none."""
        if self._connection is None or self._default_model is None:
            return self._built_in
        return self._at_endpoint(self._connection, self._default_model)

    def for_assistant(self, assistant: Assistant) -> Model:
        """Return the assistant's model: `built-in`, one at the endpoint by its name, or the default."""
        if assistant.model == BUILT_IN_NAME:
            return self._built_in
        if assistant.model is None or self._connection is None:
            return self.default
        return self._at_endpoint(self._connection, assistant.model)

    async def aclose(self) -> None:
        """Close the connections; running requests end as broken."""
        if self._connection is not None:
            await self._connection.aclose()

    @staticmethod
    def _at_endpoint(connection: Connection, name: str) -> Model:
        return OpenAiChat(connection, Profile(model=name), mode_of(connection.base_url))


def mode_of(base_url: str) -> Mode:
    """Return whether data sent to `base_url` stays in the house; a name that is no address counts as outside."""
    host = httpx.URL(base_url).host
    if host == "localhost" or host.endswith(".localhost"):
        return Mode.LOCAL
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return Mode.EXTERNAL
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    is_inside = address.is_loopback or address.is_private or address.is_link_local
    return Mode.LOCAL if is_inside and not address.is_unspecified else Mode.EXTERNAL
