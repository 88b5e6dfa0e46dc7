"""What a message may be, and what of it is kept (rules D3, D4, I3)."""

import json
from collections.abc import Mapping
from typing import Final, assert_never

from nova_ui.domain.canonical import ArgumentsError, parse_arguments
from nova_ui.domain.chat import ConfirmMessage, Message, TextMessage, ToolMessage
from nova_ui.domain.json_value import JsonMapping, JsonObject
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import NovaInvalid
from nova_ui.guardrails.known_secrets import (
    NOTHING_KNOWN,
    KnownSecrets,
    hide_known_in_object,
    hide_known_in_text,
)
from nova_ui.guardrails.redaction import redact
from nova_ui.guardrails.secrets_in import mask_live_secrets
from nova_ui.llm.special_tokens import without_unusable_characters

MAX_TEXT_CHARS: Final = 32_000
_MADE_TITLE_CHARS: Final = 60
MAX_NAME_CHARS: Final = 100


def checked_message(message: Message, known: KnownSecrets = NOTHING_KNOWN) -> Message:
    """Return `message` as the engine takes it: words without live secrets, arguments that are sound JSON.

    Raises:
        NovaInvalid: it is empty, too long, or holds what no text may hold; nothing is repaired by guessing.

    """
    match message:
        case TextMessage(text=text):
            return without_stored_secrets(TextMessage(text=_checked_text(text)), known)
        case ConfirmMessage():
            return message
        case ToolMessage(tool_name=name, arguments=arguments):
            if len(name) > MAX_NAME_CHARS or without_unusable_characters(name) != name:
                raise NovaInvalid("There is no tool of this name.", field="tool.name")
            checked = ToolMessage(tool_name=mask_live_secrets(name), arguments=_checked_arguments(arguments))
            return without_stored_secrets(checked, known)
        case _:
            assert_never(message)


def without_stored_secrets(message: Message, known: KnownSecrets) -> Message:
    """Return a checked message with the placeholder for each stored secret; in arguments the gate refuses that."""
    match message:
        case TextMessage(text=text):
            return TextMessage(text=hide_known_in_text(text, known))
        case ToolMessage(tool_name=name, arguments=arguments):
            return ToolMessage(tool_name=name, arguments=hide_known_in_object(dict(arguments), known))
        case ConfirmMessage():
            return message
        case _:
            assert_never(message)


def _checked_text(text: str) -> str:
    if not text.strip():
        raise NovaInvalid("The message is empty.", field="text")
    if len(text) > MAX_TEXT_CHARS:
        raise NovaInvalid(f"A message has at most {MAX_TEXT_CHARS} characters.", field="text")
    if without_unusable_characters(text) != text:
        raise NovaInvalid("The message holds characters that are none.", field="text")
    return mask_live_secrets(text)


def _checked_arguments(arguments: JsonMapping) -> JsonObject:
    parsed = parse_arguments(json.dumps(dict(arguments)))
    if isinstance(parsed, ArgumentsError):
        raise NovaInvalid(parsed.detail, field="tool.arguments")
    return parsed


def stored_message(message: Message) -> Message:
    """Return `message` as it is kept: of the person's own call only what holds no secret."""
    if isinstance(message, ToolMessage):
        return ToolMessage(tool_name=message.tool_name, arguments=redacted_arguments(message.arguments))
    return message


def kept_message(message: Message) -> Message:
    """Return what the chat keeps of a message that was accepted, for whoever shows it before it is read again."""
    return stored_message(checked_message(message))


def redacted_arguments(arguments: JsonMapping) -> JsonObject:
    """Return arguments as they are shown and kept."""
    redacted = redact(dict(arguments))
    return redacted if isinstance(redacted, dict) else {}


def title_of(message: Message, tools: Mapping[str, AnyTool]) -> str:
    """Return the title of a chat that begins with `message`: its first line, cut at a word where possible."""
    match message:
        case TextMessage(text=text):
            line = next(line for line in text.splitlines() if line.strip())
        case ToolMessage(tool_name=name):
            line = tools[name].title if name in tools else f"/{name}"
        case ConfirmMessage():
            line = ""
        case _:
            assert_never(message)
    words = " ".join(line.split())
    if len(words) <= _MADE_TITLE_CHARS:
        return words
    cut, _, _ = words[:_MADE_TITLE_CHARS].rpartition(" ")
    return f"{cut or words[: _MADE_TITLE_CHARS - 1]}…"
