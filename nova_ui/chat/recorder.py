"""What a turn leaves behind: its events while it runs, and its record when it ends."""

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final, assert_never

from nova_ui.chat.events import EventName
from nova_ui.chat.live_turn import LiveTurn
from nova_ui.chat.message import MAX_NAME_CHARS, redacted_arguments
from nova_ui.chat.notices import EARLIER_LEFT_OUT, notice_text
from nova_ui.chat.translating import Translate
from nova_ui.domain.canonical import ArgumentsError, parse_arguments
from nova_ui.domain.chat import CallStatus, Notice, RecordedCall, Step, TurnState
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import SUBJECT, Preview
from nova_ui.domain.tool import AnyTool, RawCall, ToolKind
from nova_ui.guardrails.outcome import Failed, Outcome, Previewed, Ran, Refused
from nova_ui.guardrails.redaction import redact_text
from nova_ui.guardrails.refusal import Code
from nova_ui.llm.special_tokens import without_unusable_characters
from storage.chat.chats import fold
from storage.chat.records import changes_to_json, consequences_to_json
from storage.chat.turns import TurnEnd

MAX_SEARCH_CHARS: Final = 20_000

_WIRE_STATUS: Final = {
    CallStatus.OK: "ok",
    CallStatus.REFUSED: "refused",
    CallStatus.PREVIEWED: "refused",
    CallStatus.ERROR: "error",
    CallStatus.UNKNOWN: "error",
}


class TurnRecorder:
    """Keeps the steps of one turn and lets its followers see them."""

    def __init__(self, live: LiveTurn, tools: Mapping[str, AnyTool], translate: Translate) -> None:
        self._live = live
        self._tools = tools
        self._translate = translate
        self._steps: list[Step] = []
        self._texts: list[str] = []
        self._calls: list[RecordedCall] = []
        self._notices: list[Notice] = []
        self._begun_at = 0.0
        self.tool_calls = 0

    @property
    def has_text(self) -> bool:
        """Whether anything has been said in this turn."""
        return any(step.text.strip() for step in self._steps) or any(text.strip() for text in self._texts)

    @property
    def has_notices(self) -> bool:
        """Whether the server has said why there is no answer, or not all of one."""
        return any(notice.code != EARLIER_LEFT_OUT for notice in self._notices)

    @property
    def step_text(self) -> str:
        """What has been said in the step that is under way."""
        return "".join(self._texts)

    @property
    def has_begun_to_write(self) -> bool:
        """Whether the call that was begun last may change something."""
        return bool(self._calls) and self._calls[-1].kind in {ToolKind.WRITE, ToolKind.DESTRUCTIVE}

    def say(self, delta: str) -> None:
        """Keep and show a piece of the model's words; what comes after an interruption is neither."""
        if self._live.is_interrupted():
            return
        self._texts.append(without_unusable_characters(delta))
        self._live.say(delta)

    def end_step(self) -> None:
        """Close the step under way; what comes next belongs to another model call."""
        if self._texts or self._calls:
            self._steps.append(Step(text=self.step_text, calls=tuple(self._calls)))
        self._texts, self._calls = [], []

    def begin_call(self, raw: RawCall) -> None:
        """Show a call before it runs; until its outcome is known it is kept as unknown."""
        tool = self._tools.get(raw.name)
        call = RecordedCall(
            call_id=raw.call_id,
            tool_name=shown_name(raw),
            kind=None if tool is None else tool.kind,
            arguments=shown_arguments(raw),
            status=CallStatus.UNKNOWN,
            code="outcome_unknown",
            content="",
        )
        self._calls.append(call)
        self.tool_calls += 1
        self._begun_at = time.perf_counter()
        self._live.emit(
            EventName.TOOL_CALL,
            {
                "call_id": call.call_id,
                "name": call.tool_name,
                "kind": None if tool is None else tool.kind.value,
                "arguments": call.arguments,
                "title": call.tool_name if tool is None else self._translate(tool.title),
            },
        )

    def end_call(self, outcome: Outcome) -> None:
        """Show what became of the call that was begun last."""
        status, code = _status(outcome)
        call = replace(
            self._calls[-1],
            status=status,
            code=code,
            content=without_unusable_characters(outcome.text),
            truncated=outcome.truncated,
            duration_ms=round((time.perf_counter() - self._begun_at) * 1000),
            preview_id=outcome.preview.id if isinstance(outcome, Previewed) else None,
        )
        self._calls[-1] = call
        self._emit_result(call, len(outcome.content))
        if isinstance(outcome, Previewed):
            card = preview_data(outcome.preview, self._tools, self._translate)
            # A press that shows the object anew does so in its own call, not in the one that asked first.
            self._live.emit(EventName.PREVIEW, {**card, "call_id": call.call_id})

    def lose_call(self) -> None:
        """Show that nobody knows what became of the call that was begun last."""
        if self._calls and self._calls[-1].status is CallStatus.UNKNOWN:
            self._emit_result(self._calls[-1], 0)

    def notice(self, code: str, **params: JsonValue) -> None:
        """Let the server say something of its own."""
        notice = Notice(code=code, params=params, step=len(self._steps), after_calls=len(self._calls))
        self._notices.append(notice)
        self._live.emit(EventName.NOTICE, {"code": code, "text": notice_text(notice, self._translate)})

    def ending(self, state: TurnState, finished_at: datetime, model: str | None, usage: JsonObject) -> TurnEnd:
        """Return the record of the turn."""
        self.end_step()
        words = "\n".join(step.text for step in self._steps)
        return TurnEnd(
            state=state,
            finished_at=finished_at,
            steps=tuple(self._steps),
            notices=tuple(self._notices),
            search_text=fold(words)[:MAX_SEARCH_CHARS],
            model=model,
            usage=usage,
        )

    def _emit_result(self, call: RecordedCall, characters: int) -> None:
        self._live.emit(
            EventName.TOOL_RESULT,
            {
                "call_id": call.call_id,
                "status": _WIRE_STATUS[call.status],
                "code": call.code,
                "content": call.content,
                "truncated": call.truncated,
                "characters": characters,
                "duration_ms": call.duration_ms,
            },
        )


def preview_data(preview: Preview, tools: Mapping[str, AnyTool], translate: Translate) -> JsonObject:
    """Return a card: the action in the person's words, and everything that it shows."""
    tool = tools.get(preview.call.tool_name)
    subject = preview.shown.subject
    return {
        "preview_id": preview.id,
        "call_id": preview.call_id,
        "action": preview.call.tool_name if tool is None else translate(tool.action, subject=subject),
        "sentence": "" if tool is None else translate(tool.action, subject=SUBJECT),
        "subject": subject,
        "arguments": redacted_arguments(preview.call.arguments),
        "current_state": preview.shown.current_state,
        "changes": changes_to_json(preview.shown.changes),
        "consequences": consequences_to_json(preview.shown.consequences),
        "button_only": not preview.takes_words,
        "name_to_type": preview.name_to_type,
        "expires_at": preview.expires_at.isoformat().replace("+00:00", "Z"),
    }


def shown_name(raw: RawCall) -> str:
    """Return the name that a call gave, as it is shown, kept and replayed."""
    return redact_text(without_unusable_characters(raw.name))[:MAX_NAME_CHARS]


def shown_arguments(raw: RawCall) -> JsonObject:
    """Return the arguments of a call as they are shown, kept and replayed; none if they can't be read."""
    parsed = parse_arguments(raw.arguments_text)
    return {} if isinstance(parsed, ArgumentsError) else redacted_arguments(parsed)


def _status(outcome: Outcome) -> tuple[CallStatus, str | None]:
    match outcome:
        case Ran():
            return CallStatus.OK, None
        case Previewed():
            return CallStatus.PREVIEWED, Code.CONFIRMATION_REQUIRED.value
        case Failed(code=code):
            return CallStatus.ERROR, code
        case Refused(refusal=refusal):
            return CallStatus.REFUSED, refusal.code.value
        case _:
            assert_never(outcome)
