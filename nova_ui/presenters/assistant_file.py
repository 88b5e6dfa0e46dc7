"""An assistant as a file: what is needed to create it elsewhere; it has no secrets, so neither has the file."""

import json
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.prompt_template import escaped
from nova_ui.domain.text import mark
from nova_ui.errors import NovaUiError

FORMAT: Final = "nova-ai-assistant/2"
OLD_FORMAT: Final = "nova-ai-assistant/1"  # before prompts had variables: its braces are nothing but braces
MAX_FILE_BYTES: Final = 1_000_000
_LEFT_OUT: Final = frozenset({"audience_groups", "preset", "version", "created_at", "updated_at"})


class NotAnAssistantFile(NovaUiError):
    """What was given can't be read as such a file."""

    key = mark("This file holds no assistant that Nova has exported.")


def file_of(assistant: JsonObject) -> bytes:
    """Return the file of a stored assistant, as Nova shows it."""
    kept = {name: value for name, value in assistant.items() if name not in _LEFT_OUT}
    return json.dumps({"format": FORMAT, "assistant": kept}, ensure_ascii=False, indent=2).encode()


def read_file(content: bytes) -> JsonObject:
    """Return the body with which the assistant of a file is created; Nova itself checks every value of it.

    It is switched off at first: somebody looks through it before people use it.

    Raises:
        NotAnAssistantFile: it is none, or too long.

    """
    if len(content) > MAX_FILE_BYTES:
        raise NotAnAssistantFile
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise NotAnAssistantFile from None
    if (
        not isinstance(found, dict)
        or found.get("format") not in {FORMAT, OLD_FORMAT}
        or found.keys() != {"format", "assistant"}
    ):
        raise NotAnAssistantFile
    assistant = found["assistant"]
    if not isinstance(assistant, dict) or not isinstance(assistant.get("key"), str):
        raise NotAnAssistantFile
    prompt = assistant.get("prompt")
    if found["format"] == OLD_FORMAT and isinstance(prompt, str):
        assistant = {**assistant, "prompt": escaped(prompt)}
    return {**assistant, "enabled": False}
