"""A provider profile with its key, and the models that it gives: usable ones, or one that says why it is not."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import httpx
from pydantic import SecretStr

from nova_ui.domain.ai_profile import MAX_TEMPERATURES, ModelProfile
from nova_ui.domain.clock import Clock
from nova_ui.errors import ConfigurationError, FailureKind, ModelError
from nova_ui.llm.connection import Connection
from nova_ui.llm.guarded_transport import ProxyRoute, guarded_transport
from nova_ui.llm.limits import Limits
from nova_ui.llm.modes import effective_mode
from nova_ui.llm.port import Mode, Model, ModelEvent, ModelRequest
from nova_ui.llm.wire import Profile, Wire
from nova_ui.llm.wire_model import WireModel
from nova_ui.llm.wires import WIRES
from nova_ui.outgoing.address import AddressRefused, check_address, check_proxy_address
from nova_ui.outgoing.certificates import CertificatesRefused, trusting_only
from nova_ui.outgoing.headers import is_addable


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedProfile:
    """A profile and the secrets that are sent to its address (the password: to its proxy) and nowhere else.

    With `key_is_lost` one of them is stored that can't be opened: nothing is sent then.
    """

    profile: ModelProfile
    api_key: SecretStr | None = None
    headers: Mapping[str, SecretStr] = field(default_factory=dict)
    proxy_password: SecretStr | None = None
    key_is_lost: bool = False


class UnusableModel:
    """A model that can't be asked; every request fails with the same kind, and nothing is sent."""

    context_tokens = None

    def __init__(self, name: str, profile: str, mode: Mode, kind: FailureKind) -> None:
        self.name = name
        self.profile = profile
        self.mode = mode
        self._kind = kind

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Fail.

        Raises:
            ModelError: always.

        """
        del request
        raise ModelError(self._kind)
        yield  # pragma: no cover - makes this a generator, as the port wants


class Provider:
    """One profile in use: a connection to its address, opened when it is first asked."""

    def __init__(self, keyed: KeyedProfile, clock: Clock, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.keyed = keyed
        self._connection: Connection | None = None
        self._fault = FailureKind.CREDENTIALS if keyed.key_is_lost else None
        profile = keyed.profile
        try:
            check_address(profile.base_url, allow_private=profile.allow_private)
            if self._fault is None:
                self._connection = Connection(
                    profile.base_url,
                    headers=_headers(WIRES[profile.kind], keyed),
                    clock=clock,
                    limits=_limits(profile),
                    transport=transport or _transport(keyed),
                )
        except AddressRefused:
            self._fault = FailureKind.CONNECTION
        except CertificatesRefused:
            self._fault = FailureKind.TLS
        except ConfigurationError:
            self._fault = FailureKind.CREDENTIALS

    @property
    def profile(self) -> ModelProfile:
        """The profile that is in use."""
        return self.keyed.profile

    @property
    def mode(self) -> Mode:
        """Where data goes that is sent there."""
        return effective_mode(self.profile.base_url, self.profile.declared_mode, self.profile.proxy_url)

    @property
    def longest_request_s(self) -> float:
        """How long a request may still run after the profile was replaced."""
        return float(self.profile.limits.total_seconds)

    def model(self, name: str | None = None, temperature: float | None = None) -> Model:
        """Return the model called `name` there, else the profile's first; `temperature` counts before the profile's."""
        profile = self.profile
        wanted = name or next(iter(profile.models), "")
        if self._connection is None:
            return UnusableModel(wanted, profile.key, self.mode, self._fault or FailureKind.CONNECTION)
        limits = profile.limits
        asked = Profile(
            model=wanted,
            max_tokens=limits.max_tokens,
            max_tokens_field=limits.max_tokens_field,
            context_tokens=limits.context_tokens,
            temperature=self._temperature(temperature),
            top_p=profile.parameters.top_p,
            reasoning_effort=profile.parameters.reasoning_effort,
        )
        return WireModel(self._connection, WIRES[profile.kind], asked, self.mode, profile_key=profile.key)

    def _temperature(self, wanted: float | None) -> float | None:
        """Return the temperature to ask with: none where this kind takes none, and never more than it takes."""
        most = MAX_TEMPERATURES.get(self.profile.kind)
        if wanted is None or most is None:
            return self.profile.parameters.temperature
        return min(wanted, most)

    async def aclose(self) -> None:
        """Close the connection; running requests end as broken."""
        if self._connection is not None:
            await self._connection.aclose()


def _headers(wire: Wire, keyed: KeyedProfile) -> Mapping[str, str]:
    added = {name.lower(): value.get_secret_value() for name, value in keyed.headers.items() if is_addable(name)}
    key = {} if keyed.api_key is None else wire.key_headers(keyed.api_key.get_secret_value())
    return {**added, **wire.headers, **key}


def _transport(keyed: KeyedProfile) -> httpx.AsyncBaseTransport:
    profile, proxy = keyed.profile, None
    if profile.proxy_url:
        check_proxy_address(profile.proxy_url, allow_private=profile.proxy_allow_private)
        proxy = ProxyRoute(
            url=profile.proxy_url,
            allow_private=profile.proxy_allow_private,
            user=profile.proxy_user,
            password=keyed.proxy_password,
        )
    trusted = trusting_only(profile.ca_certificates) if profile.ca_certificates else None
    return guarded_transport(allow_private=profile.allow_private, trusted=trusted, proxy=proxy)


def _limits(profile: ModelProfile) -> Limits:
    limits = profile.limits
    return Limits(
        first_event_s=float(limits.first_event_seconds),
        event_gap_s=float(min(limits.gap_seconds, limits.total_seconds)),
        total_s=float(limits.total_seconds),
    )
