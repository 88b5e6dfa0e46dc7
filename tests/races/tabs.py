"""A tab that talks to one server and hears as much of an answer as arrives."""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import httpx
from pydantic import JsonValue

from tests.fakes.running_server import DEMO_PASSWORD
from tests.journeys.person import API, Event, JsonObject, Person, read_events
from tests.races.site import ADMINISTRATOR

PATIENCE_S: Final = 90.0


@dataclass(slots=True)
class Answered:
    """What came of one message: nothing at all, a problem object, or events, whole or cut."""

    status: int = 0
    events: list[Event] = field(default_factory=list)
    problem: JsonObject = field(default_factory=dict)

    def all(self, name: str) -> list[JsonObject]:
        return [event.data for event in self.events if event.name == name]

    @property
    def code(self) -> str:
        return str(self.problem.get("code", ""))

    @property
    def turn_id(self) -> str:
        """The turn that the message became; empty if nothing says that it was accepted."""
        return str(self.all("turn")[0]["turn_id"]) if self.all("turn") else ""

    @property
    def chat_id(self) -> str:
        return str(self.all("turn")[0]["chat_id"]) if self.all("turn") else ""

    @property
    def is_whole(self) -> bool:
        return bool(self.events) and self.events[-1].name in {"done", "error"}


class Tab:
    """A tab at one server, in the session of `person`, or in one of its own once it has signed in."""

    def __init__(self, url: str, person: Person | None = None) -> None:
        self.client = httpx.AsyncClient(base_url=url, timeout=PATIENCE_S, limits=httpx.Limits(max_connections=200))
        if person is not None:
            self.client.cookies = person.client.cookies
            self.client.headers["X-CSRF-Token"] = person.client.headers["X-CSRF-Token"]

    async def sign_in(self, login: str = ADMINISTRATOR) -> None:
        answer = await self.client.post(f"{API}/session", json={"login": login, "password": DEMO_PASSWORD})
        assert answer.status_code == 200, answer.text
        self.client.headers["X-CSRF-Token"] = answer.json()["csrf_token"]

    async def send(self, assistant: str, body: dict[str, JsonValue], heard: Answered | None = None) -> Answered:
        """Send a message and fill `heard`; a line that breaks leaves what was heard until then."""
        heard = Answered() if heard is None else heard
        with suppress(httpx.TransportError):
            async with self.client.stream("POST", f"{API}/ai/assistants/{assistant}/messages", json=body) as answer:
                heard.status = answer.status_code
                await _listen(answer, heard)
        return heard

    async def close(self) -> None:
        await self.client.aclose()


async def _listen(answer: httpx.Response, heard: Answered) -> None:
    if answer.status_code != 200:
        heard.problem = json.loads(await answer.aread())
        return
    waiting = ""
    async for text in answer.aiter_text():
        *whole, waiting = (waiting + text).split("\n\n")
        heard.events += read_events("\n\n".join(whole))
