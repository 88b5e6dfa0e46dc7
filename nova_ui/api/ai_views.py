"""What `/ai` takes and gives: the body of a message, assistants, tools, chats with their cards."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nova_ui.chat.export import turn_json
from nova_ui.chat.history import MAX_LIMIT, MAX_QUERY_CHARS, MAX_TITLE_CHARS, ChatPage, ChatSummary, OpenedChat
from nova_ui.chat.message import MAX_NAME_CHARS, MAX_TEXT_CHARS
from nova_ui.chat.notices import notice_text
from nova_ui.chat.recorder import preview_data
from nova_ui.chat.translating import Translate
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import ConfirmMessage, Message, PreviewId, TextMessage, ToolMessage, TurnRecord
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import AnyTool, ToolKind, ToolOffer
from nova_ui.llm.port import Mode

_ID_CHARS: Final = 64
_NAME_CHARS: Final = 500


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class OwnCall(_Strict):
    """The person's own call from the `/` menu."""

    name: str = Field(min_length=1, max_length=MAX_NAME_CHARS, description="Name of a tool of this assistant.")
    arguments: JsonObject = Field(default={}, description="Its arguments, as its parameter schema says.")


class MessageBody(_Strict):
    """One message: exactly one of `text`, `confirm` and `tool`."""

    chat_id: str | None = Field(
        default=None, max_length=_ID_CHARS, description="A chat to go on with; not with confirm."
    )
    text: str | None = Field(
        default=None, min_length=1, max_length=MAX_TEXT_CHARS, description="What the person wrote."
    )
    confirm: str | None = Field(
        default=None, min_length=1, max_length=_ID_CHARS, description="Id of the preview whose button was pressed."
    )
    object_name: str | None = Field(
        default=None, max_length=_NAME_CHARS, description="What was typed where the card asks for the object's name."
    )
    tool: OwnCall | None = Field(default=None, description="The person's own call.")

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        given = [name for name in ("text", "confirm", "tool") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("exactly one of text, confirm and tool is needed")
        if self.confirm is not None and self.chat_id is not None:
            raise ValueError("confirm goes alone: the preview knows its chat")
        if self.object_name is not None and self.confirm is None:
            raise ValueError("object_name goes with confirm only")
        return self

    @property
    def message(self) -> Message:
        """The message itself."""
        if self.tool is not None:
            return ToolMessage(tool_name=self.tool.name, arguments=self.tool.arguments)
        if self.confirm is not None:
            return ConfirmMessage(preview_id=PreviewId(self.confirm), object_name=self.object_name or "")
        return TextMessage(text=self.text or "")


class TitleBody(_Strict):
    """Another title for a chat."""

    title: str = Field(min_length=1, max_length=MAX_TITLE_CHARS)


class ChatsQuery(BaseModel):
    """Which chats to list; an unknown parameter is refused, never ignored."""

    model_config = ConfigDict(extra="forbid")

    assistant: str | None = Field(default=None, max_length=_ID_CHARS, description="Only chats with this assistant.")
    q: str = Field(default="", max_length=MAX_QUERY_CHARS, description="Text in titles, messages and answers.")
    cursor: str | None = Field(default=None, max_length=500, description="`next_cursor` of the page before.")
    limit: int = Field(default=50, ge=1, le=MAX_LIMIT)


class ClearQuery(BaseModel):
    """Which chats to delete; an unknown parameter is refused, never ignored."""

    model_config = ConfigDict(extra="forbid")

    assistant: str | None = Field(default=None, max_length=_ID_CHARS, description="Only chats with this assistant.")


class AssistantView(BaseModel):
    """An assistant as its users see it; `mode` says where the data goes."""

    key: str
    names: dict[str, str]
    descriptions: dict[str, str]
    starters: dict[str, list[str]]
    mode: Mode


class ToolView(BaseModel):
    """A tool that the identity has with an assistant."""

    name: str
    title: str
    kind: ToolKind
    description: str
    parameters: JsonObject


class ChatView(BaseModel):
    """A chat as lists show it."""

    id: str
    assistant: str
    title: str
    created_at: datetime
    updated_at: datetime


class ChatsView(BaseModel):
    """A page of chats; `hidden` counts own chats whose assistant is no longer available."""

    items: list[ChatView]
    next_cursor: str | None
    total: int
    hidden: int


class OpenedChatView(ChatView):
    """A chat with its turns and cards; `open_preview_id` is the card that can still be confirmed."""

    turns: list[JsonObject]
    previews: list[JsonObject]
    open_preview_id: str | None


class Deleted(BaseModel):
    """How many chats were deleted."""

    deleted: int


def assistant_view(assistant: Assistant, mode: Mode) -> AssistantView:
    """Return an assistant as its users see it: without prompt, list and audience."""
    return AssistantView(
        key=assistant.key,
        names={language.value: text for language, text in assistant.names.items()},
        descriptions={language.value: text for language, text in assistant.descriptions.items()},
        starters={language.value: list(texts) for language, texts in assistant.starters.items()},
        mode=mode,
    )


def tool_view(offer: ToolOffer, translate: Translate) -> ToolView:
    """Return a tool with its parameter schema."""
    tool = offer.tool
    return ToolView(
        name=tool.name,
        title=translate(tool.title),
        kind=tool.kind,
        description=translate(tool.summary),
        parameters=offer.schema,
    )


def chat_view(chat: ChatSummary) -> ChatView:
    """Return a chat as lists show it."""
    return ChatView(
        id=chat.id,
        assistant=chat.assistant_key,
        title=chat.title,
        created_at=chat.created_at,
        updated_at=chat.updated_at,
    )


def chats_view(page: ChatPage) -> ChatsView:
    """Return a page of chats."""
    items = [chat_view(chat) for chat in page.items]
    return ChatsView(items=items, next_cursor=page.next_cursor, total=page.total, hidden=page.hidden)


def opened_view(opened: OpenedChat, tools: Mapping[str, AnyTool], translate: Translate) -> OpenedChatView:
    """Return a chat with its turns and cards."""
    chat = opened.chat
    return OpenedChatView(
        id=chat.id,
        assistant=chat.assistant_key,
        title=chat.title,
        created_at=chat.created_at,
        updated_at=chat.updated_at,
        turns=[_turn_view(turn, translate) for turn in chat.turns],
        previews=[_preview_view(preview, tools, translate) for preview in opened.previews],
        open_preview_id=opened.open_preview_id,
    )


def _turn_view(turn: TurnRecord, translate: Translate) -> JsonObject:
    notices: list[JsonValue] = [
        {"code": notice.code, "text": notice_text(notice, translate)} for notice in turn.notices
    ]
    return {**turn_json(turn), "notices": notices}


def _preview_view(preview: Preview, tools: Mapping[str, AnyTool], translate: Translate) -> JsonObject:
    return {
        **preview_data(preview, tools, translate),
        "turn_id": preview.turn_id,
        "closed": None if preview.closed is None else preview.closed.value,
        "outcome": None if preview.outcome is None else preview.outcome.value,
    }
