from dataclasses import replace
from typing import Final

import pytest

from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.chat.notices import notice_text
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
    TurnId,
    TurnRecord,
    TurnState,
)
from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import CloseReason
from nova_ui.domain.tool import CallId, ToolKind
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.replay import events_of
from nova_ui.presenters.turn_parts import AnswerText, CallLine, Card, NoticePart, ProblemPart
from nova_ui.presenters.turn_view import TurnView
from tests.builders import NOW, a_preview, a_reading_tool, a_tool

TR: Final = Translators().for_language(Language.ENGLISH)
TOOLS: Final = {tool.name: tool for tool in (a_tool(), a_reading_tool())}
CALL: Final = RecordedCall(
    call_id=CallId("call_0"),
    tool_name="list_groups",
    kind=ToolKind.READ,
    arguments={},
    status=CallStatus.OK,
    code=None,
    content='{"items": [{"id": "grp_1", "display_name": "Contractors"}]}',
    duration_ms=120,
)


Told = tuple[EventName, dict[str, JsonValue]]


def a_view(message: Message | None = None) -> TurnView:
    return TurnView(TurnId("trn_3"), message or TextMessage(text="Delete it"), TOOLS, TR)


def happen(view: TurnView, *events: Told) -> TurnView:
    for name, data in events:
        view.apply(TurnEvent(id=view.last_event_id + 1, name=name, data=data))
    return view


CALLED: Final[Told] = (
    EventName.TOOL_CALL,
    {"call_id": "c", "name": "list_groups", "kind": "read", "arguments": {"q": "x"}},
)
RESULT: Final[Told] = (EventName.TOOL_RESULT, {"call_id": "c", "status": "ok", "code": None, "content": "[]"})
DONE: Final[Told] = (EventName.DONE, {"model": "m", "model_calls": 3})


def test_text_grows_until_a_call_comes_between() -> None:
    view = happen(
        a_view(),
        (EventName.TEXT, {"delta": "One "}),
        (EventName.TEXT, {"delta": "moment"}),
        CALLED,
        RESULT,
        (EventName.TEXT, {"delta": "Done."}),
    )

    assert [part.text for part in view.parts if isinstance(part, AnswerText)] == ["One moment", "Done."]
    assert view.answer == "One moment\n\nDone."


def test_an_event_that_comes_twice_counts_once() -> None:
    view = a_view()
    event = TurnEvent(id=1, name=EventName.TEXT, data={"delta": "once"})

    view.apply(event)
    view.apply(event)

    assert view.answer == "once"


def test_a_model_call_is_counted_when_something_follows_results() -> None:
    view = a_view()

    assert view.model_calls == 1
    assert happen(view, CALLED, RESULT).model_calls == 1
    assert happen(view, (EventName.TEXT, {"delta": "x"})).model_calls == 2
    assert happen(view, DONE).model_calls == 3


@pytest.mark.parametrize(
    "message", [ToolMessage(tool_name="list_groups", arguments={}), ConfirmMessage(preview_id=PreviewId("prv_1"))]
)
def test_the_persons_own_call_costs_no_model_call(message: Message) -> None:
    view = happen(a_view(message), CALLED, RESULT)

    assert view.model_calls == 0
    assert happen(view, (EventName.TEXT, {"delta": "x"})).model_calls == 1

    record = TurnRecord(
        id=TurnId("trn_3"),
        number=3,
        message=message,
        state=TurnState.DONE,
        started_at=NOW,
        finished_at=NOW,
        steps=(Step(calls=(CALL,)), Step(text="x")),
    )
    stored = a_view(message)
    for event in events_of(record, {}, TOOLS, TR, notice_text):
        stored.apply(event)

    assert stored.model_calls == 1


@pytest.mark.parametrize(
    ("status", "code", "becomes"),
    [
        ("ok", None, CallStatus.OK),
        ("refused", "not_released", CallStatus.REFUSED),
        ("refused", "confirmation_required", CallStatus.PREVIEWED),
        ("error", "outcome_unknown", CallStatus.UNKNOWN),
        ("new in a later version", None, CallStatus.UNKNOWN),
    ],
)
def test_a_line_says_what_became_of_its_call(status: str, code: str | None, becomes: CallStatus) -> None:
    view = happen(a_view(), CALLED, (EventName.TOOL_RESULT, {"call_id": "c", "status": status, "code": code}))

    assert isinstance(view.parts[0], CallLine)
    assert view.parts[0].status is becomes


def test_only_a_turn_that_changed_nothing_may_be_asked_again() -> None:
    destroyed: Told = (
        EventName.TOOL_CALL,
        {"call_id": "d", "name": "delete_group", "kind": "destructive", "arguments": {}},
    )
    refused: Told = (EventName.TOOL_RESULT, {"call_id": "d", "status": "refused", "code": "not_released"})

    assert happen(a_view(), CALLED, RESULT, DONE).can_be_asked_again
    assert happen(a_view(), destroyed, refused, DONE).can_be_asked_again
    assert not happen(a_view(), destroyed, DONE).can_be_asked_again
    assert not happen(a_view(), CALLED, RESULT).can_be_asked_again


def test_an_error_ends_the_turn_with_its_words_and_its_reference() -> None:
    view = happen(a_view(), (EventName.ERROR, {"code": "model", "detail": "Broken.", "reference": "r1"}))

    assert view.state is TurnState.FAILED
    assert view.parts == [ProblemPart(code="model", text="Broken.", reference="r1")]


def test_a_stopped_turn_is_no_finished_one() -> None:
    view = happen(a_view(), (EventName.NOTICE, {"code": "stopped", "text": "Stopped."}), DONE)

    assert view.state is TurnState.STOPPED


def test_a_stored_turn_is_told_again_with_everything_it_had() -> None:
    preview = replace(a_preview(turn_number=3), closed=CloseReason.CANCELLED)
    waiting = replace(
        CALL,
        call_id=preview.call_id,
        tool_name="delete_group",
        kind=ToolKind.DESTRUCTIVE,
        status=CallStatus.PREVIEWED,
        code="confirmation_required",
        preview_id=preview.id,
    )
    record = TurnRecord(
        id=TurnId("trn_3"),
        number=3,
        message=TextMessage(text="Delete it"),
        state=TurnState.DONE,
        started_at=NOW,
        finished_at=NOW,
        steps=(Step(text="Looking.", calls=(CALL, waiting)), Step(text="Please confirm.")),
        notices=(Notice(code="limit_tool_results"),),
        model="Built-in",
    )

    view = a_view()
    for event in events_of(record, {preview.id: preview}, TOOLS, TR, notice_text):
        view.apply(event)

    assert [type(part) for part in view.parts] == [AnswerText, CallLine, CallLine, Card, AnswerText, NoticePart]
    assert view.cards[0].action == "Delete the group Contractors"
    assert view.cards[0].closed is CloseReason.CANCELLED
    assert view.cards[0].expires_at == preview.expires_at
    assert (view.state, view.model, view.model_calls) == (TurnState.DONE, "Built-in", 2)
    assert view.names == {"grp_1": "Contractors"}


def test_the_call_that_a_confirmation_let_run_shows_no_second_card() -> None:
    preview = a_preview(turn_number=3)
    record = TurnRecord(
        id=TurnId("trn_4"),
        number=4,
        message=TextMessage(text="yes"),
        state=TurnState.DONE,
        started_at=NOW,
        finished_at=NOW,
        steps=(Step(calls=(replace(CALL, preview_id=preview.id),)),),
    )

    names = [event.name for event in events_of(record, {preview.id: preview}, TOOLS, TR, notice_text)]

    assert EventName.PREVIEW not in names


def test_a_card_tells_the_names_of_what_it_shows() -> None:
    view = a_view()
    state: JsonValue = {"id": "grp_1", "display_name": "Sales", "manager": {"id": "idn_1", "display_name": "Lea"}}
    data: dict[str, JsonValue] = {
        "preview_id": "prv_1",
        "call_id": "call_0",
        "expires_at": NOW.isoformat(),
        "current_state": state,
    }

    view.apply(TurnEvent(id=1, name=EventName.PREVIEW, data=data))

    assert view.names == {"grp_1": "Sales", "idn_1": "Lea"}


def test_notices_are_told_again_where_they_were_said_and_model_calls_as_they_were() -> None:
    record = TurnRecord(
        id=TurnId("trn_3"),
        number=3,
        message=TextMessage(text="Delete it"),
        state=TurnState.DONE,
        started_at=NOW,
        finished_at=NOW,
        steps=(Step(text="First", calls=(CALL, replace(CALL, call_id=CallId("call_1")))), Step(text="Then")),
        notices=(
            Notice(code="limit_tool_results", params={"limit": 60000}, step=0, after_calls=1),
            Notice(code="limit_model_calls", params={"limit": 12}, step=2),
        ),
        usage={"model_calls": 5},
    )
    view = a_view()

    for event in events_of(record, {}, TOOLS, TR, notice_text):
        view.apply(event)

    assert [type(part) for part in view.parts] == [AnswerText, CallLine, NoticePart, CallLine, AnswerText, NoticePart]
    assert view.model_calls == 5
