"""The AI configuration: provider profiles and the default; interface only, and never with keys (rule B6)."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, SecretStr, StrictBool, StrictInt, StringConstraints

from nova_ui.domain.ai_profile import MaxTokensField, ProviderKind
from nova_ui.nova.views.common import Body, Ref, View
from nova_ui.nova.views.connections import SecretState
from nova_ui.nova.views.types import AssistantKeyText, Line, Name

MAX_KEY_CHARS = 4_000
ModelName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=150, pattern=r"^[!-~]+$")]
AddressText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]
ApiKey = Annotated[SecretStr, Field(min_length=1, max_length=MAX_KEY_CHARS, json_schema_extra={"x-nova-secret": True})]


class AiLimits(Body):
    """Limits of one request."""

    max_tokens: StrictInt | None = Field(None, ge=1, le=1_000_000, description="longest answer; null: the provider's")
    max_tokens_field: MaxTokensField = Field("max_tokens", description="what the provider calls it")
    context_tokens: StrictInt | None = Field(
        None,
        ge=1_000,
        le=10_000_000,
        description="the model's window; null: a chat is sent again up to 60,000 characters",
    )
    first_event_seconds: StrictInt = Field(120, ge=1, le=600)
    total_seconds: StrictInt = Field(600, ge=1, le=3_600)


class AiProfileView(View):
    """A provider profile; `source` says who keeps it: stored here, the server's environment, or Nova itself."""

    id: str
    key: str
    name: str
    kind: ProviderKind
    base_url: str
    models: list[str]
    allow_private: bool
    api_key: SecretState = Field(json_schema_extra={"x-nova-secret": True})
    limits: AiLimits
    mode: str = Field(description="built_in, local or external: where the data goes, judged by the address")
    source: str = Field(description="stored, environment or built_in")
    is_default: bool
    used_by: list[Ref] = Field(description="assistants and AI routine assistants that name this profile")
    version: int
    created_at: datetime | None
    updated_at: datetime | None


class AiConfigurationView(View):
    """Every profile, and which one answers where an assistant names none."""

    default_profile: str
    default_is_chosen: bool
    fall_back: list[str] = Field(description="models asked in this order where an assistant's own does not answer")
    fall_back_may_widen: bool = Field(
        description="whether data may go further for that, such as from a local model to an external one"
    )
    profiles: list[AiProfileView]
    version: int


class AiConfigurationBody(Body):
    """Which profile is the default; null leaves it to the environment, else to the built-in model."""

    default_profile: Line | None


class AiFallBackBody(Body):
    """Who stands in for whom: profiles, or `key/model`, in the order in which they are asked."""

    fall_back: list[Line] = Field(max_length=10)
    may_widen: StrictBool = False


class AiProfileCreate(Body):
    """A new profile; today of an endpoint that speaks as OpenAI's chat completions do."""

    key: AssistantKeyText
    name: Name
    kind: ProviderKind = ProviderKind.OPENAI
    base_url: AddressText
    models: list[ModelName] = Field(min_length=1, max_length=50)
    allow_private: StrictBool = Field(default=False, description="the address may lie in the own network")
    api_key: ApiKey | None = None
    limits: AiLimits = Field(default_factory=lambda: AiLimits.model_validate({}))


class AiProfilePatch(Body):
    """A merge patch: what is absent stays. Another address needs the key again, or null where none is needed."""

    name: Name = Field(default_factory=str)
    base_url: AddressText = Field(default_factory=str)
    models: list[ModelName] = Field(default_factory=list, min_length=1, max_length=50)
    allow_private: StrictBool = Field(default_factory=bool)
    api_key: ApiKey | None = None
    limits: AiLimits = Field(default_factory=lambda: AiLimits.model_validate({}))


class AiTrialBody(Body):
    """Which of the profile's models to try; absent: the first."""

    model: ModelName | None = None


class AiTrialView(View):
    """What a model can do, as far as it was found out; null: it did not come to that."""

    model: str
    mode: str
    answers: bool
    streams: bool | None
    calls_tools: bool | None
    uses_results: bool | None
    first_event_ms: int | None
    total_ms: int
    input_tokens: int
    output_tokens: int
    failure: str | None = Field(description="why it ended early, such as credentials, no_such_model or connection")
