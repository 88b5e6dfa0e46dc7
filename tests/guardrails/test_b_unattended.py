"""B, C: what may run where nobody sits before the screen, in every indirect way too."""

import pytest

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import AnyTool, Nova, ToolArguments, ToolKind
from nova_ui.errors import InnerCallRefused
from nova_ui.guardrails.offer import offered_tools
from nova_ui.guardrails.outcome import Ran, Refused
from nova_ui.guardrails.unattended import find_unusable
from tests.builders import (
    a_preview,
    a_raw_call,
    a_reading_tool,
    a_tool,
    a_writing_tool,
    an_administrator,
    an_assistant,
)
from tests.guardrails.doors import Counted, a_situation, a_turnstile

READS = frozenset({ToolKind.READ})
WRITES = frozenset({ToolKind.READ, ToolKind.WRITE})


@pytest.mark.parametrize("arguments", [{"group_id": "grp_1"}, {"group_id": "grp_1", "confirmed": True}])
@pytest.mark.parametrize("kinds", [READS, WRITES])
async def test_c2_a_destructive_call_is_refused_before_anything_is_shown(
    arguments: dict[str, JsonValue], kinds: frozenset[ToolKind]
) -> None:
    run = Counted()
    turnstile = a_turnstile(a_tool(run=run))
    turnstile.change(kinds=kinds)

    outcome = await turnstile.pass_call(a_raw_call(arguments=arguments))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.reason == "nobody_confirms"
    assert (run.runs, turnstile.previews.stored) == (0, [])


async def test_c7_not_even_an_agreed_preview_runs_where_nobody_confirms() -> None:
    run = Counted()
    preview = a_preview()
    turnstile = a_turnstile(a_tool(run=run))
    turnstile.change(kinds=WRITES, agreed=preview)

    claimed = await turnstile.pass_call(a_raw_call(arguments={"group_id": "grp_1", "confirmed": True}))
    pressed = await turnstile.press(preview)

    assert isinstance(claimed, Refused)
    assert isinstance(pressed, Refused)
    assert run.runs == 0


async def test_b1_writing_passes_only_where_it_is_allowed() -> None:
    run = Counted()
    turnstile = a_turnstile(a_writing_tool(run=run))
    turnstile.change(kinds=READS)

    refused = await turnstile.pass_call(a_raw_call("update_group"))
    turnstile.change(kinds=WRITES)
    passed = await turnstile.pass_call(a_raw_call("update_group", call_id="again"))

    assert isinstance(refused, Refused)
    assert refused.refusal.reason == "routine_reads_only"
    assert isinstance(passed, Ran)
    assert run.runs == 1


@pytest.mark.parametrize(
    ("flow_kind", "inner", "kinds", "reason"),
    [
        (ToolKind.WRITE, a_tool(), WRITES, "nobody_confirms"),
        (ToolKind.READ, a_writing_tool(), READS, "routine_reads_only"),
    ],
)
async def test_b2_a_flow_reaches_no_kind_that_may_not_run(
    flow_kind: ToolKind, inner: AnyTool, kinds: frozenset[ToolKind], reason: str
) -> None:
    caught: list[str] = []

    async def run(_arguments: ToolArguments, nova: Nova) -> JsonValue:
        try:
            return await nova.run_tool(inner.name, {"group_id": "grp_1"})
        except InnerCallRefused as refused:
            caught.append(refused.reason)
            return "refused"

    flow = a_tool("look_around", flow_kind, endpoints=(), run=run, show=None, is_flow=True, inner_tools=(inner.name,))
    turnstile = a_turnstile(flow, inner)
    turnstile.change(kinds=kinds)

    await turnstile.pass_call(a_raw_call("look_around"))

    assert caught == [reason]


def test_a3_nothing_is_offered_that_may_not_run() -> None:
    tools = {tool.name: tool for tool in (a_tool(), a_reading_tool(), a_writing_tool())}
    assistant = an_assistant(*tools)

    offered = [
        [
            tool.name
            for tool in offered_tools(
                tools,
                assistant,
                an_administrator(),
                read_only=False,
                released_at_start=frozenset(tools),
                kinds=kinds,
            )
        ]
        for kinds in (READS, WRITES)
    ]

    assert offered == [["list_groups"], ["list_groups", "update_group"]]


def test_b1_a_tool_list_is_checked_when_it_is_stored() -> None:
    tools = {tool.name: tool for tool in (a_tool(), a_reading_tool(), a_writing_tool())}

    assert find_unusable([*tools, "nothing"], tools, READS) == ("delete_group", "update_group", "nothing")
    assert find_unusable([*tools], tools, WRITES) == ("delete_group",)
    assert a_situation().kinds == frozenset(ToolKind)
