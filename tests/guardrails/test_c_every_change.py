"""C15 as the gate decides it: with `ask_before_changes` every call that changes something waits on a card."""

from dataclasses import replace

import pytest

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import Nova, ToolArguments, ToolKind
from nova_ui.guardrails.offer import offered_tools
from nova_ui.guardrails.outcome import Previewed, Ran, Refused
from nova_ui.guardrails.unattended import check_kind
from tests.builders import (
    a_call,
    a_preview,
    a_raw_call,
    a_reading_tool,
    a_tool,
    a_turn,
    a_writing_tool,
    an_administrator,
    an_assistant,
)
from tests.guardrails.doors import Counted, Turnstile, a_situation, a_turnstile

UPDATE = "update_group"
CONFIRMED: dict[str, JsonValue] = {"group_id": "grp_1", "confirmed": True}


def asking(run: Counted, *, every_change: bool = True) -> Turnstile:
    """A turn with an assistant that asks before every change, or does not."""
    tools = (a_writing_tool(run=run), a_reading_tool(), a_writing_tool("rename_group", run=run), a_tool(run=run))
    turnstile = a_turnstile(*tools)
    ask(turnstile, every_change=every_change)
    return turnstile


def ask(turnstile: Turnstile, *, every_change: bool) -> None:
    turnstile.change(assistant=an_assistant(*turnstile.tools, ask_before_changes=every_change))


async def test_c15_a_writing_call_is_shown_and_not_run_where_every_change_is_asked_about() -> None:
    run = Counted()
    turnstile = asking(run)

    outcome = await turnstile.pass_call(a_raw_call(UPDATE))

    assert isinstance(outcome, Previewed)
    assert [one.call.tool_name for one in turnstile.previews.stored] == [UPDATE]
    assert run.runs == 0


async def test_c15_a_writing_call_from_the_menu_waits_as_well() -> None:
    run = Counted()

    outcome = await asking(run).pass_call(a_raw_call(UPDATE), by_person=True)

    assert isinstance(outcome, Previewed)
    assert run.runs == 0


async def test_c15_reading_goes_on_and_nothing_waits_where_it_is_not_asked_for() -> None:
    run = Counted()

    read = await asking(Counted()).pass_call(a_raw_call("list_groups"))
    written = await asking(run, every_change=False).pass_call(a_raw_call(UPDATE))

    assert isinstance(read, Ran)
    assert isinstance(written, Ran)
    assert run.runs == 1


async def test_c15_the_model_can_not_confirm_a_change_by_itself() -> None:
    run = Counted()
    turnstile = asking(run)

    first = await turnstile.pass_call(a_raw_call(UPDATE, CONFIRMED))
    again = await turnstile.pass_call(a_raw_call(UPDATE, CONFIRMED, call_id="again"))

    assert isinstance(first, Previewed)
    assert isinstance(again, Refused)
    assert again.refusal.reason == "same_message"
    assert run.runs == 0


async def test_c15_a_typed_yes_runs_the_change_that_was_shown_and_nothing_else() -> None:
    """Changes and destructive actions share the one confirmed action of a turn (rules C9, E2)."""
    run = Counted()
    turnstile = asking(run)
    turnstile.change(agreed=a_preview(call=a_call(turnstile.tools[UPDATE])))

    other = await turnstile.pass_call(a_raw_call(UPDATE, {**CONFIRMED, "note": "another"}))
    turnstile = replace(turnstile, previews=type(turnstile.previews)(), ledger=type(turnstile.ledger)())
    done = await turnstile.pass_call(a_raw_call(UPDATE, CONFIRMED))
    more = [await turnstile.pass_call(a_raw_call(name, call_id=name)) for name in ("rename_group", "delete_group")]

    assert isinstance(other, Previewed)
    assert isinstance(done, Ran)
    assert [one.refusal.reason if isinstance(one, Refused) else one for one in more] == ["limit", "limit"]
    assert run.runs == 1
    assert run.if_matches == ['"1"']


@pytest.mark.parametrize("again_on", [False, True])
async def test_c15_what_was_shown_runs_once_whatever_is_switched_meanwhile(*, again_on: bool) -> None:
    run = Counted()
    turnstile = asking(run, every_change=False)  # switched off after the card was shown
    turnstile.change(agreed=a_preview(call=a_call(turnstile.tools[UPDATE])))

    done = await turnstile.pass_call(a_raw_call(UPDATE, CONFIRMED))
    ask(turnstile, every_change=again_on)
    again = [await turnstile.pass_call(a_raw_call(UPDATE, one, call_id="x")) for one in (CONFIRMED, None)]

    assert isinstance(done, Ran)
    assert all(isinstance(one, Refused) for one in again)
    assert run.runs == 1


async def test_c15_a_card_that_was_answered_with_something_else_runs_nothing_when_it_is_switched_off() -> None:
    run = Counted()
    turnstile = asking(run, every_change=False)
    turnstile.change(voided=a_preview(call=a_call(turnstile.tools[UPDATE])), turn=a_turn(text="no, wait"))

    outcome = await turnstile.pass_call(a_raw_call(UPDATE, CONFIRMED))

    assert isinstance(outcome, Refused)
    assert run.runs == 0


async def test_c15_switched_on_within_a_turn_it_counts_from_the_next_call_on() -> None:
    """As a tool that is taken off the list (rule B7)."""
    run = Counted()
    turnstile = asking(run, every_change=False)

    first = await turnstile.pass_call(a_raw_call(UPDATE))
    ask(turnstile, every_change=True)
    then = await turnstile.pass_call(a_raw_call(UPDATE, call_id="then"))

    assert isinstance(first, Ran)
    assert isinstance(then, Previewed)
    assert run.runs == 1


async def test_c15_the_card_of_a_flow_covers_its_steps_and_nothing_runs_before_it() -> None:
    """An inner change is covered by the card of the flow that makes it, as an inner destructive one is (rule B2)."""
    inner = Counted()

    async def run(_arguments: ToolArguments, nova: Nova) -> JsonValue:
        return await nova.run_tool(UPDATE, {"group_id": "grp_1"})

    flow = a_tool("tidy_up", ToolKind.WRITE, endpoints=(), run=run, is_flow=True, inner_tools=(UPDATE,))
    turnstile = a_turnstile(flow, a_writing_tool(run=inner))
    ask(turnstile, every_change=True)
    shown = await turnstile.pass_call(a_raw_call("tidy_up"))
    before = inner.runs
    turnstile = replace(turnstile, previews=type(turnstile.previews)(), ledger=type(turnstile.ledger)())
    turnstile.change(agreed=a_preview(call=a_call(flow)))

    done = await turnstile.pass_call(a_raw_call("tidy_up", CONFIRMED))

    assert isinstance(shown, Previewed)
    assert isinstance(done, Ran)
    assert (before, inner.runs) == (0, 1)


def test_c15_where_nobody_confirms_nothing_runs_that_is_asked_about() -> None:
    kinds = frozenset({ToolKind.READ, ToolKind.WRITE})

    asked = check_kind(a_writing_tool(), kinds, every_change=True)

    assert asked is not None
    assert asked.reason == "nobody_confirms"
    assert check_kind(a_writing_tool(), kinds) is None
    assert check_kind(a_writing_tool(), frozenset(ToolKind), every_change=True) is None


async def test_c15_a_run_without_a_person_makes_no_change_where_every_change_is_asked_about() -> None:
    run = Counted()
    turnstile = asking(run)
    turnstile.change(kinds=frozenset({ToolKind.READ, ToolKind.WRITE}))

    outcome = await turnstile.pass_call(a_raw_call(UPDATE))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.reason == "nobody_confirms"
    assert run.runs == 0
    assert a_situation().assistant is not None


@pytest.mark.parametrize(
    ("every_change", "offered"), [(True, ["list_groups"]), (False, ["update_group", "list_groups"])]
)
def test_c15_what_nobody_could_confirm_is_not_offered(*, every_change: bool, offered: list[str]) -> None:
    tools = {tool.name: tool for tool in (a_writing_tool(), a_reading_tool())}

    found = offered_tools(
        tools,
        an_assistant(*tools, ask_before_changes=every_change),
        an_administrator(),
        read_only=False,
        released_at_start=frozenset(tools),
        kinds=frozenset({ToolKind.READ, ToolKind.WRITE}),
    )

    assert [tool.name for tool in found] == offered
