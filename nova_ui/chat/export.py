"""A chat as a download: Markdown to read, JSON to work with; nothing in it that was not shown."""

import json
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

from nova_ui.domain.chat import Chat, ConfirmMessage, Message, RecordedCall, TextMessage, ToolMessage, TurnRecord
from nova_ui.domain.json_value import JsonObject
from storage.chat.records import message_to_json, notices_to_json, steps_to_json

_MAX_NAME_CHARS: Final = 60
_NOT_IN_NAMES: Final = re.compile(r"[^\w-]+")
_FENCES: Final = re.compile(r"`{3,}")
_ELEMENT: Final = re.compile(r"<(?=[A-Za-z/!?])")


class ExportFormat(StrEnum):
    """As what a chat is downloaded."""

    MARKDOWN = "md"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatExport:
    """A chat as a download; the file name is safe on every system."""

    file_name: str
    media_type: str
    content: str


def write_chat(chat: Chat, assistant_name: str, export_format: ExportFormat) -> ChatExport:
    """Write `chat` out."""
    file_name = f"{safe_name(chat.title)}.{export_format.value}"
    match export_format:
        case ExportFormat.MARKDOWN:
            content = _markdown(chat, assistant_name)
            return ChatExport(file_name=file_name, media_type="text/markdown; charset=utf-8", content=content)
        case ExportFormat.JSON:
            content = json.dumps(chat_json(chat), ensure_ascii=False, indent=2)
            return ChatExport(file_name=file_name, media_type="application/json", content=content)
        case _:
            assert_never(export_format)


def safe_name(title: str) -> str:
    """Return `title` as a file name without its ending: ASCII letters, digits, hyphens and underscores."""
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return _NOT_IN_NAMES.sub("-", plain).strip("-_")[:_MAX_NAME_CHARS].strip("-_").lower() or "chat"


def chat_json(chat: Chat) -> JsonObject:
    """Return a chat with its turns as JSON."""
    return {
        "id": chat.id,
        "assistant": chat.assistant_key,
        "title": chat.title,
        "created_at": chat.created_at.isoformat(),
        "updated_at": chat.updated_at.isoformat(),
        "turns": [turn_json(turn) for turn in chat.turns],
    }


def turn_json(turn: TurnRecord) -> JsonObject:
    """Return a turn as JSON."""
    return {
        "id": turn.id,
        "number": turn.number,
        "message": message_to_json(turn.message),
        "state": turn.state.value,
        "started_at": turn.started_at.isoformat(),
        "finished_at": None if turn.finished_at is None else turn.finished_at.isoformat(),
        "steps": list(steps_to_json(turn.steps)),
        "notices": list(notices_to_json(turn.notices)),
        "preview_ids": list(turn.preview_ids),
        "model": turn.model,
        "usage": dict(turn.usage),
    }


def _markdown(chat: Chat, assistant_name: str) -> str:
    parts = [f"# {_harmless(_one_line(chat.title))}", f"{assistant_name}, {chat.created_at:%Y-%m-%d %H:%M} UTC"]
    for turn in chat.turns:
        parts.append(f"## {turn.started_at:%Y-%m-%d %H:%M}")
        parts.append(_quoted(_harmless(_words(turn.message))))
        for step in turn.steps:
            if step.text:
                parts.append(_harmless(step.text))
            parts += [_call(call) for call in step.calls]
        parts += [f"*{notice.code}*" for notice in turn.notices]
    return "\n\n".join(parts) + "\n"


def _harmless(text: str) -> str:
    """Return Markdown that fetches nothing where it is shown: pictures and elements become text."""
    return _ELEMENT.sub("&lt;", text.replace("![", "!\\["))


def _words(message: Message) -> str:
    match message:
        case TextMessage(text=text):
            return text
        case ConfirmMessage():
            return "Confirm and execute"
        case ToolMessage(tool_name=name, arguments=arguments):
            return f"/{name} {json.dumps(dict(arguments), ensure_ascii=False)}"
        case _:
            assert_never(message)


def _call(call: RecordedCall) -> str:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    outcome = call.status.value if call.code is None else f"{call.status.value}, {call.code}"
    body = f"{call.tool_name} {arguments}\n{call.content}".rstrip()
    longest = max((len(fence) for fence in _FENCES.findall(body)), default=2)
    fence = "`" * (longest + 1)  # longer than any in the data, so that the data can't end the block
    return f"{outcome}:\n\n{fence}text\n{body}\n{fence}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines()) or ">"


def _one_line(text: str) -> str:
    return " ".join(text.split())
