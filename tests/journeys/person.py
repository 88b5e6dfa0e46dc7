"""Somebody who uses the chat over HTTP, as a script would: real requests, real event streams."""

import json
from dataclasses import dataclass, field
from typing import Self

import httpx
from pydantic import JsonValue

from nova_ui.nova.sample_organisation import sample_id

JsonObject = dict[str, JsonValue]
API = "/api/v1"
_WAIT_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of a stream."""

    id: int
    name: str
    data: JsonObject


@dataclass(frozen=True, slots=True)
class Heard:
    """All events of one turn."""

    events: list[Event] = field(default_factory=list)

    def all(self, name: str) -> list[JsonObject]:
        return [event.data for event in self.events if event.name == name]

    def one(self, name: str) -> JsonObject:
        found = self.all(name)
        assert len(found) == 1, f"{len(found)} × {name} in {self.events}"
        return found[0]

    @property
    def turn_id(self) -> str:
        return str(self.one("turn")["turn_id"])

    @property
    def chat_id(self) -> str:
        return str(self.one("turn")["chat_id"])

    @property
    def text(self) -> str:
        return "".join(str(data["delta"]) for data in self.all("text"))

    @property
    def outcomes(self) -> list[tuple[str, str | None]]:
        """Status and code of each tool result, in order."""
        return [(str(data["status"]), _text_or_none(data.get("code"))) for data in self.all("tool_result")]

    @property
    def contents(self) -> list[str]:
        return [str(data["content"]) for data in self.all("tool_result")]

    @property
    def preview_id(self) -> str:
        return str(self.one("preview")["preview_id"])

    @property
    def notices(self) -> list[str]:
        return [str(data["code"]) for data in self.all("notice")]


class Person:
    """An identity with its own session and CSRF token."""

    def __init__(self, url: str, login: str, password: str) -> None:
        self.client = httpx.Client(base_url=url, timeout=_WAIT_S)
        answer = self.client.post(f"{API}/session", json={"login": login, "password": password})
        assert answer.status_code == 200, answer.text
        self.client.headers["X-CSRF-Token"] = answer.json()["csrf_token"]
        self.id = str(answer.json()["identity"]["id"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def get(self, path: str, **query: str | int) -> JsonObject:
        answer = self.client.get(f"{API}{path}", params=query)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        body: JsonObject = answer.json()
        return body

    def items(self, path: str, **query: str | int) -> list[JsonObject]:
        answer = self.client.get(f"{API}{path}", params=query)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        body = answer.json()
        items = body if isinstance(body, list) else body["items"]
        return [item for item in items if isinstance(item, dict)]

    def request(self, method: str, path: str, body: JsonValue = None, **headers: str) -> httpx.Response:
        return self.client.request(method, f"{API}{path}", json=body, headers=headers)

    def post_message(self, assistant: str, body: JsonValue, **headers: str) -> httpx.Response:
        """Send any body at all; the answer is read whole."""
        return self.client.post(f"{API}/ai/assistants/{assistant}/messages", json=body, headers=headers)

    def say(self, assistant: str, text: str, *, chat_id: str | None = None) -> Heard:
        body: JsonObject = {"text": text} if chat_id is None else {"text": text, "chat_id": chat_id}
        return heard(self.post_message(assistant, body))

    def confirm(self, assistant: str, preview_id: str) -> Heard:
        return heard(self.post_message(assistant, {"confirm": preview_id}))

    def use(self, assistant: str, tool: str, **arguments: JsonValue) -> Heard:
        """Make an own call, as from the `/` menu."""
        return heard(self.post_message(assistant, {"tool": {"name": tool, "arguments": arguments}}))

    def follow(self, turn_id: str, *, after: int = 0) -> Heard:
        return heard(self.client.get(f"{API}/ai/turns/{turn_id}/events", params={"after": after}))

    def make_group(self, name: str) -> str:
        """Make a group in the interface; return its id."""
        answer = self.request("POST", "/groups", {"display_name": name})
        assert answer.status_code in {200, 201}, answer.text
        return str(answer.json()["id"])

    def has_group(self, group_id: str) -> bool:
        status = self.client.get(f"{API}/groups/{group_id}").status_code
        assert status in {200, 404}
        return status == 200


def heard(answer: httpx.Response) -> Heard:
    """Read an event stream to its end."""
    assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
    assert answer.headers["content-type"].startswith("text/event-stream")
    return Heard(read_events(answer.text))


def read_events(text: str) -> list[Event]:
    events = []
    for block in text.split("\n\n"):
        # Not splitlines(): it also cuts at U+2028, which JSON may hold.
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if not lines:
            continue
        fields = dict(line.split(": ", 1) for line in lines)
        # What ends a stream whose events can't be stored has no id.
        events.append(Event(id=int(fields.get("id", 0)), name=fields["event"], data=json.loads(fields["data"])))
    return events


def problem(answer: httpx.Response) -> tuple[int, str]:
    """Return status and code of a problem object."""
    assert answer.headers["content-type"].startswith("application/problem+json"), answer.text
    body = answer.json()
    assert {"type", "title", "status", "code", "detail"} <= set(body)
    assert body["status"] == answer.status_code
    return answer.status_code, str(body["code"])


def order(tool: str, /, **arguments: JsonValue) -> str:
    """Return an order for the scripted model."""
    return f"!call {tool} {json.dumps(arguments)}"


def identity(name: str) -> str:
    return sample_id("idn", name)


def group(name: str) -> str:
    return sample_id("grp", name)


def _text_or_none(value: JsonValue) -> str | None:
    return None if value is None else str(value)
