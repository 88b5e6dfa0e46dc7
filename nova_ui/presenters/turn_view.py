"""One turn as the screen shows it: built from events, whether they arrive live or are replayed from the history."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.domain.chat import CallStatus, Message, PreviewId, TextMessage, TurnId, TurnState
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import CloseReason
from nova_ui.domain.tool import AnyTool, CallId, ToolKind
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.known_names import names_in, names_of
from nova_ui.presenters.turn_parts import (
    AnswerText,
    CallLine,
    Card,
    NoticePart,
    Part,
    ProblemPart,
    call_status,
    card_of,
    close_reason,
    number_of,
    text_of,
    tool_kind,
)
from nova_ui.reactive import Event

UNKNOWN_ICON: Final = "build"


class TurnView:
    """All that is seen of one turn. `changed` fires after each event; parts only ever grow or fill in.

    `names` holds what objects are called, by their ids, as far as results have told; a panel has its turns share one.
    `is_from_elsewhere` marks a turn whose message was sent in another tab or by a script.
    """

    def __init__(self, turn_id: TurnId, message: Message, tools: Mapping[str, AnyTool], tr: Translator) -> None:
        self.names: dict[str, str] = {}
        self.is_from_elsewhere = False
        self.turn_id = turn_id
        self.message = message
        self.parts: list[Part] = []
        self.state = TurnState.RUNNING
        self.model: str | None = None
        self.model_calls = 1 if isinstance(message, TextMessage) else 0
        self.last_event_id = 0
        self.closed_previews: dict[PreviewId, CloseReason] = {}
        self.changed: Event[None] = Event()
        self._tools = tools
        self._tr = tr
        self._results_pending = False
        self._takers: Mapping[EventName, Callable[[JsonObject], None]] = {
            EventName.TEXT: self._add_text,
            EventName.TOOL_CALL: self._add_call,
            EventName.TOOL_RESULT: self._add_result,
            EventName.PREVIEW: self._add_card,
            EventName.PREVIEW_CLOSED: self._close,
            EventName.NOTICE: self._add_notice,
            EventName.DONE: self._finish,
            EventName.ERROR: self._fail,
        }

    @property
    def is_running(self) -> bool:
        """Whether more is to come."""
        return self.state is TurnState.RUNNING

    @property
    def answer(self) -> str:
        """All that the model wrote, for copying."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, AnswerText) and part.text)

    @property
    def changed_something(self) -> bool:
        """Whether a writing or destructive call ran, or may have."""
        harmless = {CallStatus.REFUSED, CallStatus.PREVIEWED}
        return any(
            part.kind is not ToolKind.READ and part.status not in harmless
            for part in self.parts
            if isinstance(part, CallLine)
        )

    @property
    def can_be_asked_again(self) -> bool:
        """Whether the same words may be sent again without doing anything twice."""
        if self.is_running or self.cards or self.changed_something:
            return False
        return isinstance(self.message, TextMessage)

    @property
    def cards(self) -> Sequence[Card]:
        """The confirmation cards of this turn."""
        return tuple(part for part in self.parts if isinstance(part, Card))

    def apply(self, event: TurnEvent) -> None:
        """Take an event in; one that was seen before changes nothing."""
        if event.id <= self.last_event_id:
            return
        self.last_event_id = event.id
        take = self._takers.get(event.name)  # `turn` tells ids that the page has already
        if take is not None:
            take(event.data)
        self.changed.emit(None)

    def lose(self, text: str) -> None:
        """Note that the events stopped without an end."""
        self.state = TurnState.FAILED
        self.parts.append(ProblemPart(code="lost", text=text))
        self.changed.emit(None)

    def _count_model_call(self) -> None:
        """Count a model call at the first sign of life after results came in; `done` brings the exact number."""
        if self._results_pending or self.model_calls == 0:
            self.model_calls += 1
            self._results_pending = False

    def _add_text(self, data: JsonObject) -> None:
        delta = text_of(data, "delta")
        self._count_model_call()
        last = self.parts[-1] if self.parts else None
        if isinstance(last, AnswerText):
            last.text += delta
        else:
            self.parts.append(AnswerText(delta))

    def _add_call(self, data: JsonObject) -> None:
        if isinstance(self.message, TextMessage) or any(isinstance(part, CallLine) for part in self.parts):
            self._count_model_call()  # the first call of any other message is the person's own
        name = text_of(data, "name")
        tool = self._tools.get(name)
        arguments = data.get("arguments")
        self.parts.append(
            CallLine(
                call_id=CallId(text_of(data, "call_id")),
                tool_name=name,
                title=self._tr(tool.title) if tool else text_of(data, "title") or name,
                icon=tool.icon if tool else UNKNOWN_ICON,
                kind=tool_kind(data.get("kind")),
                arguments=arguments if isinstance(arguments, dict) else {},
            )
        )

    def _add_card(self, data: JsonObject) -> None:
        self.names.update(names_of(data.get("current_state")))
        self.parts.append(card_of(data))

    def _add_notice(self, data: JsonObject) -> None:
        self.parts.append(NoticePart(code=text_of(data, "code"), text=text_of(data, "text")))

    def _add_result(self, data: JsonObject) -> None:
        call_id, code = text_of(data, "call_id"), data.get("code")
        self._results_pending = True
        self.names.update(names_in(text_of(data, "content")))
        for part in self.parts:
            if isinstance(part, CallLine) and part.call_id == call_id:
                part.code = code if isinstance(code, str) else None
                part.status = call_status(data.get("status"), part.code)
                part.content = text_of(data, "content")
                part.truncated = data.get("truncated") is True
                part.characters = number_of(data, "characters")
                part.duration_ms = number_of(data, "duration_ms")

    def _close(self, data: JsonObject) -> None:
        preview_id, reason = PreviewId(text_of(data, "preview_id")), close_reason(data.get("reason"))
        self.closed_previews[preview_id] = reason
        for card in self.cards:
            if card.preview_id == preview_id:
                card.close(reason)

    def _finish(self, data: JsonObject) -> None:
        stopped = any(isinstance(part, NoticePart) and part.code == "stopped" for part in self.parts)
        self.state = TurnState.STOPPED if stopped else TurnState.DONE
        model = data.get("model")
        self.model = model if isinstance(model, str) and model else None
        self.model_calls = number_of(data, "model_calls")

    def _fail(self, data: JsonObject) -> None:
        self.state = TurnState.FAILED
        text = text_of(data, "detail") or text_of(data, "title") or self._tr("The answer could not be finished.")
        reference = text_of(data, "reference") or text_of(data, "instance")
        self.parts.append(ProblemPart(code=text_of(data, "code"), text=text, reference=reference))
