"""The AI configuration: provider profiles and the default; interface only, and never with keys (rule B6)."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, SecretStr, StrictBool, StrictFloat, StrictInt, StringConstraints

from nova_ui.domain.ai_profile import DeclaredMode, MaxTokensField, ProviderKind, ReasoningEffort
from nova_ui.nova.views.common import Body, Ref, View
from nova_ui.nova.views.connections import SecretState
from nova_ui.nova.views.types import AssistantKeyText, Line, Name

MAX_KEY_CHARS = 4_000
ModelName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=150, pattern=r"^[!-~]+$")]
AddressText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]
ApiKey = Annotated[SecretStr, Field(min_length=1, max_length=MAX_KEY_CHARS, json_schema_extra={"x-nova-secret": True})]

HeaderName = Annotated[str, StringConstraints(min_length=1, max_length=100)]
HeaderValue = Annotated[SecretStr, Field(min_length=1, max_length=2_000, json_schema_extra={"x-nova-secret": True})]
ProxyUser = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[!-9;-~]+$")]  # no colon
Certificates = Annotated[str, StringConstraints(min_length=1, max_length=60_000)]
Number = StrictFloat | StrictInt


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
    gap_seconds: StrictInt = Field(60, ge=1, le=600, description="longest silence within an answer")
    total_seconds: StrictInt = Field(600, ge=1, le=3_600)


class AiParameters(Body):
    """What else a model is asked with; null leaves it to the provider. Which of them a kind takes, a profile says."""

    temperature: Number | None = Field(None, ge=0, le=2)
    top_p: Number | None = Field(None, ge=0, le=1)
    reasoning_effort: ReasoningEffort | None = None


class AiCertificate(View):
    """A certificate that a profile trusts."""

    subject: str
    expires_at: datetime


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
    parameters: AiParameters
    supports: list[str] = Field(description="the parameters that this kind takes")
    max_temperature: float | None
    proxy_url: str | None
    proxy_user: str | None
    proxy_password: SecretState = Field(json_schema_extra={"x-nova-secret": True})
    proxy_allow_private: bool
    ca_certificates: str | None = Field(description="PEM; trusted instead of the public certificates")
    certificates: list[AiCertificate]
    header_names: list[str] = Field(description="headers that are sent as well; their values are never read back")
    mode: str = Field(description="built_in, local or external: where the data goes, the further of the next two")
    mode_by_address: str
    declared_mode: DeclaredMode | None
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
    parameters: AiParameters = Field(default_factory=lambda: AiParameters.model_validate({}))
    proxy_url: AddressText | None = Field(default=None, description="tunnels to the address, which is https then")
    proxy_user: ProxyUser | None = None
    proxy_password: ApiKey | None = None
    proxy_allow_private: StrictBool = Field(default=False, description="the proxy may lie in the own network")
    ca_certificates: Certificates | None = Field(default=None, description="PEM, certificates only")
    declared_mode: DeclaredMode | None = Field(
        default=None,
        description="external: the data leaves the network, whatever the address says; null: by the address",
    )
    headers: dict[HeaderName, HeaderValue] = Field(default_factory=dict, max_length=20)


class AiProfilePatch(Body):
    """A merge patch: what is absent stays, a header of null goes.

    Another kind, address or proxy, or other certificates, need the key and each header's value again, or null.
    """

    kind: ProviderKind = Field(default_factory=lambda: ProviderKind.OPENAI)
    name: Name = Field(default_factory=str)
    base_url: AddressText = Field(default_factory=str)
    models: list[ModelName] = Field(default_factory=list, min_length=1, max_length=50)
    allow_private: StrictBool = Field(default_factory=bool)
    api_key: ApiKey | None = None
    limits: AiLimits = Field(default_factory=lambda: AiLimits.model_validate({}))
    parameters: AiParameters = Field(default_factory=lambda: AiParameters.model_validate({}))
    proxy_url: AddressText | None = None
    proxy_user: ProxyUser | None = None
    proxy_password: ApiKey | None = None
    proxy_allow_private: StrictBool = Field(default_factory=bool)
    ca_certificates: Certificates | None = None
    declared_mode: DeclaredMode | None = None
    headers: dict[HeaderName, HeaderValue | None] = Field(default_factory=dict, max_length=40)


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
    calls_in_parallel: bool | None = Field(description="whether it made two calls at once where that was asked for")
    uses_results: bool | None
    keeps_to_words: bool | None = Field(description="whether it made no call where words alone were asked for")
    reports_usage: bool | None
    context_tokens: int | None = Field(description="the model's window as the provider tells it")
    first_event_ms: int | None
    total_ms: int
    input_tokens: int
    output_tokens: int
    failure: str | None = Field(description="why it ended early, such as credentials, no_such_model or connection")
