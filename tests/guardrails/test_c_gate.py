"""C: confirmation before destructive actions, at the gate."""

import asyncio
from collections.abc import Callable

import pytest
from pydantic import Field

from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import Preview, PreviewOutcome
from nova_ui.domain.tool import Nova, Shown, ToolArguments
from nova_ui.errors import NovaConflict, NovaPreconditionFailed, NovaUnauthenticated, NovaUnavailable
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.outcome import Failed, Previewed, Ran, Refused
from nova_ui.guardrails.refusal import Code
from tests.builders import (
    TOO_LATE,
    GroupArguments,
    a_call,
    a_preview,
    a_raw_call,
    a_reading_tool,
    a_tool,
    a_turn,
    a_writing_tool,
    an_assistant,
)
from tests.guardrails.doors import Counted, Turnstile, a_turnstile

CONFIRMED: dict[str, JsonValue] = {"group_id": "grp_1", "confirmed": True}
OTHER: dict[str, JsonValue] = {"group_id": "grp_2", "confirmed": True}


class Changing:
    """A card whose object changes after each look at it."""

    def __init__(self) -> None:
        self.looks = 0

    async def __call__(self, _arguments: ToolArguments, _nova: Nova) -> Shown:
        self.looks += 1
        return Shown(subject="Contractors", current_state={"members": self.looks}, etag=f'"{self.looks}"')


def agreed_to(preview: Preview, run: Counted, **more: object) -> Turnstile:
    """A turn whose message agrees to `preview` in words."""
    turnstile = a_turnstile(a_tool(run=run, **more))  # type: ignore[arg-type]  # by name in tests
    turnstile.change(agreed=preview)
    return turnstile


def pressed(preview: Preview, run: Counted, **more: object) -> Turnstile:
    """A turn whose message is a press of the button of `preview`."""
    turnstile = a_turnstile(
        a_tool(run=run, **more),  # type: ignore[arg-type]  # by name in tests
        a_reading_tool(),
        a_writing_tool(),
    )
    turnstile.change(turn=a_turn(message=ConfirmMessage(preview_id=preview.id)), read_only=True)
    return turnstile


async def test_c2_a_destructive_call_is_shown_and_not_run() -> None:
    run = Counted()
    turnstile = a_turnstile(a_tool(run=run))

    outcome = await turnstile.pass_call(a_raw_call())

    assert isinstance(outcome, Previewed)
    assert turnstile.previews.stored == [outcome.preview]
    assert outcome.preview.call == a_call()
    assert outcome.preview.shown.subject == "Contractors"
    assert (outcome.preview.turn_number, outcome.preview.by_person) == (4, False)
    assert "Contractors" not in outcome.content
    assert run.runs == 0


async def test_c2_the_call_of_a_person_is_shown_as_well() -> None:
    outcome = await a_turnstile(a_tool()).pass_call(a_raw_call(), by_person=True)

    assert isinstance(outcome, Previewed)
    assert outcome.preview.by_person


async def test_c2_an_invalid_call_yields_an_error_and_no_preview() -> None:
    turnstile = a_turnstile(a_tool())

    outcome = await turnstile.pass_call(a_raw_call(arguments={"group_id": "../x"}))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.code is Code.INVALID_ARGUMENTS
    assert turnstile.previews.stored == []


async def test_c2_an_action_that_would_be_refused_is_not_offered_for_confirmation() -> None:
    async def show(_arguments: ToolArguments, _nova: Nova) -> Shown:
        raise NovaConflict("The group is still used.", code="state_conflict")

    turnstile = a_turnstile(a_tool(show=show))

    outcome = await turnstile.pass_call(a_raw_call())

    assert isinstance(outcome, Failed)
    assert outcome.code == "state_conflict"
    assert "The group is still used." in outcome.text
    assert turnstile.previews.stored == []


async def test_a2_c2_no_card_is_made_for_whoever_is_not_signed_in_any_more() -> None:
    async def show(_arguments: ToolArguments, _nova: Nova) -> Shown:
        raise NovaUnauthenticated

    turnstile = a_turnstile(a_tool(show=show))

    outcome = await turnstile.pass_call(a_raw_call())

    assert isinstance(outcome, Refused)
    assert outcome.refusal.reason == "session_ended"
    assert turnstile.previews.stored == []


async def test_c2_a_destructive_tool_that_can_show_nothing_runs_never() -> None:
    run = Counted()

    outcome = await a_turnstile(a_tool(run=run, show=None)).pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Failed)
    assert run.runs == 0


async def test_c3_an_agreed_call_runs_once_with_the_shown_version() -> None:
    run, preview = Counted(), a_preview()
    turnstile = agreed_to(preview, run)

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Ran)
    assert (run.runs, run.if_matches) == (1, ['"1"'])
    assert turnstile.previews.consumed == [preview.id]
    assert turnstile.previews.outcomes == [(preview.id, PreviewOutcome.DONE)]


async def test_c3_without_the_models_confirmation_an_agreed_call_is_shown_again() -> None:
    run = Counted()

    outcome = await agreed_to(a_preview(), run).pass_call(a_raw_call())

    assert isinstance(outcome, Previewed)
    assert run.runs == 0


async def test_c5_an_expired_preview_runs_nothing() -> None:
    run = Counted()
    turnstile = agreed_to(a_preview(), run)
    turnstile.change(now=TOO_LATE)

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.CONFIRMATION_INVALID, "expired")
    assert run.runs == 0


async def test_c6_a_changed_call_is_shown_anew() -> None:
    run = Counted()
    turnstile = agreed_to(a_preview(), run)

    outcome = await turnstile.pass_call(a_raw_call(arguments=OTHER))

    assert isinstance(outcome, Previewed)
    assert outcome.because == "arguments_changed"
    assert outcome.preview.call.arguments["group_id"] == "grp_2"
    assert (run.runs, turnstile.previews.consumed) == (0, [])


@pytest.mark.parametrize("value", ["true", 1, None, [], {}])
async def test_c6_confirmed_is_a_boolean_or_the_call_is_refused(value: JsonValue) -> None:
    run = Counted()
    turnstile = agreed_to(a_preview(), run)

    outcome = await turnstile.pass_call(a_raw_call(arguments={"group_id": "grp_1", "confirmed": value}))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.reason == "confirmed_not_boolean"
    assert (run.runs, turnstile.previews.stored) == (0, [])


async def test_c6_confirmed_is_an_unknown_argument_of_every_other_tool() -> None:
    outcome = await a_turnstile(a_writing_tool()).pass_call(a_raw_call("update_group", CONFIRMED))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.code is Code.INVALID_ARGUMENTS


async def test_c7_a_confirmation_without_any_card_makes_a_card() -> None:
    run = Counted()

    outcome = await a_turnstile(a_tool(run=run)).pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Previewed)
    assert run.runs == 0


@pytest.mark.parametrize("held_to_be_agreed", [True, False])
async def test_c7_the_model_cannot_confirm_in_the_message_that_produced_the_preview(*, held_to_be_agreed: bool) -> None:
    run = Counted()
    turnstile = a_turnstile(a_tool(run=run), a_reading_tool())
    shown = await turnstile.pass_call(a_raw_call())
    assert isinstance(shown, Previewed)
    if held_to_be_agreed:
        turnstile.change(agreed=shown.preview)

    for _ in range(10):
        await turnstile.pass_call(a_raw_call("list_groups"))
        outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

        assert isinstance(outcome, Refused)
        assert outcome.refusal.reason == "same_message"
    assert (run.runs, len(turnstile.previews.stored)) == (0, 1)


async def test_c7_a_claim_on_a_preview_that_the_reply_made_void_is_refused() -> None:
    run = Counted()
    turnstile = a_turnstile(a_tool(run=run))
    turnstile.change(voided=a_preview(), turn=a_turn(text="What is the weather?"))

    claimed = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))
    asked = await turnstile.pass_call(a_raw_call())

    assert isinstance(claimed, Refused)
    assert claimed.refusal.reason == "not_agreed"
    assert isinstance(asked, Previewed)
    assert run.runs == 0


async def test_c5_a_claim_on_a_preview_that_expired_meanwhile_is_told_so() -> None:
    turnstile = a_turnstile(a_tool())
    turnstile.change(voided=a_preview(), now=TOO_LATE)

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.reason == "expired"


async def test_c7_a_claim_on_another_call_than_the_void_one_makes_a_card() -> None:
    turnstile = a_turnstile(a_tool())
    turnstile.change(voided=a_preview(), turn=a_turn(text="Rather the other one"))

    outcome = await turnstile.pass_call(a_raw_call(arguments=OTHER))

    assert isinstance(outcome, Previewed)


async def test_c7_a_void_preview_is_never_good_again_even_if_the_words_agree() -> None:
    run = Counted()
    turnstile = a_turnstile(a_tool(run=run))
    turnstile.change(voided=a_preview())

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.reason, run.runs) == ("not_agreed", 0)


async def test_c7_the_gate_reads_the_persons_own_words_whatever_the_engine_says() -> None:
    run = Counted()
    turnstile = agreed_to(a_preview(), run)
    turnstile.change(turn=a_turn(text="he said yes"))

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Refused)
    assert run.runs == 0


async def test_c8_the_button_runs_exactly_the_stored_call() -> None:
    seen: list[dict[str, object]] = []

    async def run(arguments: ToolArguments, _nova: Nova) -> JsonValue:
        seen.append(arguments.model_dump())
        return "done"

    preview = a_preview(call=a_call(arguments={"group_id": "grp_1", "note": "ö"}))
    turnstile = a_turnstile(a_tool(run=run))
    turnstile.change(turn=a_turn(message=ConfirmMessage(preview_id=preview.id)), read_only=True)

    outcome = await turnstile.press(preview)

    assert isinstance(outcome, Ran)
    assert seen == [{"group_id": "grp_1", "note": "ö", "limit": 50}]
    assert turnstile.previews.outcomes == [(preview.id, PreviewOutcome.DONE)]


async def test_c8_after_the_button_reading_tools_run_and_others_do_not() -> None:
    turnstile = pressed(a_preview(), Counted())
    await turnstile.press(a_preview())

    read = await turnstile.pass_call(a_raw_call("list_groups"))
    write = await turnstile.pass_call(a_raw_call("update_group"))
    destroy = await turnstile.pass_call(a_raw_call(arguments=OTHER))

    assert isinstance(read, Ran)
    for outcome in (write, destroy):
        assert isinstance(outcome, Refused)
        assert outcome.refusal.code is Code.READ_ONLY_REPLY


async def test_c9_e2_a_second_destructive_call_is_told_to_come_back() -> None:
    run = Counted()
    turnstile = a_turnstile(a_tool(run=run), a_tool("purge_group", run=run))

    first = await turnstile.pass_call(a_raw_call())
    second = await turnstile.pass_call(a_raw_call("purge_group"))

    assert isinstance(first, Previewed)
    assert isinstance(second, Refused)
    assert second.refusal.code is Code.LIMIT_DESTRUCTIVE
    assert len(turnstile.previews.stored) == 1


async def test_c9_after_a_confirmed_action_neither_a_second_one_nor_a_preview_is_possible() -> None:
    run = Counted()
    turnstile = agreed_to(a_preview(), run)
    turnstile.previews.consumable = 5
    await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    again = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))
    shown = await turnstile.pass_call(a_raw_call(arguments=OTHER))

    for outcome in (again, shown):
        assert isinstance(outcome, Refused)
        assert outcome.refusal.code is Code.LIMIT_DESTRUCTIVE
    assert (run.runs, turnstile.previews.stored) == (1, [])


async def test_c10_whoever_loses_the_preview_runs_nothing() -> None:
    run = Counted()
    turnstile = agreed_to(a_preview(), run)
    turnstile.previews.consumable = 0

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.CONFIRMATION_INVALID, "used")
    assert (run.runs, turnstile.previews.outcomes) == (0, [])


@pytest.mark.parametrize("error", [NovaUnavailable(), TimeoutError(), RuntimeError("hunter2")])
async def test_c10_a_lost_answer_is_shown_as_unknown_and_not_repeated(error: Exception) -> None:
    run, preview = Counted(error=error), a_preview()
    turnstile = agreed_to(preview, run)

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Failed)
    assert outcome.is_unknown
    assert "hunter2" not in outcome.content
    assert turnstile.previews.outcomes == [(preview.id, PreviewOutcome.UNKNOWN)]
    assert run.runs == 1


async def test_c10_a_write_whose_outcome_is_unknown_is_not_repeated_in_the_turn() -> None:
    run = Counted(error=NovaUnavailable())
    turnstile = a_turnstile(a_writing_tool(run=run))
    await turnstile.pass_call(a_raw_call("update_group"))

    again = await turnstile.pass_call(a_raw_call("update_group"))

    assert isinstance(again, Refused)
    assert (again.refusal.code, again.refusal.reason) == (Code.LIMIT_REPEATED_CALL, "outcome_unknown")
    assert run.runs == 1


async def test_c10_a_cancelled_call_leaves_its_outcome_unknown() -> None:
    turnstile = agreed_to(a_preview(), Counted(error=asyncio.CancelledError()))

    with pytest.raises(asyncio.CancelledError):
        await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert turnstile.previews.consumed
    assert turnstile.previews.outcomes == []


@pytest.mark.parametrize(
    ("error", "noted"),
    [(NovaConflict("Still used."), PreviewOutcome.FAILED), (NovaUnauthenticated(), PreviewOutcome.REFUSED)],
)
async def test_c10_what_became_of_the_call_is_noted(error: Exception, noted: PreviewOutcome) -> None:
    turnstile = agreed_to(a_preview(), Counted(error=error))

    await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert turnstile.previews.outcomes == [("prv_1", noted)]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"identity": None}, Code.NOT_PERMITTED),
        ({"assistant": an_assistant("list_groups")}, Code.NOT_RELEASED),
        ({"assistant": None}, Code.NOT_RELEASED),
        ({"turn": a_turn(number=5)}, Code.CONFIRMATION_INVALID),
    ],
)
async def test_c11_rights_and_list_are_tested_again_when_the_button_runs(
    changes: dict[str, object], code: Code
) -> None:
    run, preview = Counted(), a_preview()
    turnstile = pressed(preview, run)
    turnstile.change(**changes)

    outcome = await turnstile.press(preview)

    assert isinstance(outcome, Refused)
    assert outcome.refusal.code is code
    assert turnstile.previews.outcomes == [(preview.id, PreviewOutcome.REFUSED)]
    assert run.runs == 0


@pytest.mark.parametrize(
    ("used", "code"),
    [
        (lambda ledger: ledger.count_destructive(), Code.LIMIT_DESTRUCTIVE),
        (lambda ledger: ledger.count_result("x" * 60_000), Code.LIMIT_TOOL_RESULTS),
    ],
)
async def test_c11_limits_are_tested_again_when_the_button_runs(used: Callable[[TurnLedger], None], code: Code) -> None:
    run = Counted()
    turnstile = pressed(a_preview(), run)
    used(turnstile.ledger)

    outcome = await turnstile.press(a_preview())

    assert isinstance(outcome, Refused)
    assert outcome.refusal.code is code
    assert run.runs == 0


async def test_c11_secrets_are_tested_again_when_the_button_runs() -> None:
    run = Counted()
    preview = a_preview(call=a_call(arguments={"group_id": "grp_1", "note": "ghp_0123456789abcdefghij"}))

    outcome = await pressed(preview, run).press(preview)

    assert isinstance(outcome, Refused)
    assert outcome.refusal.code is Code.SECRET_ARGUMENT
    assert run.runs == 0


class Stricter(GroupArguments):
    """What the tool takes after an update of the product."""

    limit: int = Field(10, le=10)


class Wider(GroupArguments):
    """What the tool takes after another update."""

    thoroughly: bool = True


@pytest.mark.parametrize(
    ("arguments", "code"), [(Stricter, Code.INVALID_ARGUMENTS), (Wider, Code.CONFIRMATION_INVALID)]
)
async def test_c8_c11_a_stored_call_that_is_not_exactly_the_tools_any_more_does_not_run(
    arguments: type[ToolArguments], code: Code
) -> None:
    run, preview = Counted(), a_preview(call=a_call(a_tool()))

    outcome = await pressed(preview, run, arguments=arguments).press(preview)

    assert isinstance(outcome, Refused)
    assert outcome.refusal.code is code
    assert run.runs == 0


@pytest.mark.parametrize("by", ["button", "words"])
async def test_c14_a_changed_object_is_shown_again_instead_of_touched(by: str) -> None:
    run, show = Counted(), Changing()
    preview = a_preview(shown=Shown(subject="Contractors", current_state={"members": 0}, etag='"0"'))
    turnstile = pressed(preview, run, show=show) if by == "button" else agreed_to(preview, run, show=show)

    outcome = await (
        turnstile.press(preview) if by == "button" else turnstile.pass_call(a_raw_call(arguments=CONFIRMED))
    )

    assert isinstance(outcome, Previewed)
    assert outcome.because == "object_changed"
    assert outcome.preview.shown.current_state == {"members": 1}
    assert turnstile.previews.outcomes == ([(preview.id, PreviewOutcome.REFUSED)] if by == "button" else [])
    assert (run.runs, turnstile.previews.consumed) == (0, [])


async def test_c14_an_object_that_changes_in_between_is_shown_again() -> None:
    run, preview = Counted(error=NovaPreconditionFailed("Changed.")), a_preview()
    turnstile = agreed_to(preview, run)

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Previewed)
    assert outcome.because == "object_changed"
    assert turnstile.previews.outcomes == [(preview.id, PreviewOutcome.REFUSED)]


@pytest.mark.parametrize("by", ["button", "words"])
async def test_c14_a_card_that_can_no_longer_be_shown_runs_nothing(by: str) -> None:
    async def show(_arguments: ToolArguments, _nova: Nova) -> Shown:
        raise NovaConflict("Gone already.")

    run, preview = Counted(), a_preview()
    turnstile = pressed(preview, run, show=show) if by == "button" else agreed_to(preview, run, show=show)

    outcome = await (
        turnstile.press(preview) if by == "button" else turnstile.pass_call(a_raw_call(arguments=CONFIRMED))
    )

    assert isinstance(outcome, Failed)
    assert (run.runs, turnstile.previews.stored, turnstile.previews.consumed) == (0, [], [])
    assert turnstile.previews.outcomes == ([(preview.id, PreviewOutcome.REFUSED)] if by == "button" else [])


async def test_c14_a_flow_that_stops_in_between_tells_so_and_is_not_simply_shown_again() -> None:
    turnstile = agreed_to(a_preview(), Counted(error=NovaPreconditionFailed("Changed.")), is_flow=True)

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Failed)
    assert outcome.code == "precondition_failed"


async def test_c10_a_tool_is_given_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(_arguments: ToolArguments, _nova: Nova) -> JsonValue:
        await asyncio.Event().wait()
        return "never"

    monkeypatch.setattr("nova_ui.guardrails.failing.MAX_TOOL_SECONDS", 0.01)

    outcome = await a_turnstile(a_writing_tool(run=run)).pass_call(a_raw_call("update_group"))

    assert isinstance(outcome, Failed)
    assert outcome.is_unknown
