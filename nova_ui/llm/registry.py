"""Which models there are: stored profiles, the endpoint of the settings, and the model that is built in."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from pydantic import SecretStr

from nova_ui.domain.ai_profile import BUILT_IN_KEY, ENVIRONMENT_KEY, ModelProfile, ProviderKind
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.clock import Clock, SystemClock
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import ConfigurationError
from nova_ui.i18n.translator import Translators
from nova_ui.llm.breaker import Breaker
from nova_ui.llm.builtin.model import BuiltInModel
from nova_ui.llm.connection import Connection
from nova_ui.llm.fallback import FallBackOrder, ModelChain, ModelPlace, NamedModel, reachable
from nova_ui.llm.limits import Limits
from nova_ui.llm.modes import host_of, mode_of
from nova_ui.llm.port import Mode, Model
from nova_ui.llm.profiles import KeyedProfile, Provider
from nova_ui.llm.wire import Profile
from nova_ui.llm.wire_model import WireModel
from nova_ui.llm.wires import OPENAI

__all__ = ["BUILT_IN_NAME", "ModelRegistry", "ModelSettings", "mode_of"]

_log = logging.getLogger(__name__)

BUILT_IN_NAME: Final = BUILT_IN_KEY


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
    """The models that assistants may use; `use` replaces the stored profiles while turns run."""

    def __init__(
        self,
        built_in: Model,
        connection: Connection | None = None,
        default_model: str | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._built_in = built_in
        self._connection = connection
        self._default_model = default_model
        self._clock = clock or SystemClock()
        self._providers: Mapping[str, Provider] = {}
        self._default_key: str | None = None
        self._order = FallBackOrder()
        self._breaker = Breaker(self._clock)
        self._retired: set[asyncio.Task[None]] = set()

    @classmethod
    def from_settings(
        cls,
        settings: ModelSettings,
        *,
        unwrap: Callable[[str], str | None],
        translators: Translators,
        clock: Clock | None = None,
        limits: Limits | None = None,
        all_tools: Iterable[AnyTool] = (),
    ) -> "ModelRegistry":
        """Build the models; `unwrap` takes a tool's result out of its envelope.

        Raises:
            ConfigurationError: the address, the key or the model's name is not usable.

        """
        clock = clock or SystemClock()
        built_in = BuiltInModel(unwrap=unwrap, translators=translators, clock=clock, all_tools=all_tools)
        if settings.ai_base_url is None:
            return cls(built_in, clock=clock)
        if not settings.ai_model:
            raise ConfigurationError("NOVA_AI_MODEL must name the model to ask at NOVA_AI_BASE_URL.")
        headers: dict[str, str] = {}
        if settings.ai_api_key is not None:
            headers["authorization"] = f"Bearer {settings.ai_api_key.get_secret_value()}"
        connection = Connection(settings.ai_base_url, headers=headers, clock=clock, limits=limits)
        if headers and settings.ai_base_url.startswith("http:") and mode_of(settings.ai_base_url) is Mode.EXTERNAL:
            _log.warning("model.key_unprotected")
        return cls(built_in, connection, settings.ai_model, clock)

    @property
    def environment(self) -> ModelProfile | None:
        """The endpoint of the settings as a profile, or None; whoever runs the server changes it, nobody else."""
        if self._connection is None or self._default_model is None:
            return None
        return ModelProfile(
            key=ENVIRONMENT_KEY,
            name=ENVIRONMENT_KEY,
            kind=ProviderKind.OPENAI,
            base_url=self._connection.base_url,
            models=(self._default_model,),
            allow_private=True,
        )

    @property
    def environment_has_key(self) -> bool:
        """Whether a key is sent to the endpoint of the settings."""
        return self._connection is not None and self._connection.sends_key

    @property
    def default_key(self) -> str:
        """The profile of assistants that name none: the one chosen, else the settings', else the built-in model."""
        if self._default_key is not None:
            return self._default_key
        return BUILT_IN_KEY if self._connection is None else ENVIRONMENT_KEY

    @property
    def default(self) -> Model:
        """The model of assistants that name none."""
        return self.find(self.default_key) or self._built_in

    def for_assistant(self, assistant: Assistant) -> Model:
        """Return the assistant's model; one that names no profile is a model at the endpoint of the settings."""
        return self._first_of(assistant).model

    def chain_for(self, assistant: Assistant) -> ModelChain:
        """Return the assistant's model with those that stand in for it, for one turn."""
        return ModelChain(self._reachable_for(assistant), self._breaker)

    def places_for(self, assistant: Assistant) -> tuple[ModelPlace, ...]:
        """Return every place that data of the assistant's chats may go to, in the order in which they are asked."""
        return tuple(self._place(one) for one in self._reachable_for(assistant))

    def find(self, name: str, temperature: float | None = None) -> Model | None:
        """Return the model of a profile by the profile's key, or by `key/model` one of its others; None if unknown.

        A `temperature` counts before that of the profile, where its kind takes one.
        """
        if name == BUILT_IN_KEY:
            return self._built_in
        if name == ENVIRONMENT_KEY and self._connection is not None and self._default_model is not None:
            return self._at_endpoint(self._connection, self._default_model, temperature)
        key, _, model = name.partition("/")
        provider = self._providers.get(key)
        return None if provider is None else provider.model(model or None, temperature)

    def use(
        self, profiles: Sequence[KeyedProfile], default_key: str | None, order: FallBackOrder | None = None
    ) -> None:
        """Use these stored profiles from the next request on; requests that run go on over the old connections."""
        self._order = order or FallBackOrder()
        self._breaker = Breaker(self._clock)  # what was changed may work now
        before = self._providers
        self._providers = {one.profile.key: self._kept_or_new(one, before) for one in profiles}
        self._default_key = default_key
        kept = set(map(id, self._providers.values()))
        for provider in before.values():
            if id(provider) not in kept:
                task = asyncio.create_task(_close_later(provider))
                self._retired.add(task)
                task.add_done_callback(self._retired.discard)

    async def aclose(self) -> None:
        """Close the connections; running requests end as broken."""
        retired = tuple(self._retired)
        for task in retired:
            task.cancel()
        if retired:
            await asyncio.wait(retired)
        for provider in self._providers.values():
            await provider.aclose()
        if self._connection is not None:
            await self._connection.aclose()

    def _first_of(self, assistant: Assistant) -> NamedModel:
        name = assistant.model or self.default_key
        found = self.find(name, assistant.temperature)
        if found is None and assistant.model is not None and self._connection is not None:
            found = self._at_endpoint(self._connection, assistant.model, assistant.temperature)
        if found is None:  # never another provider than the one that was meant
            return NamedModel(name=BUILT_IN_KEY, model=self._built_in)
        return NamedModel(name=name, model=found)

    def _reachable_for(self, assistant: Assistant) -> tuple[NamedModel, ...]:
        own = assistant.fall_back
        names = self._order.names if own is None else own
        found = ((name, self.find(name, assistant.temperature)) for name in names)
        others = [NamedModel(name=name, model=model) for name, model in found if model is not None]
        # An order of the assistant's own was written for it: whoever wrote it knows where its data goes.
        return reachable(self._first_of(assistant), others, may_widen=own is not None or self._order.may_widen)

    def _place(self, named: NamedModel) -> ModelPlace:
        provider = self._providers.get(named.name.partition("/")[0])
        return ModelPlace(
            name=named.name,
            model=named.model.name,
            mode=named.model.mode,
            host=self._host_of(named.name),
            by_address=named.model.mode if provider is None else _mode_by_address(provider.profile),
            declared=None if provider is None else provider.profile.declared_mode,
        )

    def _host_of(self, name: str) -> str:
        provider = self._providers.get(name.partition("/")[0])
        if provider is not None:
            return host_of(provider.profile.base_url)
        is_built_in = name == BUILT_IN_KEY or self._connection is None
        return "" if is_built_in or self._connection is None else host_of(self._connection.base_url)

    def _kept_or_new(self, keyed: KeyedProfile, before: Mapping[str, Provider]) -> Provider:
        old = before.get(keyed.profile.key)
        return old if old is not None and old.keyed == keyed else Provider(keyed, self._clock)

    @staticmethod
    def _at_endpoint(connection: Connection, name: str, temperature: float | None = None) -> Model:
        mode = mode_of(connection.base_url)
        asked = Profile(model=name, temperature=temperature)
        return WireModel(connection, OPENAI, asked, mode, profile_key=ENVIRONMENT_KEY)


def _mode_by_address(profile: ModelProfile) -> Mode:
    return mode_of(profile.base_url, profile.proxy_url)


async def _close_later(provider: Provider) -> None:
    """Close what was replaced once no request can run over it any more, or at once when the server ends."""
    try:
        await asyncio.sleep(provider.longest_request_s)
    finally:
        await provider.aclose()
