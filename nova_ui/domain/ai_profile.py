"""Where models are asked: provider profiles, without their keys."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal

BUILT_IN_KEY: Final = "built-in"
ENVIRONMENT_KEY: Final = "environment"
RESERVED_KEYS: Final = frozenset({BUILT_IN_KEY, ENVIRONMENT_KEY})

MaxTokensField = Literal["max_tokens", "max_completion_tokens"]


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
    total_seconds: int = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProfile:
    """One provider: its address, the models asked there (the first unless another is named), and its limits.

    With `allow_private` the address may lie in the house; without it only in the public network.
    """

    key: str
    name: str
    kind: ProviderKind
    base_url: str = ""
    models: tuple[str, ...] = ()
    allow_private: bool = False
    limits: ModelLimits = field(default_factory=ModelLimits)
