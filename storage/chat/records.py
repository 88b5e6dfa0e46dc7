"""How messages, steps, notices and what a card shows lie in JSON columns."""

from collections.abc import Iterable
from typing import Literal

from pydantic import BaseModel, ConfigDict

from nova_ui.domain.chat import (
    CallStatus,
    ConfirmMessage,
    Message,
    Notice,
    PreviewId,
    RecordedCall,
    Step,
    TextMessage,
    ToolMessage,
)
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import CallId, Change, Consequence, Shown, ToolKind


class _Record(BaseModel):
    # What we stored ourselves, perhaps by a newer version: unknown fields are left alone.
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Message(_Record):
    kind: Literal["text", "confirm", "tool"]
    text: str = ""
    preview_id: str = ""
    tool_name: str = ""
    arguments: JsonObject = {}


class _Call(_Record):
    call_id: str
    tool_name: str
    kind: ToolKind | None = None
    arguments: JsonObject = {}
    status: CallStatus
    code: str | None = None
    content: str = ""
    truncated: bool = False
    duration_ms: int = 0
    preview_id: str | None = None


class _Step(_Record):
    text: str = ""
    calls: list[_Call] = []


class _Notice(_Record):
    code: str
    params: JsonObject = {}
    step: int | None = None
    after_calls: int = 0


class _Change(_Record):
    field: str
    before: JsonValue = None
    after: JsonValue = None


class _Consequence(_Record):
    type: str
    count: int
    names: list[str] = []
    result: str = ""


class _Shown(_Record):
    subject: str
    current_state: JsonObject | None = None
    changes: list[_Change] = []
    consequences: list[_Consequence] = []
    etag: str | None = None


def message_to_json(message: Message) -> JsonObject:
    """Return `message` for its column."""
    match message:
        case TextMessage():
            return {"kind": "text", "text": message.text}
        case ConfirmMessage():
            return {"kind": "confirm", "preview_id": message.preview_id}
        case ToolMessage():
            return {"kind": "tool", "tool_name": message.tool_name, "arguments": dict(message.arguments)}


def message_from_json(stored: JsonObject) -> Message:
    """Return the message of a column."""
    read = _Message.model_validate(stored)
    match read.kind:
        case "text":
            return TextMessage(text=read.text)
        case "confirm":
            return ConfirmMessage(preview_id=PreviewId(read.preview_id))
        case "tool":
            return ToolMessage(tool_name=read.tool_name, arguments=read.arguments)


def steps_to_json(steps: Iterable[Step]) -> list[JsonObject]:
    """Return `steps` for their column."""
    return [{"text": step.text, "calls": [_call_to_json(call) for call in step.calls]} for step in steps]


def steps_from_json(stored: Iterable[JsonObject]) -> tuple[Step, ...]:
    """Return the steps of a column."""
    read = [_Step.model_validate(step) for step in stored]
    return tuple(Step(text=step.text, calls=tuple(_recorded(call) for call in step.calls)) for step in read)


def notices_to_json(notices: Iterable[Notice]) -> list[JsonObject]:
    """Return `notices` for their column."""
    return [
        {"code": one.code, "params": dict(one.params), "step": one.step, "after_calls": one.after_calls}
        for one in notices
    ]


def notices_from_json(stored: Iterable[JsonObject]) -> tuple[Notice, ...]:
    """Return the notices of a column."""
    read = [_Notice.model_validate(notice) for notice in stored]
    return tuple(Notice(code=one.code, params=one.params, step=one.step, after_calls=one.after_calls) for one in read)


def shown_to_json(shown: Shown) -> JsonObject:
    """Return what a card shows, for its column and for its event."""
    return {
        "subject": shown.subject,
        "current_state": shown.current_state,
        "changes": changes_to_json(shown.changes),
        "consequences": consequences_to_json(shown.consequences),
        "etag": shown.etag,
    }


def shown_from_json(stored: JsonObject) -> Shown:
    """Return what a card shows, from its column."""
    read = _Shown.model_validate(stored)
    return Shown(
        subject=read.subject,
        current_state=read.current_state,
        changes=tuple(Change(field=one.field, before=one.before, after=one.after) for one in read.changes),
        consequences=tuple(
            Consequence(type=one.type, count=one.count, names=tuple(one.names), result=one.result)
            for one in read.consequences
        ),
        etag=read.etag,
    )


def changes_to_json(changes: Iterable[Change]) -> list[JsonValue]:
    """Return changed fields as JSON."""
    return [{"field": one.field, "before": one.before, "after": one.after} for one in changes]


def consequences_to_json(consequences: Iterable[Consequence]) -> list[JsonValue]:
    """Return consequences as JSON."""
    return [
        {"type": one.type, "count": one.count, "names": list(one.names), "result": one.result} for one in consequences
    ]


def _call_to_json(call: RecordedCall) -> JsonValue:
    return {
        "call_id": call.call_id,
        "tool_name": call.tool_name,
        "kind": None if call.kind is None else call.kind.value,
        "arguments": call.arguments,
        "status": call.status.value,
        "code": call.code,
        "content": call.content,
        "truncated": call.truncated,
        "duration_ms": call.duration_ms,
        "preview_id": call.preview_id,
    }


def _recorded(call: _Call) -> RecordedCall:
    return RecordedCall(
        call_id=CallId(call.call_id),
        tool_name=call.tool_name,
        kind=call.kind,
        arguments=call.arguments,
        status=call.status,
        code=call.code,
        content=call.content,
        truncated=call.truncated,
        duration_ms=call.duration_ms,
        preview_id=None if call.preview_id is None else PreviewId(call.preview_id),
    )
