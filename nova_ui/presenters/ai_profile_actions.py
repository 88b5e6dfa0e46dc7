"""What administrators can do to the profiles of model providers."""

from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Weighing, path_of
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.object_form import Control, FormField

KINDS: Final = {
    "openai-compatible": mark("OpenAI and compatible (vLLM, Ollama, llama.cpp, Mistral, …)"),
    "azure": mark("Azure OpenAI"),
    "anthropic": mark("Anthropic"),
    "google": mark("Google Gemini"),
    "bedrock": mark("Amazon Bedrock"),
}
EXAMPLE_ADDRESSES: Final = {
    "openai-compatible": "https://api.openai.com/v1",
    "azure": "https://NAME.openai.azure.com/openai/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com/v1beta",
    "bedrock": "https://bedrock-runtime.eu-central-1.amazonaws.com",
}
_TOKEN_FIELDS: Final = {
    "max_tokens": mark("max_tokens: most providers"),
    "max_completion_tokens": mark("max_completion_tokens: OpenAI's newer models"),
}
_BASE: Final = "/administration/ai-configuration"
_ONE: Final = f"{_BASE}/profiles/{{key}}"
_PATH: Final = path_of("key", at="key")
_EFFORTS: Final = {
    "": mark("left to the provider"),
    "none": mark("none"),
    "minimal": mark("minimal"),
    "low": mark("low"),
    "medium": mark("medium"),
    "high": mark("high"),
}
_DECLARED: Final = {
    "": mark("by its address: of this computer or a private network is local, any other external"),
    "external": mark("external: the data leaves the network, whatever the address says"),
    "local": mark("local, unless the address lies outside"),
}
_GROUPS: Final = {
    "limits": frozenset(
        {"max_tokens", "max_tokens_field", "context_tokens", "first_event_seconds", "gap_seconds", "total_seconds"}
    ),
    "parameters": frozenset({"temperature", "top_p", "reasoning_effort"}),
}
_MAX_PEM_CHARS: Final = 60_000
_STATE: Final = (
    Field(name="name"),
    Field(name="base_url", label=mark("Address"), shown=Shown.LITERAL),
    Field(name="api_key", label=mark("Key"), shown=Shown.SECRET),
)
_KIND: Final = FormField(name="kind", control=Control.CHOICE, choices=KINDS, default="openai-compatible", required=True)
_FIELDS: Final = (
    FormField(name="name", required=True, clears=False),
    FormField(name="base_url", label=mark("Address, such as https://api.example.com/v1"), required=True, clears=False),
    FormField(
        name="models",
        label=mark("Models; the first is asked unless an assistant names another"),
        control=Control.LINES,
        required=True,
        clears=False,
    ),
    FormField(name="api_key", label=mark("Key (written only, never shown again)"), control=Control.SECRET),
    FormField(
        name="allow_private",
        label=mark("The address lies in the own network"),
        control=Control.YES_NO,
        default=False,
        clears=False,
    ),
    FormField(
        name="declared_mode",
        label=mark("Where the data goes"),
        control=Control.CHOICE,
        choices=_DECLARED,
    ),
    FormField(
        name="headers",
        label=mark("More headers (X-Team: blue; without a value: removed)"),
        control=Control.LINES,
        at="headers_are_written_only",
        clears=False,
    ),
    FormField(name="proxy_url", label=mark("Proxy, such as http://proxy.example:3128; empty: none")),
    FormField(
        name="proxy_allow_private",
        label=mark("The proxy lies in the own network"),
        control=Control.YES_NO,
        default=False,
        clears=False,
    ),
    FormField(name="proxy_user", label=mark("User name at the proxy")),
    FormField(
        name="proxy_password", label=mark("Password at the proxy (written only)"), control=Control.SECRET, clears=False
    ),
    FormField(
        name="ca_certificates",
        label=mark("Certificates (PEM) that are trusted instead of the public ones; empty: the public ones"),
        control=Control.LONG_TEXT,
        max_chars=_MAX_PEM_CHARS,
    ),
    FormField(
        name="temperature",
        label=mark("Temperature, 0 to 2 (Anthropic, Bedrock: to 1); empty leaves it to the provider"),
        control=Control.DECIMAL,
        at="parameters.temperature",
    ),
    FormField(
        name="top_p",
        label=mark("Top-p, 0 to 1; empty leaves it to the provider"),
        control=Control.DECIMAL,
        at="parameters.top_p",
    ),
    FormField(
        name="reasoning_effort",
        label=mark("Reasoning effort (OpenAI and Azure only)"),
        control=Control.CHOICE,
        choices=_EFFORTS,
        at="parameters.reasoning_effort",
    ),
    FormField(
        name="max_tokens",
        label=mark("Longest answer in tokens; empty leaves it to the provider"),
        control=Control.NUMBER,
        at="limits.max_tokens",
    ),
    FormField(
        name="max_tokens_field",
        label=mark("What the provider calls the longest answer"),
        control=Control.CHOICE,
        choices=_TOKEN_FIELDS,
        at="limits.max_tokens_field",
        default="max_tokens",
        clears=False,
    ),
    FormField(
        name="context_tokens",
        label=mark("The model's window in tokens; empty: of a chat, 60,000 characters are sent again"),
        control=Control.NUMBER,
        at="limits.context_tokens",
    ),
    FormField(
        name="first_event_seconds",
        label=mark("Seconds until the answer must have begun"),
        control=Control.NUMBER,
        at="limits.first_event_seconds",
        default=120,
        clears=False,
    ),
    FormField(
        name="gap_seconds",
        label=mark("Seconds of silence within an answer after which it is given up"),
        control=Control.NUMBER,
        at="limits.gap_seconds",
        default=60,
        clears=False,
    ),
    FormField(
        name="total_seconds",
        label=mark("Seconds for the whole answer"),
        control=Control.NUMBER,
        at="limits.total_seconds",
        default=600,
        clears=False,
    ),
)


def as_profile(body: JsonObject, current: JsonObject) -> JsonObject:
    """Put limits and parameters that the form asks for into their objects, and the lines of headers into theirs."""
    grouped = frozenset(name for names in _GROUPS.values() for name in names)
    shaped = {name: value for name, value in body.items() if name not in grouped}
    for group, names in _GROUPS.items():
        given = {name: value for name, value in body.items() if name in names}
        present = current.get(group)
        if given:
            shaped[group] = {**(present if isinstance(present, dict) else {}), **given}
    lines = body.get("headers")
    if isinstance(lines, list):
        shaped["headers"] = {name: value or None for name, value in map(_header_of, map(str, lines))}
    return shaped


def _header_of(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()


def is_stored(person: Identity, profile: JsonObject) -> bool:
    """Whether the profile is kept here and can be changed here."""
    return person.is_administrator and text_at(profile, "source") == "stored"


def _is_other(person: Identity, profile: JsonObject) -> bool:
    return person.is_administrator and profile.get("is_default") is not True


NEW_PROFILE: Final = Action(
    key="new",
    label=mark("New profile"),
    sentence=mark("Add a provider of models"),
    done=mark("The profile is stored. Test it before assistants use it."),
    icon="add",
    endpoint=f"POST {_BASE}/profiles",
    fields=(
        FormField(name="key", label=mark("Key, such as house-model"), required=True),
        _KIND,
        *_FIELDS,
    ),
    shape=as_profile,
)
PROFILE_ACTIONS: Final = (
    Action(
        key="edit",
        label=mark("Edit"),
        sentence=mark("Change {subject}"),
        done=mark("The change is stored."),
        icon="edit",
        endpoint=f"PATCH {_ONE}",
        path=_PATH,
        reads=f"GET {_ONE}",
        reads_path=_PATH,
        fields=(_KIND, *_FIELDS),
        is_patch=True,
        shape=as_profile,
        is_offered=is_stored,
        name="name",
    ),
    Action(
        key="default",
        label=mark("Make default"),
        sentence=mark("Let {subject} answer wherever an assistant names no model"),
        done=mark("This profile is the default now."),
        icon="star",
        endpoint=f"PUT {_BASE}",
        state=_STATE,
        shape=lambda _, profile: {"default_profile": text_at(profile, "key")},
        is_offered=_is_other,
        name="name",
    ),
    Action(
        key="delete",
        label=mark("Delete"),
        sentence=mark("Delete the profile {subject} with its key"),
        done=mark("The profile is deleted."),
        icon="delete",
        endpoint=f"DELETE {_ONE}",
        path=_PATH,
        reads=f"GET {_ONE}",
        reads_path=_PATH,
        state=_STATE,
        weighing=Weighing(endpoint=f"GET {_ONE}/impact", path=_PATH, query=lambda _: {"action": "delete"}),
        is_offered=is_stored,
        name="name",
    ),
)
