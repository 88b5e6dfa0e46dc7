"""How much a model can read at once, where its provider tells."""

from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.llm.answer import member, objects
from nova_ui.llm.wire import Profile

_MOST: Final = 100_000_000
# As vLLM, OpenRouter, Groq, Mistral and LM Studio call it; llama.cpp has it in an object of its own.
_NAMES: Final = (
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "loaded_context_length",
    "max_input_tokens",
)


def of_listed(answer: JsonObject, profile: Profile) -> int | None:
    """Return the window of the profile's model out of a list of models as OpenAI-compatible servers give it."""
    listed = objects(answer.get("data"))
    found = next((one for one in listed if one.get("id") == profile.model), {})
    named = (found.get(name) for name in _NAMES)
    inner = (member(found, "meta").get(name) for name in ("n_ctx", "n_ctx_train"))
    return next((size for value in (*named, *inner) if (size := _tokens(value)) is not None), None)


def of_one(answer: JsonObject, _profile: Profile) -> int | None:
    """Return the window that an answer about one model names, as Anthropic and Google do."""
    named = (answer.get(name) for name in ("inputTokenLimit", "max_input_tokens", *_NAMES))
    return next((size for value in named if (size := _tokens(value)) is not None), None)


def _tokens(value: object) -> int | None:
    is_size = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST
    return value if is_size and isinstance(value, int) else None
