"""What happens in an example, done to the product and told to the reference, and what must hold afterwards."""

import json
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from datetime import timedelta
from typing import Any, Final

import httpx
from sqlalchemy import text as sql
from sqlmodel import col, select

from nova_ui.llm.port import ModelRequest, ResultMessage
from storage.chat.assistants import AssistantStore
from storage.ids import new_id
from storage.nova.tables import AuditEntryRow, IdentityRow
from tests.api.site import NOW
from tests.exploration import machine_people as people
from tests.exploration.machine_site import Answer, Deed, the_site
from tests.exploration.machine_watch import Watch
from tests.exploration.reference import DESTRUCTIVE, MODEL_CALLS, READ, WRITE, Call, Card, Turn

_AGREEING: Final = frozenset({"yes", "ja", "Ja, löschen!"})
_NEW_ROWS: Final = (
    "SELECT rowid, data FROM turn_events WHERE rowid > :last",
    "SELECT rowid, message || steps || notices || search_text FROM turns WHERE rowid > :last",
    "SELECT rowid, arguments || canonical || shown FROM previews WHERE rowid > :last",
    "SELECT seq, details FROM audit_entries WHERE seq > :last",
    "SELECT rowid, title FROM chats WHERE rowid > :last",
)


class Day:
    """One example's people and things, in the product and in the reference."""

    def __init__(self) -> None:
        self.site = the_site()
        self.reference = people.referred()
        self.watch = Watch(self.reference)
        self._sessions: dict[str, str] = {}
        self._chats: dict[tuple[str, str], str] = {}
        self._seen = dict.fromkeys(_NEW_ROWS, 0)
        self._last_entry = 0
        self._stack = ExitStack()
        self._has_changed = False  # since the last look for an offer
        self._asks_no_model = False
        self._renamed = 0

    def run(self, doing: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 - whatever it gives
        return self.site.runner.run(doing)

    def begin(self) -> None:
        self._stack.enter_context(self.site.example(self.watch))
        self.site.clock.moment = NOW
        self.site.model.on_request = self._on_request
        self.run(self._fill())

    async def _fill(self) -> None:
        async with self.site.database.transaction() as session:
            session.add_all(people.rows())
            await session.flush()
            for name, spare in people.SPARE.items():
                session.add(people.session(people.IDENTITY[name], spare))
            for assistant in people.assistants():
                await AssistantStore(session).save(assistant, NOW)
        for name in people.IDENTITY:
            await self._sign_in(name)

    async def _sign_in(self, name: str) -> None:
        self._sessions[name] = new_id("ses")
        async with self.site.database.transaction() as session:
            session.add(people.session(people.IDENTITY[name], self._sessions[name]))

    def end(self) -> None:
        self._stack.close()

    def newest_card(self) -> Card | None:
        return next(reversed(self.reference.cards.values()), None)

    def known(self, call: Call, words: str) -> tuple[str, str]:
        """Tell the gate's watch what these words mean."""
        self.site.meanings[f"{call.name} {words}"] = call
        return call.name, words

    def deed(self, deed: tuple[str, str, str]) -> Deed:
        async def do() -> None:
            turn = self.watch.turn
            assert turn is not None
            await self.do(deed, turn.person, turn.assistant)

        return do

    def script(self, answers: list[Answer], *, is_endless: bool) -> None:
        self.site.model.answers = answers
        self.site.model.is_endless = is_endless

    async def do(self, deed: tuple[str, str, str], person: str, assistant: str) -> None:
        """Let something happen elsewhere, perhaps in the middle of a turn."""
        kind, tool, group = deed
        who, where = self.reference.persons[person], self.reference.assistants[assistant]
        self._has_changed = self._has_changed or kind != "nothing"
        match kind:
            case "end session" if who.is_signed_in:
                who.is_signed_in = False
                self.reference.versions[people.SPARE[person]] += 1
                await self._as_ops(f"DELETE /identities/{people.IDENTITY[person]}/sessions")
            case "withdraw" if who.roles:
                who.roles.clear()
                await self._set_roles(person)
            case "take off" | "put on" if where.tools is not None:
                (where.tools.discard if kind == "take off" else where.tools.add)(tool)
                async with self.site.database.transaction() as session:
                    await AssistantStore(session).save(
                        people.stored_assistant(assistant, where.tools), self.site.clock.now()
                    )
            case "rename":
                self._renamed += 1
                self.reference.versions[group] += 1
                self.watch.last_update.pop(group, None)
                await self._as_ops(f"PATCH /groups/{group}", {"description": f"renamed {self._renamed}"})
            case "clock":
                self.move_clock(300_000)
            case "tab" if self.watch.turn is not None:
                answer = await self._as(person, f"POST /ai/assistants/{assistant}/messages", {"text": "yes"})
                if answer.status_code == httpx.codes.OK:
                    self.watch.broken.append("two turns of one person and assistant ran at once")
            case "stop" if self.watch.turn is not None:
                for turn_id in tuple(self.site.live_turns._live):
                    await self._as(person, f"POST /ai/turns/{turn_id}/stop")

    def say(self, person: str, assistant: str, text: str, *, anew: bool) -> None:
        chat_id = None if anew else self._chats.get((person, assistant))
        body = {"text": text} | ({"chat_id": chat_id} if chat_id else {})
        accept = lambda: self.reference.accept(person, assistant, agrees=text in _AGREEING)  # noqa: E731
        self.run(self._send(person, assistant, body, accept))

    def use(self, person: str, assistant: str, call: Call) -> None:
        """Call a tool from the `/` menu; flaws that the message itself is refused for are left to other tests."""
        plain = Call(call.name, call.arguments, call.about, call.confirmed)
        arguments = dict(plain.arguments) | ({"confirmed": True} if plain.confirmed else {})
        self.known(plain, json.dumps(arguments, ensure_ascii=False))
        body = {"tool": {"name": plain.name, "arguments": arguments}}
        self.run(self._send(person, assistant, body, lambda: self.reference.accept(person, assistant), is_own=True))

    def press(self, person: str, assistant: str, card: Card, name: str) -> None:
        body = {"confirm": card.id} | ({"object_name": name} if name else {})
        press = lambda: self.reference.press(person, assistant, card.id, name)  # noqa: E731
        self.run(self._send(person, assistant, body, press, is_own=card.by_person))

    async def _send(self, person: str, assistant: str, body: object, accept: Any, *, is_own: bool = False) -> None:  # noqa: ANN401
        expected: Turn | str
        if not self.reference.persons[person].is_signed_in:
            expected = "session_ended"
        elif not self.reference.exists_for(person, assistant):
            expected = "not_found"
        else:
            expected = accept()
        self.watch.turn = expected if isinstance(expected, Turn) else None
        self._has_changed, self._asks_no_model = False, is_own
        answer = await self._as(person, f"POST /ai/assistants/{assistant}/messages", body)
        await self.site.settle()
        self._leaves(answer.text)
        if isinstance(expected, str):
            if answer.status_code == httpx.codes.OK or answer.json()["code"] != expected:
                self.watch.broken.append(f"{body} gave {answer.text[:300]}; right is {expected}")
            self.watch.count(f"message: {expected}")
            return
        self.watch.count("message: accepted")
        if expected.agreed is not None:
            expected.agreed.is_open = False
        self.watch.turn = None
        if answer.status_code != httpx.codes.OK:
            self.watch.broken.append(f"{body} was refused: {answer.text[:300]}")
            return
        begun = next(line for line in answer.text.split("\n") if line.startswith("data: "))
        self._chats[person, assistant] = json.loads(begun.removeprefix("data: "))["chat_id"]
        if "event: error" in answer.text:
            self.watch.broken.append(f"the turn failed: {answer.text[-300:]}")
        if expected.destructive > 1 or expected.previews > 1:
            self.watch.broken.append("more than one destructive action in a turn (C9)")

    def cancel(self, person: str, card: Card) -> None:
        answer = self.run(self._as(person, f"DELETE /ai/previews/{card.id}"))
        is_theirs = self.reference.persons[person].is_signed_in and person == card.owner and not card.is_deleted
        if is_theirs:
            card.is_open = False
        if answer.is_success != is_theirs:
            self.watch.broken.append(f"cancelling gave {answer.status_code}")

    def move_clock(self, by_ms: int) -> None:
        self.reference.now_ms += by_ms
        self.site.clock.moment += timedelta(milliseconds=by_ms)

    def mend(self, person: str) -> None:
        """Sign somebody in again, give back what was withdrawn, and fill the lists."""
        who = self.reference.persons[person]
        who.roles |= people.ROLES[person]
        self.run(self._set_roles(person))
        if not who.is_signed_in:
            who.is_signed_in = True
            self.run(self._sign_in(person))
        for key in ("helpdesk", "strict"):
            self.reference.assistants[key].tools = set(people.LISTED)
            self.run(self.do(("put on", "list_groups", ""), person, key))

    def delete_chats(self, person: str) -> None:
        if not self.reference.persons[person].is_signed_in:
            return
        answer = self.run(self._as(person, "DELETE /ai/chats"))
        assert answer.is_success, answer.text
        for card in self.reference.cards.values():
            if card.owner == person:
                card.is_open, card.is_deleted = False, True
        self._chats = {key: chat for key, chat in self._chats.items() if key[0] != person}

    async def _set_roles(self, person: str) -> None:
        async with self.site.database.transaction() as session:
            row = await session.get(IdentityRow, people.IDENTITY[person])
            assert row is not None
            row.nova_roles = sorted(self.reference.persons[person].roles)
            session.add(row)

    async def _as(self, person: str, endpoint: str, body: object = None) -> httpx.Response:
        return await self.site.call(self._sessions[person], endpoint, body)

    async def _as_ops(self, endpoint: str, body: object = None) -> None:
        answer = await self._as("ops", endpoint, body)
        assert answer.is_success or answer.status_code == httpx.codes.NOT_FOUND, answer.text

    def _on_request(self, request: ModelRequest) -> None:
        """A3, C8, D3, E1: what the model is sent."""
        turn = self.watch.turn
        if turn is None or self._asks_no_model:
            self.watch.broken.append("a model was asked that nobody may ask")
            return
        turn.model_calls += 1
        if turn.model_calls > MODEL_CALLS or (turn.model_calls == MODEL_CALLS and not request.words_only):
            self.watch.broken.append(f"request {turn.model_calls} to the model (E1)")
        results = [one.content for one in request.messages if isinstance(one, ResultMessage)]
        self._leaves(*results, *(repr(one) for one in request.messages if not isinstance(one, ResultMessage)))
        if self._has_changed:
            return
        for tool in {one.tool.name for one in request.tools} & (READ | WRITE | DESTRUCTIVE):
            noes = self.reference._noes(turn, Call(tool, {})) & {"not_permitted", "not_released", "read_only_reply"}
            if noes and tool != "create_export":
                self.watch.broken.append(f"{tool} was offered though {sorted(noes)}")

    def _leaves(self, *texts: str) -> None:
        for text in texts:
            for canary in people.CANARIES:
                if canary in text:
                    at = text.index(canary)
                    self.watch.broken.append(f"a secret left: …{text[max(0, at - 150) : at + 60]} (D3, D4)")

    def check(self) -> None:
        """Hold everything that is new against the rules.

        Raises:
            AssertionError: one did not hold.

        """
        self.watch.count("steps")
        self.run(self._read_new())
        assert not self.watch.broken, self.watch.broken[0]

    async def _read_new(self) -> None:
        async with self.site.database.asking() as connection:
            for query, last in self._seen.items():
                found: Sequence[Any] = (await connection.execute(sql(query), {"last": last})).all()
                self._leaves(*(str(row[1]) for row in found))
                self._seen[query] = max([last, *(row[0] for row in found)])
        async with self.site.database.reading() as session:
            newer = select(AuditEntryRow.seq, AuditEntryRow.action, AuditEntryRow.via)
            rows = (await session.exec(newer.where(col(AuditEntryRow.seq) > self._last_entry))).all()
        for seq, action, via in rows:
            assert seq is not None
            self._last_entry = max(self._last_entry, seq)
            assistant = self.watch.by_chat.get(seq)
            if via != (None if assistant is None else f"ai_chat:{assistant}"):
                self.watch.broken.append(f"{action} bears {via}, and was done by {assistant or 'the interface'} (F1)")
            self.watch.count("entries by a chat" if assistant else "entries by the interface")
