"""A stored turn told again as the events it once had, so that live and stored turns are drawn the same way."""

from collections.abc import Callable, Iterator, Mapping

from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.domain.chat import CallStatus, Notice, PreviewId, RecordedCall, TextMessage, TurnRecord, TurnState
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import AnyTool
from nova_ui.i18n.translator import Translator

NoticeText = Callable[[Notice, Translator], str]


def events_of(
    record: TurnRecord,
    previews: Mapping[PreviewId, Preview],
    tools: Mapping[str, AnyTool],
    tr: Translator,
    notice_text: NoticeText,
) -> list[TurnEvent]:
    """Return the events of an ended turn in their order."""
    told = enumerate(_told(record, previews, tools, tr, notice_text), start=1)
    return [TurnEvent(id=number, name=name, data=data) for number, (name, data) in told]


def _told(
    record: TurnRecord,
    previews: Mapping[PreviewId, Preview],
    tools: Mapping[str, AnyTool],
    tr: Translator,
    notice_text: NoticeText,
) -> Iterator[tuple[EventName, JsonObject]]:
    for step in record.steps:
        if step.text:
            yield EventName.TEXT, {"delta": step.text}
        for call in step.calls:
            yield EventName.TOOL_CALL, _call(call)
            yield EventName.TOOL_RESULT, _result(call)
            preview = previews.get(call.preview_id) if call.preview_id else None
            if preview is not None and preview.turn_id == record.id:  # not the call that the preview let run
                yield EventName.PREVIEW, preview_data(preview, tools, tr)
                if preview.closed is not None:
                    yield EventName.PREVIEW_CLOSED, {"preview_id": preview.id, "reason": preview.closed.value}
    for notice in record.notices:
        yield EventName.NOTICE, {"code": notice.code, "text": notice_text(notice, tr)}
    if record.state is TurnState.FAILED and not record.notices:
        yield EventName.ERROR, {"code": "failed", "detail": tr("The answer could not be finished.")}
    else:
        yield EventName.DONE, {"model": record.model, "model_calls": _model_calls(record), "usage": dict(record.usage)}


def _model_calls(record: TurnRecord) -> int:
    """Count the steps that a model made: the first call of a turn that was not typed is the person's own."""
    steps = len(record.steps)
    own = not isinstance(record.message, TextMessage) and bool(record.steps and record.steps[0].calls)
    return steps - 1 if own else steps


def _call(call: RecordedCall) -> JsonObject:
    return {
        "call_id": call.call_id,
        "name": call.tool_name,
        "kind": call.kind.value if call.kind else None,
        "arguments": call.arguments,
    }


def _result(call: RecordedCall) -> JsonObject:
    code = "confirmation_required" if call.status is CallStatus.PREVIEWED else call.code
    return {
        "call_id": call.call_id,
        "status": call.status.value,
        "code": code,
        "content": call.content,
        "truncated": call.truncated,
        "characters": len(call.content),
        "duration_ms": call.duration_ms,
    }


def preview_data(preview: Preview, tools: Mapping[str, AnyTool], tr: Translator) -> JsonObject:
    """Return what the `preview` event of a preview holds."""
    shown, tool = preview.shown, tools.get(preview.call.tool_name)
    action = tr(tool.action, subject=shown.subject) if tool and tool.action else preview.call.tool_name
    return {
        "preview_id": preview.id,
        "call_id": preview.call_id,
        "action": action,
        "arguments": preview.call.arguments,
        "current_state": shown.current_state,
        "changes": [{"field": one.field, "before": one.before, "after": one.after} for one in shown.changes],
        "consequences": [
            {"type": one.type, "count": one.count, "names": list(one.names)} for one in shown.consequences
        ],
        "expires_at": preview.expires_at.isoformat(),
    }
