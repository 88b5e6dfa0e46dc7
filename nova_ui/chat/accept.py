"""Accepting a message: one transaction, after which it has happened exactly once (rules C4, C10, C12, D4)."""

import hashlib
import json
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.chat.confirm import check_pressed, close_all, closed_event, consume_pressed, get_pressed, why_closed
from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.chat.message import checked_message, stored_message, title_of, without_stored_secrets
from nova_ui.chat.usable import find_usable
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.chat import Chat, ChatId, ConfirmMessage, Message, TextMessage, Turn, TurnId
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Caller, IdentityId
from nova_ui.domain.preview import CloseReason, Preview
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import NovaConflict, NovaInvalid, NovaNotFound, NovaTooMany
from nova_ui.guardrails.known_secrets import KnownSource, nothing_known
from nova_ui.guardrails.tool_list import released_tools
from storage.chat.audience import GroupsAmong
from storage.chat.chats import ChatTable, fold
from storage.chat.message_rates import MessageRate, count
from storage.chat.previews import PreviewTable
from storage.chat.records import message_to_json
from storage.chat.turn_events import StoredEvent, TurnEventTable
from storage.chat.turns import NewTurn, TurnTable
from storage.database import Database
from storage.ids import new_id

_log: Final = logging.getLogger(__name__)

MAX_KEY_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted:
    """Where a message went."""

    turn_id: TurnId
    chat_id: ChatId


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """A message on its way in; `turn_id` is the turn it gets if it is accepted."""

    caller: Caller
    assistant_key: AssistantKey
    message: Message
    chat_id: ChatId | None
    idempotency_key: str | None
    turn_id: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A message that counts, and what it does to previews.

    `agreed` is the preview to which a typed reply agreed; `consumed` the one whose button was pressed, used up
    already; `voided` the one that this message made void. `released_at_start` are the tools that were on the list when
    the message came (rule B7).
    """

    turn: Turn
    assistant: Assistant
    released_at_start: frozenset[str]
    events: tuple[TurnEvent, ...]
    is_new: bool = False
    agreed: Preview | None = None
    consumed: Preview | None = None
    voided: Preview | None = None


class _AlreadyAccepted(Exception):
    """Takes the transaction back when the same message was accepted before; never leaves this file."""

    def __init__(self, started: TurnStarted) -> None:
        super().__init__()
        self.started = started


class Acceptance:
    """Accepts messages for one worker."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        tools: Mapping[str, AnyTool],
        worker_id: str,
        groups_among: GroupsAmong,
        *,
        rate: MessageRate | None = None,
        known_secrets: KnownSource = nothing_known,
    ) -> None:
        self._database = database
        self._clock = clock
        self._tools = tools
        self._worker_id = worker_id
        self._groups_among = groups_among
        self._rate = rate
        self._known_secrets = known_secrets

    async def accept(self, sending: Sending) -> Accepted | TurnStarted:
        """Accept a message, or find the turn that the same message with the same key started before.

        Raises:
            NovaNotFound: no such assistant, chat or preview for this identity.
            NovaConflict: `turn_running`, `confirmation_invalid` or `idempotency_key_reused`; nothing has happened.
            NovaInvalid: the message is not acceptable.
            NovaTooMany: `too_many_messages`, with how many seconds to wait; nothing has happened, open cards stay open.

        """
        checked = checked_message(sending.message)
        sending = replace(sending, message=without_stored_secrets(checked, await self._known_secrets()))
        if sending.message != checked:  # also how somebody learns that a guess is right, so it must not go unseen
            _log.warning("message.held_stored_secret", extra={"identity": sending.caller.identity.id})
        if sending.idempotency_key is not None and not 0 < len(sending.idempotency_key) <= MAX_KEY_CHARS:
            raise NovaInvalid(f"An Idempotency-Key has 1 to {MAX_KEY_CHARS} characters.", field="Idempotency-Key")
        try:
            async with self._database.transaction() as session:
                return await self._accept(session, sending)
        except _AlreadyAccepted as before:
            return before.started
        except IntegrityError:
            return await self._overtaken(sending)
        except NovaConflict as conflict:
            await self._close_expired(sending, conflict)
            raise

    async def _accept(self, session: AsyncSession, sending: Sending) -> Accepted:
        key, now = sending.assistant_key, self._clock.now()
        usable = await find_usable(session, sending.caller.identity, key, self._groups_among)
        if usable is None:
            raise NovaNotFound("There is no such assistant.")
        assistant, identity = usable
        turns, previews = TurnTable(session), PreviewTable(session)
        number = await turns.count_message(identity.id, key)  # from here on no other message overtakes this one
        await self._find_same(turns, sending)
        await self._count(session, identity.id, now)
        pressed = await self._pressed(previews, sending)
        chat_id = sending.chat_id if pressed is None else pressed.chat_id
        turn = Turn(
            id=sending.turn_id,
            chat_id=await self._chat(session, sending, chat_id, now),
            identity=identity,
            session_id=sending.caller.session_id,
            assistant_key=key,
            number=number,
            message=sending.message,
            started_at=now,
        )
        if pressed is not None:
            check_pressed(pressed, turn, now)  # before the turn is added: a used card says so, also while its turn runs
        await turns.add(self._new(turn, sending))  # fails if the turn before still runs: see `_overtaken`
        if pressed is not None:
            await consume_pressed(previews, pressed, turn, now)
        open_ones = await previews.list_open(identity.id, key)
        closed, agreed = await close_all(previews, open_ones, lambda preview: why_closed(preview, turn, now))
        events = _first_events(turn, closed)
        await TurnEventTable(session).add_all(
            [StoredEvent(turn_id=turn.id, id=one.id, name=one.name.value, data=one.data) for one in events]
        )
        released = released_tools(self._tools, assistant)
        return Accepted(
            turn=turn,
            assistant=assistant,
            released_at_start=released,
            events=events,
            is_new=chat_id is None,
            agreed=agreed,
            consumed=pressed,
            voided=closed[-1] if closed else None,
        )

    async def _find_same(self, turns: TurnTable, sending: Sending) -> None:
        if sending.idempotency_key is None:
            return
        row = await turns.find_by_idempotency_key(sending.caller.identity.id, sending.idempotency_key)
        if row is None:
            return
        if row.request_digest != _digest(sending):
            raise NovaConflict("This Idempotency-Key was used for another message.", code="idempotency_key_reused")
        raise _AlreadyAccepted(TurnStarted(turn_id=TurnId(row.id), chat_id=ChatId(row.chat_id)))

    async def _count(self, session: AsyncSession, identity_id: IdentityId, now: datetime) -> None:
        early_ms = 0 if self._rate is None else await count(session, identity_id, self._rate, now)
        if early_ms:
            wait_s = math.ceil(early_ms / 1000)
            raise NovaTooMany(
                f"Too many messages. Send it again in {wait_s} seconds.",
                code="too_many_messages",
                extra={"retry_after": wait_s},
            )

    async def _pressed(self, previews: PreviewTable, sending: Sending) -> Preview | None:
        if not isinstance(sending.message, ConfirmMessage):
            return None
        owner_id, preview_id = sending.caller.identity.id, sending.message.preview_id
        return await get_pressed(previews, owner_id, sending.assistant_key, preview_id)

    async def _chat(self, session: AsyncSession, sending: Sending, chat_id: ChatId | None, now: datetime) -> ChatId:
        chats, owner_id = ChatTable(session), sending.caller.identity.id
        if chat_id is None:
            chat = Chat(
                id=ChatId(new_id("cht")),
                owner_id=owner_id,
                assistant_key=sending.assistant_key,
                title=title_of(sending.message, self._tools),
                created_at=now,
                updated_at=now,
            )
            await chats.add(owner_id, chat)
            return chat.id
        found = await chats.find(owner_id, chat_id)
        if found is None or found.assistant_key != sending.assistant_key:
            raise NovaNotFound("There is no such chat.")
        await chats.touch(owner_id, chat_id, now)
        return chat_id

    def _new(self, turn: Turn, sending: Sending) -> NewTurn:
        message = stored_message(turn.message)
        words = message.text if isinstance(message, TextMessage) else ""
        return NewTurn(
            turn=turn,
            message=message,
            search_text=fold(words) + "\n",
            idempotency_key=sending.idempotency_key,
            request_digest=_digest(sending),
            worker=self._worker_id,
        )

    async def _overtaken(self, sending: Sending) -> TurnStarted:
        """Find out which unique index said no: the turn before still runs, or another process was quicker."""
        async with self._database.reading() as session:
            turns = TurnTable(session)
            try:
                await self._find_same(turns, sending)
            except _AlreadyAccepted as before:
                return before.started
            running = await turns.find_running(sending.caller.identity.id, sending.assistant_key)
        raise _turn_running(None if running is None else running.id)

    async def _close_expired(self, sending: Sending, conflict: NovaConflict) -> None:
        """Keep that a card has run out of time although the message that met it does not count."""
        if conflict.extra.get("reason") != CloseReason.EXPIRED.value:
            return
        if isinstance(sending.message, ConfirmMessage):
            async with self._database.transaction() as session:
                await PreviewTable(session).close(
                    sending.caller.identity.id, sending.message.preview_id, CloseReason.EXPIRED
                )


def _turn_running(turn_id: str | None) -> NovaConflict:
    return NovaConflict(
        "The answer to the message before is still being written.",
        code="turn_running",
        extra={} if turn_id is None else {"turn_id": turn_id},
    )


def _digest(sending: Sending) -> str:
    """Tell messages apart by what is kept of them: even a digest over a secret would tell who guesses it."""
    body = {
        "assistant": sending.assistant_key,
        "chat_id": sending.chat_id,
        "message": message_to_json(stored_message(sending.message)),
    }
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _first_events(turn: Turn, closed: Sequence[Preview]) -> tuple[TurnEvent, ...]:
    started = TurnEvent(
        id=1,
        name=EventName.TURN,
        data={
            "turn_id": turn.id,
            "chat_id": turn.chat_id,
            "assistant": turn.assistant_key,
            "message_id": f"msg_{turn.id.partition('_')[2]}",
        },
    )
    return (
        started,
        *(
            TurnEvent(id=number, name=EventName.PREVIEW_CLOSED, data=closed_event(preview.id, preview.closed))
            for number, preview in enumerate(closed, start=2)
            if preview.closed is not None
        ),
    )
