"""A: only the rights of the signed-in identity."""

import pytest

from nova_ui.domain.identity import Role
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import Nova, ToolArguments, ToolKind
from nova_ui.errors import NovaForbidden, NovaUnauthenticated
from nova_ui.guardrails.flows import check_flow
from nova_ui.guardrails.offer import offered_tools
from nova_ui.guardrails.outcome import Failed, Ran, Refused
from nova_ui.guardrails.refusal import Code
from nova_ui.guardrails.roles import check_roles
from tests.builders import (
    a_raw_call,
    a_reading_tool,
    a_tool,
    a_writing_tool,
    an_administrator,
    an_assistant,
    an_identity,
)
from tests.guardrails.doors import Counted, a_situation, a_turnstile

ADMINISTRATORS = frozenset({Role.ADMINISTRATOR})


async def test_a2_an_ended_session_refuses_the_very_next_call() -> None:
    run = Counted()
    turnstile = a_turnstile(a_reading_tool(run=run))
    await turnstile.pass_call(a_raw_call("list_groups"))

    turnstile.change(identity=None)
    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.NOT_PERMITTED, "session_ended")
    assert run.runs == 1


async def test_a2_a_session_that_the_endpoint_finds_ended_is_told_the_same_way() -> None:
    turnstile = a_turnstile(a_reading_tool(run=Counted(error=NovaUnauthenticated())))

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.reason == "session_ended"
    assert outcome.tool is not None


async def test_a2_an_inner_call_is_decided_by_what_holds_then() -> None:
    async def flow(_arguments: ToolArguments, nova: Nova) -> JsonValue:
        turnstile.change(identity=None)
        return await nova.run_tool("list_groups", {"group_id": "grp_1"})

    inner = Counted()
    turnstile = a_turnstile(
        a_tool("tidy_up", ToolKind.WRITE, run=flow, is_flow=True, show=None, inner_tools=("list_groups",)),
        a_reading_tool(run=inner),
    )

    outcome = await turnstile.pass_call(a_raw_call("tidy_up"))

    assert isinstance(outcome, Failed)
    assert outcome.code == Code.NOT_PERMITTED
    assert inner.runs == 0


async def test_a2_a_withdrawn_role_counts_from_the_next_call_on() -> None:
    turnstile = a_turnstile(a_reading_tool(roles=ADMINISTRATORS))
    before = await turnstile.pass_call(a_raw_call("list_groups"))

    turnstile.change(identity=an_identity(identity_id="idn_root"))
    after = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(before, Ran)
    assert isinstance(after, Refused)
    assert (after.refusal.code, after.refusal.reason) == (Code.NOT_PERMITTED, "role")


def test_a3_offered_is_what_both_the_list_and_the_role_allow() -> None:
    tools = {
        tool.name: tool
        for tool in (
            a_reading_tool("list_groups"),
            a_reading_tool("list_secrets", roles=ADMINISTRATORS),
            a_writing_tool("update_group"),
            a_reading_tool("list_roles"),
        )
    }
    assistant = an_assistant("list_groups", "list_secrets", "update_group")
    released = assistant.tools.names

    def names(*roles: Role, read_only: bool = False) -> list[str]:
        offered = offered_tools(tools, assistant, an_identity(*roles), read_only=read_only, released_at_start=released)
        return [tool.name for tool in offered]

    assert names() == ["list_groups", "update_group"]
    assert names(Role.ADMINISTRATOR) == ["list_groups", "list_secrets", "update_group"]
    assert names(read_only=True) == ["list_groups"]


def test_a3_a_flow_is_offered_only_with_its_steps_and_an_export_by_what_is_asked() -> None:
    flow = a_tool("tidy_up", ToolKind.WRITE, inner_tools=("list_groups",))
    export = a_tool(
        "create_export",
        ToolKind.WRITE,
        inner_tools=("list_groups",),
        inner_tools_of=lambda _arguments: ("list_groups",),
    )
    tools = {tool.name: tool for tool in (flow, export, a_reading_tool())}

    def names(*listed: str) -> list[str]:
        assistant = an_assistant(*listed)
        offered = offered_tools(
            tools, assistant, an_identity(), read_only=False, released_at_start=assistant.tools.names
        )
        return [tool.name for tool in offered]

    assert names("tidy_up", "create_export") == ["create_export"]
    assert names("tidy_up", "create_export", "list_groups") == ["tidy_up", "create_export", "list_groups"]


def test_a3_nothing_is_offered_of_an_assistant_that_is_not_for_the_identity() -> None:
    tools = {"list_groups": a_reading_tool()}
    assistant = an_assistant("list_groups", enabled=False)

    offered = offered_tools(
        tools, assistant, an_identity(), read_only=False, released_at_start=frozenset({"list_groups"})
    )

    assert offered == ()


def test_a3_roles_admit_a_tool_if_one_of_them_is_released() -> None:
    tool = a_reading_tool(roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR}))

    assert check_roles(tool, an_identity(Role.AUDITOR)) is None
    assert check_roles(tool, an_identity(Role.MANAGER)) is not None


@pytest.mark.parametrize(
    ("is_flow", "kind", "self_service", "is_administrator", "may"),
    [
        (True, ToolKind.WRITE, False, False, False),
        (True, ToolKind.DESTRUCTIVE, False, False, False),
        (True, ToolKind.WRITE, False, True, True),
        (True, ToolKind.WRITE, True, False, True),
        (True, ToolKind.READ, False, False, True),
        (False, ToolKind.WRITE, False, False, True),
    ],
)
def test_a4_a_writing_flow_is_for_administrators_unless_it_is_self_service(
    *, is_flow: bool, kind: ToolKind, self_service: bool, is_administrator: bool, may: bool
) -> None:
    tool = a_tool("do_much", kind, is_flow=is_flow, self_service=self_service)
    identity = an_administrator() if is_administrator else an_identity()

    assert (check_flow(tool, identity) is None) is may


async def test_a4_a_flow_that_a_list_wrongly_releases_is_refused_at_the_gate() -> None:
    """Abuse case 7."""
    run = Counted()
    tool = a_tool("do_much", ToolKind.WRITE, run=run, is_flow=True)
    situation = a_situation(identity=an_identity(), assistant=an_assistant("do_much"))

    outcome = await a_turnstile(tool, situation=situation).pass_call(a_raw_call("do_much"))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.reason == "flow_for_administrators"
    assert run.runs == 0


async def test_a2_what_an_endpoint_forbids_keeps_the_endpoints_own_words() -> None:
    turnstile = a_turnstile(a_reading_tool(run=Counted(error=NovaForbidden("Only auditors may read this."))))

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Failed)
    assert outcome.code == "forbidden"
    assert "Only auditors may read this." in outcome.text
