"""Reads the body of a request again, whatever its wire: what a person wants to see, and all the rest as settings.

What is shown is taken from the bytes that were sent, not from what was meant to be sent. Nothing is left out: what is
neither a text nor a call nor a result nor a tool stands in `settings` or, where its form is not known, as JSON text.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from nova_ui.domain.ai_profile import ProviderKind
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.llm.answer import member, objects, string
from nova_ui.llm.plain_request import NAME as PLAIN

Role = Literal["user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPart:
    """A text, a call with its arguments, or a call's result."""

    kind: Literal["text", "call", "result"]
    text: str
    id: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMessage:
    """What one side said at once."""

    role: Role
    parts: tuple[ReadPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTool:
    """A tool on offer."""

    name: str
    description: str
    parameters: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBody:
    """A request in readable parts."""

    system: str
    messages: tuple[ReadMessage, ...]
    tools: tuple[ReadTool, ...]
    settings: JsonObject


def read_body(wire: str, body: bytes) -> ReadBody:
    """Return what `body` says; one of a wire that is not known any more is all settings."""
    parsed = json.loads(body)
    given: JsonObject = parsed if isinstance(parsed, dict) else {"body": parsed}
    reader = _READERS.get(wire)
    return ReadBody(system="", messages=(), tools=(), settings=given) if reader is None else reader(given)


def _openai(body: JsonObject) -> ReadBody:
    said = objects(body.pop("messages", None))
    system = [string(one.get("content")) for one in said if one.get("role") == "system"]
    tools = [member(one, "function") for one in objects(body.pop("tools", None))]
    return ReadBody(
        system="\n\n".join(system),
        messages=tuple(_openai_message(one) for one in said if one.get("role") != "system"),
        tools=tuple(_tool(one, one.get("parameters")) for one in tools),
        settings=body,
    )


def _openai_message(said: JsonObject) -> ReadMessage:
    text, role = string(said.get("content")), said.get("role")
    if role == "tool":
        call_id = string(said.get("tool_call_id") or said.get("call_id"))
        result = ReadPart(kind="result", text=text, id=call_id, name=string(said.get("name")))
        return ReadMessage(role="tool", parts=(result,))
    calls = [{"id": one.get("id"), **member(one, "function")} for one in objects(said.get("tool_calls"))]
    parts = [ReadPart(kind="text", text=text)] if text else []
    parts += [
        _call(one.get("id"), one.get("name"), one.get("arguments")) for one in calls or objects(said.get("calls"))
    ]
    return ReadMessage(role="assistant" if role == "assistant" else "user", parts=tuple(parts))


def _anthropic(body: JsonObject) -> ReadBody:
    return ReadBody(
        system=string(body.pop("system", None)),
        messages=_sides(body.pop("messages", None), "content", _anthropic_part),
        tools=tuple(_tool(one, one.get("input_schema")) for one in objects(body.pop("tools", None))),
        settings=body,
    )


def _anthropic_part(part: JsonObject) -> ReadPart:
    match part.get("type"):
        case "text":
            return ReadPart(kind="text", text=string(part.get("text")))
        case "tool_use":
            return _call(part.get("id"), part.get("name"), part.get("input"))
        case "tool_result":
            return ReadPart(kind="result", text=string(part.get("content")), id=string(part.get("tool_use_id")))
        case _:
            return _unknown(part)


def _google(body: JsonObject) -> ReadBody:
    system = [string(part.get("text")) for part in objects(member(body, "systemInstruction").get("parts"))]
    tools = [one for group in objects(body.pop("tools", None)) for one in objects(group.get("functionDeclarations"))]
    body.pop("systemInstruction", None)
    return ReadBody(
        system="\n\n".join(system),
        messages=_sides(body.pop("contents", None), "parts", _google_part),
        tools=tuple(_tool(one, one.get("parametersJsonSchema")) for one in tools),
        settings=body,
    )


def _google_part(part: JsonObject) -> ReadPart:
    if "text" in part:
        return ReadPart(kind="text", text=string(part.get("text")))
    if "functionCall" in part:
        call = member(part, "functionCall")
        return _call(None, call.get("name"), call.get("args"))
    if "functionResponse" in part:
        answered = member(part, "functionResponse")
        text = string(member(answered, "response").get("result"))
        return ReadPart(kind="result", text=text, name=string(answered.get("name")))
    return _unknown(part)


def _bedrock(body: JsonObject) -> ReadBody:
    system = [string(part.get("text")) for part in objects(body.pop("system", None))]
    tools = [member(one, "toolSpec") for one in objects(member(body, "toolConfig").get("tools"))]
    body.pop("toolConfig", None)
    return ReadBody(
        system="\n\n".join(system),
        messages=_sides(body.pop("messages", None), "content", _bedrock_part),
        tools=tuple(_tool(one, member(one, "inputSchema").get("json")) for one in tools),
        settings=body,
    )


def _bedrock_part(part: JsonObject) -> ReadPart:
    if "text" in part:
        return ReadPart(kind="text", text=string(part.get("text")))
    if "toolUse" in part:
        use = member(part, "toolUse")
        return _call(use.get("toolUseId"), use.get("name"), use.get("input"))
    if "toolResult" in part:
        result = member(part, "toolResult")
        text = "\n".join(string(one.get("text")) for one in objects(result.get("content")))
        return ReadPart(kind="result", text=text, id=string(result.get("toolUseId")))
    return _unknown(part)


def _plain(body: JsonObject) -> ReadBody:
    tools = objects(body.pop("tools", None))
    read = _openai(body)
    return ReadBody(
        system=read.system,
        messages=read.messages,
        tools=tuple(_tool(one, one.get("parameters")) for one in tools),
        settings=read.settings,
    )


def _sides(value: JsonValue, parts_under: str, read: Callable[[JsonObject], ReadPart]) -> tuple[ReadMessage, ...]:
    """Return messages of wires that put results on the person's side; these become messages of their own."""
    return tuple(message for side in objects(value) for message in _parted(side, parts_under, read))


def _parted(side: JsonObject, parts_under: str, read: Callable[[JsonObject], ReadPart]) -> Iterator[ReadMessage]:
    parts = [read(part) for part in objects(side.get(parts_under))]
    if side.get("role") in {"assistant", "model"}:
        yield ReadMessage(role="assistant", parts=tuple(parts))
        return
    for part in parts:
        yield ReadMessage(role="tool" if part.kind == "result" else "user", parts=(part,))


def _call(call_id: JsonValue, name: JsonValue, arguments: JsonValue) -> ReadPart:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ReadPart(kind="call", text=text, id=string(call_id), name=string(name))


def _tool(tool: JsonObject, parameters: JsonValue) -> ReadTool:
    return ReadTool(name=string(tool.get("name")), description=string(tool.get("description")), parameters=parameters)


def _unknown(part: JsonObject) -> ReadPart:
    return ReadPart(kind="text", text=json.dumps(part, ensure_ascii=False))


_READERS: Final[Mapping[str, Callable[[JsonObject], ReadBody]]] = MappingProxyType(
    {
        ProviderKind.OPENAI.value: _openai,
        ProviderKind.AZURE.value: _openai,
        ProviderKind.ANTHROPIC.value: _anthropic,
        ProviderKind.GOOGLE.value: _google,
        ProviderKind.BEDROCK.value: _bedrock,
        PLAIN: _plain,
    }
)
