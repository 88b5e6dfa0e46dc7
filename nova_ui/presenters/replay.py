"""A stored turn told again as the events it once had, so that live and stored turns are drawn the same way."""

from collections.abc import Callable, Iterator, Mapping

from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.domain.chat import CallStatus, Notice, PreviewId, RecordedCall, TextMessage, TurnRecord, TurnState
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import SUBJECT, Preview
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
    told = enumerate(_Told(record, previews, tools, tr, notice_text), start=1)
    return [TurnEvent(id=number, name=name, data=data) for number, (name, data) in told]


class _Told:
    """What happened in one ended turn, in its order."""

    def __init__(
        self,
        record: TurnRecord,
        previews: Mapping[PreviewId, Preview],
        tools: Mapping[str, AnyTool],
        tr: Translator,
        notice_text: NoticeText,
    ) -> None:
        self._record = record
        self._previews = previews
        self._tools = tools
        self._tr = tr
        self._notice_text = notice_text

    def __iter__(self) -> Iterator[tuple[EventName, JsonObject]]:
        record = self._record
        for number, step in enumerate(record.steps):
            if step.text:
                yield EventName.TEXT, {"delta": step.text}
            yield from self._notices(number, after_calls=0)
            for place, call in enumerate(step.calls, start=1):
                yield EventName.TOOL_CALL, _call(call)
                yield EventName.TOOL_RESULT, _result(call)
                yield from self._card(call)
                yield from self._notices(number, after_calls=place)
        for notice in record.notices:
            if notice.step is None or notice.step >= len(record.steps):
                yield self._notice(notice)
        if record.state is TurnState.FAILED and not record.notices:
            yield EventName.ERROR, {"code": "failed", "detail": self._tr("The answer could not be finished.")}
        else:
            usage = dict(record.usage)
            yield EventName.DONE, {"model": record.model, "model_calls": _model_calls(record), "usage": usage}

    def _card(self, call: RecordedCall) -> Iterator[tuple[EventName, JsonObject]]:
        preview = self._previews.get(call.preview_id) if call.preview_id else None
        if preview is None or preview.turn_id != self._record.id:  # the call that the preview let run has no card
            return
        yield EventName.PREVIEW, preview_data(preview, self._tools, self._tr)
        if preview.closed is not None:
            yield EventName.PREVIEW_CLOSED, {"preview_id": preview.id, "reason": preview.closed.value}

    def _notices(self, step: int, *, after_calls: int) -> Iterator[tuple[EventName, JsonObject]]:
        for notice in self._record.notices:
            if (notice.step, notice.after_calls) == (step, after_calls):
                yield self._notice(notice)

    def _notice(self, notice: Notice) -> tuple[EventName, JsonObject]:
        return EventName.NOTICE, {"code": notice.code, "text": self._notice_text(notice, self._tr)}


def _model_calls(record: TurnRecord) -> int:
    """Return how many model calls the turn used; one that did not say is taken to have used one a step."""
    counted = record.usage.get("model_calls")
    if isinstance(counted, int):
        return counted
    own = not isinstance(record.message, TextMessage) and bool(record.steps and record.steps[0].calls)
    return len(record.steps) - 1 if own else len(record.steps)


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
        "sentence": tr(tool.action, subject=SUBJECT) if tool and tool.action else "",
        "subject": shown.subject,
        "arguments": preview.call.arguments,
        "current_state": shown.current_state,
        "changes": [{"field": one.field, "before": one.before, "after": one.after} for one in shown.changes],
        "consequences": [
            {"type": one.type, "count": one.count, "names": list(one.names), "result": one.result}
            for one in shown.consequences
        ],
        "expires_at": preview.expires_at.isoformat(),
    }
