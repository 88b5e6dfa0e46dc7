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
_PATH: Final = path_of("key")
_LIMITS: Final = frozenset({"max_tokens", "max_tokens_field", "context_tokens", "first_event_seconds", "total_seconds"})
_STATE: Final = (
    Field(name="name"),
    Field(name="base_url", label=mark("Address"), shown=Shown.LITERAL),
    Field(name="api_key", label=mark("Key"), shown=Shown.SECRET),
)
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
        name="total_seconds",
        label=mark("Seconds for the whole answer"),
        control=Control.NUMBER,
        at="limits.total_seconds",
        default=600,
        clears=False,
    ),
)


def with_limits(body: JsonObject, current: JsonObject) -> JsonObject:
    """Put the limits that the form asks for into the one object that Nova takes."""
    given = {name: value for name, value in body.items() if name in _LIMITS}
    rest = {name: value for name, value in body.items() if name not in _LIMITS}
    if not given:
        return rest
    present = current.get("limits")
    return {**rest, "limits": {**(present if isinstance(present, dict) else {}), **given}}


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
        FormField(name="kind", control=Control.CHOICE, choices=KINDS, default="openai-compatible", required=True),
        *_FIELDS,
    ),
    shape=with_limits,
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
        fields=_FIELDS,
        is_patch=True,
        shape=with_limits,
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
