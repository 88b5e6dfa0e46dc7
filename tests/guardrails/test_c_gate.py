"""C: a destructive call is shown first, and only the person confirms it (at the gate)."""

import pytest

from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import PreviewOutcome
from nova_ui.domain.tool import Nova, Shown, ToolArguments
from nova_ui.errors import NovaConflict, NovaUnauthenticated
from nova_ui.guardrails.limits import MAX_SAME_CALL, MAX_TURN_RESULT_CHARS
from nova_ui.guardrails.outcome import Failed, Previewed, Ran, Refused
from nova_ui.guardrails.refusal import Code
from tests.builders import (
    TOO_LATE,
    a_call,
    a_preview,
    a_raw_call,
    a_reading_tool,
    a_tool,
    a_turn,
    a_writing_tool,
    an_assistant,
)
from tests.guardrails.doors import Counted, a_turnstile
from tests.guardrails.turns import CONFIRMED, OTHER, agreed_to, pressed


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
    assert outcome.code == "internal"
    assert run.runs == 0


async def test_c2_a_card_that_can_t_be_read_has_changed_nothing_and_may_be_asked_for_again() -> None:
    async def show(_arguments: ToolArguments, _nova: Nova) -> Shown:
        raise RuntimeError

    turnstile = a_turnstile(a_tool(show=show))

    outcome = await turnstile.pass_call(a_raw_call())

    assert isinstance(outcome, Failed)
    assert not outcome.is_unknown


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
    assert second.tool is not None
    assert second.tool.name == "purge_group"
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


async def test_h4_every_refusal_of_a_call_says_of_which_tool_it_is() -> None:
    """Or the chat could not show which step it was."""
    turnstile = a_turnstile(a_writing_tool(), a_reading_tool())
    turnstile.change(assistant=an_assistant("update_group"))
    outcomes = [
        await turnstile.pass_call(a_raw_call("list_groups")),
        await turnstile.pass_call(a_raw_call("update_group", {"unknown": 1})),
    ]
    outcomes += [await turnstile.pass_call(a_raw_call("update_group")) for _ in range(MAX_SAME_CALL + 1)]
    turnstile.ledger.count_result("x" * MAX_TURN_RESULT_CHARS)
    outcomes.append(await turnstile.pass_call(a_raw_call("update_group")))

    refusals = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert [refusal.refusal.code for refusal in refusals] == [
        Code.NOT_RELEASED,
        Code.INVALID_ARGUMENTS,
        Code.LIMIT_REPEATED_CALL,
        Code.LIMIT_TOOL_RESULTS,
    ]
    assert [refusal.tool and refusal.tool.name for refusal in refusals] == ["list_groups", *["update_group"] * 3]
