"""What happens in an example, done to the product and told to the reference, and what must hold afterwards."""

import json
from collections.abc import Coroutine
from contextlib import ExitStack
from datetime import timedelta
from typing import Any, Final

import httpx

from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.ids import new_id
from storage.nova.tables import IdentityRow
from tests.api.site import NOW
from tests.exploration import machine_people as people
from tests.exploration.machine_looks import Looks
from tests.exploration.machine_model import REQUEST_TOKENS, Answer, Deed
from tests.exploration.machine_site import Site
from tests.exploration.machine_watch import Watch
from tests.exploration.reference import Call, Card, Turn

_AGREEING: Final = frozenset({"yes", "ja", "Ja, löschen!"})
DeedWords = tuple[str, str, str, int]  # what, with which tool, with which group, in which application


class Day:
    """One example's people and things, in the product and in the reference; `app` is where they act next."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.reference = people.referred()
        self.watch = Watch(self.reference)
        self.looks = Looks(self.watch, site.examples)
        self.app = 0
        self._sessions = dict(people.SESSION)
        self._chats: dict[tuple[str, str], str] = {}
        self._stack = ExitStack()
        self._renamed = 0

    def run(self, doing: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 - whatever it gives
        return self.site.runner.run(doing)

    def begin(self) -> None:
        self._stack.enter_context(self.site.example(self.watch, _fill))
        self.site.clock.moment = NOW
        self.site.model.on_request = self.looks.on_request

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

    def deed(self, deed: DeedWords) -> Deed:
        async def do() -> None:
            turn = self.watch.turn
            assert turn is not None
            await self.do(deed, turn.person, turn.assistant)

        return do

    def script(self, answers: list[Answer], *, is_endless: bool) -> None:
        self.site.model.answers = answers
        self.site.model.is_endless = is_endless

    async def do(self, deed: DeedWords, person: str, assistant: str) -> None:
        """Let something happen elsewhere, perhaps in the middle of a turn."""
        kind, tool, group, app = deed
        who, where = self.reference.persons[person], self.reference.assistants[assistant]
        self.looks.has_changed = self.looks.has_changed or kind != "nothing"
        match kind:
            case "end session" if who.is_signed_in:
                who.is_signed_in = False
                self.reference.versions[people.SPARE[person]] += 1
                await self._as_ops(app, f"DELETE /identities/{people.IDENTITY[person]}/sessions")
            case "withdraw" if who.roles:
                who.roles.clear()
                await self._set_roles(person)
            case "take off" | "put on" if where.tools is not None:
                (where.tools.discard if kind == "take off" else where.tools.add)(tool)
                await self._set_tools(assistant)
            case "rename":
                self._renamed += 1
                if await self._as_ops(app, f"PATCH /groups/{group}", {"description": f"renamed {self._renamed}"}):
                    self.reference.versions[group] += 1
                    self.watch.last_update.pop(group, None)
            case "budget":
                who.requests_left = people.GROUPS.index(group)
                await self._set_budgets(app)
            case "clock":
                self.move_clock(300_000)
            case _ if self.watch.turn is not None:
                await self._do_in_turn(kind, app, person, assistant)
            case _:
                pass

    async def _do_in_turn(self, kind: str, app: int, person: str, assistant: str) -> None:
        match kind:
            case "tab":
                answer = await self._as(person, f"POST /ai/assistants/{assistant}/messages", {"text": "yes"}, app=app)
                if answer.status_code == httpx.codes.OK:
                    self.watch.broken.append("two turns of one person and assistant ran at once")
            case "stop":
                for turn_id in tuple(self.site.apps[self.app].live_turns._live):
                    await self._as(person, f"POST /ai/turns/{turn_id}/stop", app=app)
            case _:
                pass

    def say(self, person: str, assistant: str, text: str, *, anew: bool) -> None:
        chat_id = None if anew else self._chats.get((person, assistant))
        body = {"text": text} | ({"chat_id": chat_id} if chat_id else {})
        accept = lambda: self.reference.accept(person, assistant, agrees=text in _AGREEING)  # noqa: E731
        self.run(self._send(person, assistant, body, accept))

    def use(self, person: str, assistant: str, call: Call) -> None:
        """Call a tool from the `/` menu; flaws that the message itself is refused for are left to other tests."""
        plain = Call(call.name, call.arguments, call.about, call.confirmed)
        arguments = dict(plain.arguments) | ({"confirmed": True} if plain.confirmed else {})
        whole = {key: int(value) if isinstance(value, float) else value for key, value in arguments.items()}
        for same in (arguments, whole):  # on its way through the API 25.0 becomes 25
            self.known(plain, json.dumps(same, ensure_ascii=False))
        body = {"tool": {"name": plain.name, "arguments": arguments}}
        self.run(self._send(person, assistant, body, lambda: self.reference.accept(person, assistant), is_own=True))

    def press(self, person: str, assistant: str, card: Card, name: str) -> None:
        body = {"confirm": card.id} | ({"object_name": name} if name else {})
        press = lambda: self.reference.press(person, assistant, card.id, name)  # noqa: E731
        self.run(self._send(person, assistant, body, press, is_own=card.by_person))

    async def _send(self, person: str, assistant: str, body: object, accept: Any, *, is_own: bool = False) -> None:  # noqa: ANN401
        expected: Turn | str
        has_budget = self.reference.persons[person].requests_left != 0
        if not self.reference.persons[person].is_signed_in:
            expected = "session_ended"
        elif not self.reference.exists_for(person, assistant):
            expected = "not_found"
        else:
            expected = accept()
        self.watch.turn = expected if isinstance(expected, Turn) else None
        self.looks.has_changed, self.looks.asks_no_model = False, is_own
        answer = await self._as(person, f"POST /ai/assistants/{assistant}/messages", body)
        await self.site.settle()
        self.looks.leaves(answer.text)
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
        if expected.pressed is None and (expected.model_calls > 0) is not (has_budget and not is_own):
            self.watch.broken.append(f"{expected.model_calls} requests went to the model (E6)")
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

    def is_out_of_order(self) -> bool:
        """Whether somebody lacks what everybody began with."""
        people_now, assistants = self.reference.persons.items(), self.reference.assistants.values()
        return any(
            who.roles != people.ROLES[name] or not who.is_signed_in or who.requests_left is not None
            for name, who in people_now
        ) or any(one.tools is not None and one.tools != people.LISTED for one in assistants)

    def mend(self) -> None:
        """Sign everybody in again, give back what was withdrawn, fill the lists, and lift the budgets."""
        for name, who in self.reference.persons.items():
            if who.roles != people.ROLES[name]:
                who.roles |= people.ROLES[name]
                self.run(self._set_roles(name))
            if not who.is_signed_in:
                who.is_signed_in = True
                self.run(self._sign_in(name))
        for key, assistant in self.reference.assistants.items():
            if assistant.tools is not None and assistant.tools != people.LISTED:
                assistant.tools = set(people.LISTED)
                self.run(self._set_tools(key))
        if any(who.requests_left is not None for who in self.reference.persons.values()):
            for who in self.reference.persons.values():
                who.requests_left = None
            self.run(self._set_budgets(self.app))

    def delete_chats(self, person: str) -> None:
        if not self.reference.persons[person].is_signed_in:
            return
        answer = self.run(self._as(person, "DELETE /ai/chats"))
        assert answer.is_success, answer.text
        for card in self.reference.cards.values():
            if card.owner == person:
                card.is_open, card.is_deleted = False, True
        self.looks.forget()
        self._chats = {key: chat for key, chat in self._chats.items() if key[0] != person}

    async def _set_roles(self, person: str) -> None:
        async with self.site.database.transaction() as session:
            row = await session.get(IdentityRow, people.IDENTITY[person])
            assert row is not None
            row.nova_roles = sorted(self.reference.persons[person].roles)
            session.add(row)

    async def _set_tools(self, key: str) -> None:
        tools = self.reference.assistants[key].tools
        assert tools is not None
        async with self.site.database.transaction() as session:
            await AssistantStore(session).save(people.stored_assistant(key, tools), self.site.clock.now())

    async def _set_budgets(self, app: int) -> None:
        limits = [
            {"holder": "identity", "holder_id": people.IDENTITY[name], "period": "month",
             "tokens": max(0, (self.looks.requests[name] + who.requests_left) * REQUEST_TOKENS - REQUEST_TOKENS // 2)}
            for name, who in self.reference.persons.items() if who.requests_left is not None
        ]  # fmt: skip
        await self._as_ops(app, "PUT /administration/ai-budget", {"limits": limits})

    async def _as(self, person: str, endpoint: str, body: object = None, *, app: int | None = None) -> httpx.Response:
        return await self.site.call(self.app if app is None else app, self._sessions[person], endpoint, body)

    async def _as_ops(self, app: int, endpoint: str, body: object = None) -> bool:
        """Say whether it was done, and not too late for it: what it is about may be gone."""
        answer = await self._as("ops", endpoint, body, app=app)
        assert answer.is_success or answer.status_code == httpx.codes.NOT_FOUND, answer.text
        return answer.is_success


async def _fill(database: Database) -> None:
    async with database.transaction() as session:
        session.add_all(people.rows())
        await session.flush()
        for name, spare in people.SPARE.items():
            session.add(people.session(people.IDENTITY[name], spare))
        for name, own in people.SESSION.items():
            session.add(people.session(people.IDENTITY[name], own))
        for assistant in people.assistants():
            await AssistantStore(session).save(assistant, NOW)
