"""What came back from a message: the events of its turn, or the problem that refused it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import httpx

from nova_ui.domain.json_value import JsonObject, JsonValue

_DATA: Final = "data: "
_EVENT: Final = "event: "


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSeen:
    """A call and what became of it: `status` is `ok`, `refused` or `error`, `code` why it did not run."""

    name: str
    status: str
    code: str
    content: str

    @property
    def ran(self) -> bool:
        """Whether the call was carried out."""
        return self.status == "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card that waits to be confirmed."""

    id: str
    name_to_type: str | None
    current_state: JsonValue
    details: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A message's answer; `code` is the problem's where it was not accepted, `raw` every byte of it."""

    accepted: bool
    code: str = ""
    raw: str = ""
    problem: JsonObject = field(default_factory=dict)
    chat_id: str = ""
    turn_id: str = ""
    text: str = ""
    calls: tuple[CallSeen, ...] = ()
    cards: tuple[Card, ...] = ()
    notices: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()

    @property
    def ran(self) -> tuple[str, ...]:
        """The tools that were carried out."""
        return tuple(call.name for call in self.calls if call.ran)

    @property
    def why(self) -> str:
        """In a word why nothing ran: the problem's code, else the first refusal's."""
        return self.code or next((call.code for call in self.calls if call.code), "")


def heard(answer: httpx.Response) -> Heard:
    """Read the answer to a message."""
    if not answer.is_success:
        problem = _object(answer.text)
        code, reason = str(problem.get("code", answer.status_code)), problem.get("reason")
        return Heard(accepted=False, code=f"{code}: {reason}" if reason else code, raw=answer.text, problem=problem)
    calls: dict[str, CallSeen] = {}
    cards, notices, closed, words, begun = [], [], [], [], {}
    for name, data in _events(answer.text):
        match name:
            case "turn":
                begun = data
            case "text":
                words.append(str(data.get("delta", "")))
            case "tool_call":
                calls[str(data["call_id"])] = CallSeen(name=str(data["name"]), status="unknown", code="", content="")
            case "tool_result":
                calls[str(data["call_id"])] = _ended(calls[str(data["call_id"])], data)
            case "preview":
                cards.append(_card(data))
            case "preview_closed":
                closed.append(str(data["reason"]))
            case "notice" | "error":
                notices.append(str(data.get("code", "")))
            case _:
                pass
    return Heard(
        accepted=True,
        raw=answer.text,
        chat_id=str(begun.get("chat_id", "")),
        turn_id=str(begun.get("turn_id", "")),
        text="".join(words),
        calls=tuple(calls.values()),
        cards=tuple(cards),
        notices=tuple(notices),
        closed=tuple(closed),
    )


def _ended(call: CallSeen, data: JsonObject) -> CallSeen:
    return CallSeen(
        name=call.name, status=str(data["status"]), code=str(data["code"] or ""), content=str(data["content"])
    )


def _card(data: JsonObject) -> Card:
    name = data.get("name_to_type")
    return Card(
        id=str(data["preview_id"]),
        name_to_type=name if isinstance(name, str) else None,
        current_state=data.get("current_state"),
        details=data,
    )


def _events(text: str) -> Iterator[tuple[str, JsonObject]]:
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = block.split("\n")
        name = next((line.removeprefix(_EVENT) for line in lines if line.startswith(_EVENT)), "")
        data = "".join(line.removeprefix(_DATA) for line in lines if line.startswith(_DATA))
        if name and data:
            yield name, _object(data)


def _object(text: str) -> JsonObject:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
