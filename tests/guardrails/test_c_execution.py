"""C: exactly the confirmed call runs, once, tested again, on the object that was shown (at the gate)."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from pydantic import Field

from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import PreviewOutcome
from nova_ui.domain.tool import Nova, Shown, ToolArguments
from nova_ui.errors import NovaConflict, NovaPreconditionFailed, NovaUnauthenticated, NovaUnavailable
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.outcome import Failed, Previewed, Ran, Refused
from nova_ui.guardrails.refusal import Code
from tests.builders import GroupArguments, a_call, a_preview, a_raw_call, a_tool, a_turn, a_writing_tool, an_assistant
from tests.guardrails.doors import Counted, a_turnstile
from tests.guardrails.turns import CONFIRMED, Changing, agreed_to, pressed


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
    """Abuse case 25."""
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
    assert outcome.tool is not None
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


async def test_c8_the_steps_of_a_pressed_flow_run_though_the_reply_to_it_may_only_read() -> None:
    step = Counted()

    async def flow(_arguments: ToolArguments, nova: Nova) -> JsonValue:
        return await nova.run_tool("remove_members", {"group_id": "grp_1"})

    turnstile = a_turnstile(
        a_tool(run=flow, is_flow=True, inner_tools=("remove_members",)),
        a_writing_tool("remove_members", run=step),
        a_writing_tool(),
    )
    turnstile.change(turn=a_turn(message=ConfirmMessage(preview_id=a_preview().id)), read_only=True)

    pressed_flow = await turnstile.press(a_preview())
    afterwards = await turnstile.pass_call(a_raw_call("remove_members"))

    assert isinstance(pressed_flow, Ran)
    assert isinstance(afterwards, Refused)
    assert step.runs == 1


async def test_c11_secrets_are_tested_again_when_the_button_runs() -> None:
    run = Counted()
    preview = a_preview(call=a_call(arguments={"group_id": "grp_1", "note": "ghp_0123456789abcdefghij"}))

    outcome = await pressed(preview, run).press(preview)

    assert isinstance(outcome, Refused)
    assert outcome.refusal.code is Code.SECRET_ARGUMENT
    assert run.runs == 0


async def test_c8_what_runs_is_what_was_compared_even_if_the_stored_text_says_otherwise() -> None:
    ran: list[JsonValue] = []

    async def run(arguments: ToolArguments, _nova: Nova) -> JsonValue:
        ran.append(arguments.model_dump()["group_id"])
        return "done"

    call = a_call()
    preview = a_preview(call=replace(call, canonical=call.canonical.replace("grp_1", "grp_2")))

    await pressed(preview, run).press(preview)

    assert ran == ["grp_1"]


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
    """Abuse case 26."""
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
    """Abuse case 26."""
    run, preview = Counted(error=NovaPreconditionFailed("Changed.")), a_preview()
    turnstile = agreed_to(preview, run)

    outcome = await turnstile.pass_call(a_raw_call(arguments=CONFIRMED))

    assert isinstance(outcome, Previewed)
    assert outcome.because == "object_changed"
    assert turnstile.previews.outcomes == [(preview.id, PreviewOutcome.REFUSED)]


@pytest.mark.parametrize("by", ["button", "words"])
async def test_c14_a_card_that_can_no_longer_be_shown_runs_nothing(by: str) -> None:
    """Abuse case 26."""

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
