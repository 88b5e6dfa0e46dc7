"""`/ai`: assistants, messages with their event streams, own chats; for the interface only, so no tool drives a chat."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from fastapi.responses import StreamingResponse

from nova_ui.api.ai_views import (
    AssistantView,
    ChatsQuery,
    ChatsView,
    ChatView,
    ClearQuery,
    Deleted,
    MessageBody,
    OpenedChatView,
    TitleBody,
    ToolView,
    assistant_view,
    chat_view,
    chats_view,
    opened_view,
    tool_view,
)
from nova_ui.api.caller import refuse_chats, require_context
from nova_ui.api.event_stream import stream_response
from nova_ui.api.marks import Kind, marks
from nova_ui.chat.assistants import Assistants
from nova_ui.chat.engine import Engine
from nova_ui.chat.history import ChatHistory, ExportFormat
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, PreviewId, TurnId
from nova_ui.domain.confirming import needs_confirmation
from nova_ui.errors import NovaInvalid
from nova_ui.guardrails.offer import offered_tools
from nova_ui.guardrails.tool_list import released_tools
from nova_ui.llm.fallback import widest
from nova_ui.nova.ai_places import place_view
from nova_ui.nova.context import RequestContext
from nova_ui.nova.views.ai_places import AiPlaceView

Signed = Annotated[RequestContext, Depends(require_context)]
Key = Annotated[str, Path(max_length=64, description="Key of an assistant.")]
Id = Annotated[str, Path(max_length=64, description="An id that was given out here.")]

_MAX_EVENT_DIGITS: Final = 9
_EVENTS: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "The events of the turn."},
    409: {"description": "turn_running, confirmation_invalid or idempotency_key_reused"},
    429: {"description": "too_many_messages, with `Retry-After`"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AiParts:
    """What the endpoints of `/ai` pass requests on to."""

    live_turns: LiveTurns
    history: ChatHistory
    assistants: Assistants
    engine: Engine


def router_for(parts: AiParts) -> APIRouter:
    """Return the router of `/ai`."""
    router = APIRouter(prefix="/ai", tags=["Chat"], dependencies=[Depends(refuse_chats)])
    _add_assistants(router, parts)
    _add_messages(router, parts)
    _add_turns(router, parts)
    _add_chats(router, parts)
    _add_chat_changes(router, parts)
    return router


def _marks(kind: Kind) -> dict[str, Any]:
    return marks(kind, "*", interface_only=True)


def _add_assistants(router: APIRouter, parts: AiParts) -> None:
    engine = parts.engine

    @router.get("/assistants", openapi_extra=_marks("read"))
    async def list_ai_assistants(context: Signed) -> list[AssistantView]:
        """Return the assistants that this identity may use, in the order set."""
        found = await parts.assistants.visible_to(context.identity)
        return [assistant_view(one, widest(engine.models.places_for(one))) for one in found]

    @router.get("/assistants/{key}/places", openapi_extra=_marks("read"))
    async def list_ai_assistant_places(key: Key, context: Signed) -> list[AiPlaceView]:
        """Return every model that data of chats with the assistant may go to, in the order in which they are asked."""
        assistant = await parts.assistants.get_for(context.identity, AssistantKey(key))
        return [place_view(place) for place in engine.models.places_for(assistant)]

    @router.get("/assistants/{key}/tools", openapi_extra=_marks("read"))
    async def list_ai_tools(key: Key, context: Signed) -> list[ToolView]:
        """Return the tools that this identity has with the assistant."""
        assistant = await parts.assistants.get_for(context.identity, AssistantKey(key))
        offered = offered_tools(
            engine.tools,
            assistant,
            context.identity,
            read_only=False,
            released_at_start=released_tools(engine.tools, assistant),
        )
        translate = engine.translators.for_language(context.identity.language)
        asks = assistant.ask_before_changes
        return [
            tool_view(engine.offers[tool.name, needs_confirmation(tool, every_change=asks)], translate)
            for tool in offered
        ]


def _add_messages(router: APIRouter, parts: AiParts) -> None:
    @router.post(
        "/assistants/{key}/messages",
        openapi_extra=_marks("write"),
        response_class=StreamingResponse,
        responses=_EVENTS,
    )
    async def send_message(
        key: Key,
        sent: MessageBody,
        context: Signed,
        idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
    ) -> StreamingResponse:
        """Send a message and read the answer's events; a line that breaks changes nothing about the turn."""
        started = await parts.live_turns.send(
            context.caller,
            AssistantKey(key),
            sent.message,
            chat_id=None if sent.chat_id is None else ChatId(sent.chat_id),
            idempotency_key=idempotency_key,
        )
        return _stream(parts, context, started.turn_id)

    @router.delete("/previews/{preview_id}", status_code=204, openapi_extra=_marks("destructive"))
    async def cancel_preview(preview_id: Id, context: Signed) -> None:
        """Cancel on the card: the preview can no longer be confirmed."""
        await parts.live_turns.cancel_preview(context.identity.id, PreviewId(preview_id))


def _add_turns(router: APIRouter, parts: AiParts) -> None:
    @router.get(
        "/turns/{turn_id}/events",
        openapi_extra=_marks("read"),
        response_class=StreamingResponse,
        responses={200: _EVENTS[200]},
    )
    async def follow_turn(
        turn_id: Id,
        context: Signed,
        after: Annotated[int, Query(ge=0, lt=10**_MAX_EVENT_DIGITS)] = 0,
        last_event_id: Annotated[str | None, Header(description="Wins over `after`.")] = None,
    ) -> StreamingResponse:
        """Read the events of a turn again, from where the line broke."""
        await parts.live_turns.check_usable(context.identity, TurnId(turn_id))
        seen = after if last_event_id is None else _event_id(last_event_id)
        return _stream(parts, context, TurnId(turn_id), after=seen)

    @router.post("/turns/{turn_id}/stop", status_code=204, openapi_extra=_marks("write"))
    async def stop_turn(turn_id: Id, context: Signed) -> None:
        """Stop a running turn; what was written stays."""
        await parts.live_turns.stop(context.identity.id, TurnId(turn_id))


def _stream(parts: AiParts, context: RequestContext, turn_id: TurnId, *, after: int = 0) -> StreamingResponse:
    async def is_signed_in() -> bool:
        return await parts.engine.identity_of(context.caller.session_id) is not None

    return stream_response(parts.live_turns.follow(context.identity.id, turn_id, after=after), is_signed_in)


def _add_chats(router: APIRouter, parts: AiParts) -> None:
    history, engine = parts.history, parts.engine

    @router.get("/chats", openapi_extra=_marks("read"))
    async def list_chats(query: Annotated[ChatsQuery, Query()], context: Signed) -> ChatsView:
        """Return own chats, newest first."""
        assistant = None if query.assistant is None else AssistantKey(query.assistant)
        page = await history.list_chats(
            context.identity, assistant=assistant, q=query.q, cursor=query.cursor, limit=query.limit
        )
        return chats_view(page)

    @router.get("/chats/{chat_id}", openapi_extra=_marks("read"))
    async def read_chat(chat_id: Id, context: Signed) -> OpenedChatView:
        """Return one own chat with its messages, steps and cards."""
        opened = await history.get_chat(context.identity, ChatId(chat_id))
        return opened_view(opened, engine.tools, engine.translators.for_language(context.identity.language))

    @router.get("/chats/{chat_id}/export", openapi_extra=_marks("read"), response_class=Response)
    async def export_chat(
        chat_id: Id,
        context: Signed,
        wanted: Annotated[Literal["md", "json"], Query(alias="format")] = "md",
    ) -> Response:
        """Download one own chat."""
        written = await history.export(context.identity, ChatId(chat_id), ExportFormat(wanted))
        disposition = f'attachment; filename="{written.file_name}"'
        return Response(written.content, media_type=written.media_type, headers={"Content-Disposition": disposition})


def _add_chat_changes(router: APIRouter, parts: AiParts) -> None:
    history = parts.history

    @router.patch("/chats/{chat_id}", openapi_extra=_marks("write"))
    async def rename_chat(chat_id: Id, body: TitleBody, context: Signed) -> ChatView:
        """Give a chat another title."""
        return chat_view(await history.rename(context.identity, ChatId(chat_id), body.title))

    @router.delete("/chats/{chat_id}", status_code=204, openapi_extra=_marks("destructive"))
    async def delete_chat(chat_id: Id, context: Signed) -> None:
        """Delete one own chat for good."""
        await history.delete(context.identity, ChatId(chat_id))

    @router.delete("/chats", openapi_extra=_marks("destructive"))
    async def clear_chats(query: Annotated[ClearQuery, Query()], context: Signed) -> Deleted:
        """Clear all: delete own chats for good."""
        assistant = None if query.assistant is None else AssistantKey(query.assistant)
        return Deleted(deleted=await history.clear_all(context.identity, assistant))


def _event_id(header: str) -> int:
    if not (header.isascii() and header.isdecimal() and len(header) <= _MAX_EVENT_DIGITS):
        raise NovaInvalid("Last-Event-ID is none that was given out here.", field="Last-Event-ID")
    return int(header)
