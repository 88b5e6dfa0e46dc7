"""Where models are asked: provider profiles, without their keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal

BUILT_IN_KEY: Final = "built-in"
ENVIRONMENT_KEY: Final = "environment"
RESERVED_KEYS: Final = frozenset({BUILT_IN_KEY, ENVIRONMENT_KEY})

DeclaredMode = Literal["local", "external"]
MaxTokensField = Literal["max_tokens", "max_completion_tokens"]
ReasoningEffort = Literal["none", "minimal", "low", "medium", "high"]


class ProviderKind(StrEnum):
    """How a provider is spoken to; only `WORKING_KINDS` can be stored."""

    BUILT_IN = "builtin"
    OPENAI = "openai-compatible"
    AZURE = "azure"
    ANTHROPIC = "anthropic"
    GOOGLE = "google"
    BEDROCK = "bedrock"


WORKING_KINDS: Final = frozenset(ProviderKind) - {ProviderKind.BUILT_IN}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """Limits of one request to a provider; `max_tokens` None leaves the length of an answer to it.

    `context_tokens` is the model's window, from which follows how much of a chat is sent again.
    """

    max_tokens: int | None = None
    max_tokens_field: MaxTokensField = "max_tokens"
    context_tokens: int | None = None
    first_event_seconds: int = 120
    gap_seconds: int = 60
    total_seconds: int = 600


# How high the temperature of each kind goes; a kind that is not here takes none.
MAX_TEMPERATURES: Final[Mapping[ProviderKind, float]] = MappingProxyType(
    {
        ProviderKind.OPENAI: 2.0,
        ProviderKind.AZURE: 2.0,
        ProviderKind.ANTHROPIC: 1.0,
        ProviderKind.GOOGLE: 2.0,
        ProviderKind.BEDROCK: 1.0,
    }
)
_TAKES_REASONING_EFFORT: Final = frozenset({ProviderKind.OPENAI, ProviderKind.AZURE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelParameters:
    """What else a model is asked with; None leaves it to the provider, which not every model lets be set."""

    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: ReasoningEffort | None = None


def supported_parameters(kind: ProviderKind) -> tuple[str, ...]:
    """Return the names of the parameters that profiles of this kind take; the built-in model takes none."""
    if kind not in MAX_TEMPERATURES:
        return ()
    return ("temperature", "top_p", *(("reasoning_effort",) if kind in _TAKES_REASONING_EFFORT else ()))


def find_unsupported(kind: ProviderKind, parameters: ModelParameters) -> str | None:
    """Return the name of a parameter that this kind does not take, or not so high; None if all are fine."""
    for name in ("temperature", "top_p", "reasoning_effort"):
        if getattr(parameters, name) is not None and name not in supported_parameters(kind):
            return name
    too_high = parameters.temperature is not None and parameters.temperature > MAX_TEMPERATURES[kind]
    return "temperature" if too_high else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProfile:
    """One provider: its address, the models asked there (the first unless another is named), and its limits.

    With `allow_private` the address may lie in the house; without it only in the public network. `ca_certificates`
    (PEM) are trusted instead of the public ones, `proxy_url` is what tunnels to the address. `declared_mode` is where
    administrators say that the data goes.
    """

    key: str
    name: str
    kind: ProviderKind
    base_url: str = ""
    models: tuple[str, ...] = ()
    allow_private: bool = False
    limits: ModelLimits = field(default_factory=ModelLimits)
    parameters: ModelParameters = field(default_factory=ModelParameters)
    proxy_url: str = ""
    proxy_user: str = ""
    proxy_allow_private: bool = False
    ca_certificates: str = ""
    declared_mode: DeclaredMode | None = None
