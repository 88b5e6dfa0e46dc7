"""Samples of `/ai`: everybody's own chats."""

from collections.abc import Mapping
from typing import Final

from storage.chat.sent_pieces import digest_of, sha256_of
from storage.chat.sent_tables import SentPartRow, SentRequestRow
from storage.chat.tables import ChatRow, PreviewRow, TurnEventRow, TurnRow
from storage.encryption import Encryption
from storage.ids import new_id
from tests.api.site import NOW
from tests.contract.cast import LETTERS
from tests.contract.sample import Sample, Things

_HELPDESK: Final = {"key": "{helpdesk}"}
_CHAT: Final = {"chat_id": "{own_chat}"}
_TURN: Final = {"turn_id": "{own_turn}"}
_REQUEST: Final = {**_TURN, "number": "1"}

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_ai_assistants_ai_assistants_get": Sample(),
    "list_ai_assistant_places_ai_assistants__key__places_get": Sample(path=_HELPDESK),
    "list_ai_tools_ai_assistants__key__tools_get": Sample(path=_HELPDESK),
    "send_message_ai_assistants__key__messages_post": Sample(path=_HELPDESK, body={"text": "hello"}),
    "cancel_preview_ai_previews__preview_id__delete": Sample(path={"preview_id": "{own_preview}"}),
    "follow_turn_ai_turns__turn_id__events_get": Sample(path=_TURN),
    "stop_turn_ai_turns__turn_id__stop_post": Sample(path=_TURN, changes_nothing="the turn has ended already"),
    "list_model_requests_ai_turns__turn_id__requests_get": Sample(path=_TURN),
    "read_model_request_ai_turns__turn_id__requests__number__get": Sample(path=_REQUEST),
    "download_model_request_ai_turns__turn_id__requests__number__body_get": Sample(path=_REQUEST),
    "list_chats_ai_chats_get": Sample(),
    "clear_chats_ai_chats_delete": Sample(),
    "read_chat_ai_chats__chat_id__get": Sample(path=_CHAT),
    "rename_chat_ai_chats__chat_id__patch": Sample(path=_CHAT, body={"title": "Another title"}),
    "delete_chat_ai_chats__chat_id__delete": Sample(path=_CHAT),
    "export_chat_ai_chats__chat_id__export_get": Sample(path=_CHAT),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put a chat with one turn that waits for a confirmation on the stage, for each person."""
    for name in (*LETTERS, "parting"):
        _put_chat(things, name, things.ids[name])


def _put_chat(things: Things, name: str, owner: str) -> None:
    chat = ChatRow(
        id=new_id("cht"), owner_id=owner, assistant_key="helpdesk", title="Hello", created_at=NOW, updated_at=NOW
    )
    turn = TurnRow(
        id=new_id("trn"),
        chat_id=chat.id,
        identity_id=owner,
        assistant_key="helpdesk",
        number=1,
        message={"kind": "text", "text": "hello"},
        state="done",
        heartbeat_at=NOW,
        started_at=NOW,
        finished_at=NOW,
    )
    things.add_own(name, "own_chat", chat)
    things.add_own(name, "own_turn", turn)
    things.also([TurnEventRow(turn_id=turn.id, id=1, name="done"), *_request_of(turn)])
    preview = PreviewRow(
        id=new_id("prv"),
        identity_id=owner,
        assistant_key="helpdesk",
        chat_id=chat.id,
        turn_id=turn.id,
        turn_number=1,
        call_id="call_1",
        tool_name="delete_group",
        canonical="{}",
        digest="0",
        shown={"subject": "Readers"},
        shown_digest="0",
        shown_at=NOW,
    )
    things.add_own(name, "own_preview", preview)


def _request_of(turn: TurnRow) -> tuple[SentPartRow, SentRequestRow]:
    body = b'{"messages": [{"role": "user", "content": "hello"}]}'
    part = SentPartRow(chat_id=turn.chat_id, number=0, digest=digest_of(body), content=body)
    request = SentRequestRow(
        turn_id=turn.id,
        number=1,
        chat_id=turn.chat_id,
        step=1,
        sent_at=NOW,
        profile="built-in",
        wire="builtin",
        model="Built-in assistant",
        mode="built_in",
        host="",
        path="",
        size_bytes=len(body),
        sha256=sha256_of(body),
        parts="0",
        outcome="answered",
    )
    return part, request
