"""What is said beforehand of an assistant is what the gate does (rules A2, A3, A4, B1, B2, B5, C2, C15)."""

from dataclasses import replace

import pytest

from nova_ui.domain.assistant import Assistant, AudienceKind
from nova_ui.domain.identity import Identity, Role
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.guardrails.forecast import Forecast, Verdict, forecast
from nova_ui.guardrails.offer import offered_tools
from nova_ui.guardrails.tool_list import released_tools
from nova_ui.nova.sample_organisation.assistants import ASSISTANTS
from nova_ui.tools.registry import build_registry
from tests.builders import (
    NOW,
    a_reading_tool,
    a_tool,
    a_writing_tool,
    an_administrator,
    an_assistant,
    an_identity,
)

ADMINISTRATORS = frozenset({Role.ADMINISTRATOR})
TOOLS: dict[str, AnyTool] = {
    tool.name: tool
    for tool in (
        a_reading_tool("list_groups"),
        a_writing_tool("update_group", roles=ADMINISTRATORS),
        a_tool("delete_group"),
        replace(a_writing_tool("tidy_up"), is_flow=True, inner_tools=("list_groups",)),
        replace(a_reading_tool("look_twice"), is_flow=True, inner_tools=("list_groups", "list_roles")),
        a_reading_tool("list_roles"),
        replace(
            a_reading_tool("export"),
            inner_tools=("list_groups", "list_roles"),
            inner_tools_of=lambda _: ("list_roles",),
        ),
    )
}


def of(name: str, assistant: Assistant, identity: Identity | None) -> Forecast:
    return next(one for one in forecast(TOOLS, assistant, identity, NOW) if one.tool == name)


def an_open(*names: str, **fields: object) -> Assistant:
    return an_assistant(*(names or ("list_groups", "update_group", "delete_group", "tidy_up", "look_twice")), **fields)  # type: ignore[arg-type]  # by name in tests


def test_b1_what_is_not_on_the_list_is_refused_by_b1() -> None:
    assert of("list_roles", an_open(), an_administrator()) == Forecast(
        tool="list_roles", verdict=Verdict.REFUSED, rule="B1", reason="not_listed"
    )


def test_b2_a_flow_without_its_inner_tools_is_refused_by_b2() -> None:
    assert of("look_twice", an_open(), an_administrator()).rule == "B2"
    assert of("look_twice", an_open("list_groups", "list_roles", "look_twice"), an_administrator()).rule == ""


def test_b2_a_tool_that_chooses_what_it_runs_is_not_refused_before_it_has_chosen() -> None:
    assert of("export", an_open("export"), an_administrator()).verdict is Verdict.ALLOWED


def test_a3_a_tool_for_other_roles_is_refused_by_a3() -> None:
    assert of("update_group", an_open(), an_identity()).rule == "A3"
    assert of("update_group", an_open(), an_administrator()).verdict is Verdict.ALLOWED


def test_a4_a_flow_that_writes_is_refused_to_all_but_administrators() -> None:
    assert of("tidy_up", an_open(), an_identity()).rule == "A4"
    assert of("tidy_up", an_open(), an_administrator()).verdict is Verdict.ALLOWED


def test_b5_outside_the_audience_everything_on_the_list_is_refused_by_b5() -> None:
    closed = an_open(audience=AudienceKind.ADMINISTRATORS)

    assert {of(name, closed, an_identity()).rule for name in closed.tools.names} == {"B5"}
    assert {of(name, an_open(enabled=False), an_administrator()).rule for name in closed.tools.names} == {"B5"}


def test_a2_whoever_is_not_active_can_do_nothing() -> None:
    assert {(one.verdict, one.rule) for one in forecast(TOOLS, an_open(), None, NOW)} == {(Verdict.REFUSED, "A2")}


@pytest.mark.parametrize(
    ("demands", "rule"),
    [
        ({}, "C2"),
        ({"ask_before_changes": True}, "C2"),
        ({"button_only": True}, "C15"),
        ({"type_name_for": frozenset({"delete_group"})}, "C15"),
    ],
)
def test_c2_what_is_destructive_needs_a_confirmation(demands: dict[str, object], rule: str) -> None:
    told = of("delete_group", an_open(**demands), an_identity())

    assert (told.verdict, told.rule) == (Verdict.NEEDS_CONFIRMATION, rule)


def test_c15_what_only_writes_needs_one_where_every_change_is_asked_about() -> None:
    told = of("update_group", an_open(ask_before_changes=True), an_administrator())

    assert (told.verdict, told.rule) == (Verdict.NEEDS_CONFIRMATION, "C15")


@pytest.mark.parametrize("assistant", ASSISTANTS, ids=lambda one: one.key)
@pytest.mark.parametrize("role", [None, Role.AUDITOR, Role.MANAGER, Role.ADMINISTRATOR])
def test_a3_what_is_told_is_what_the_model_is_offered(assistant: Assistant, role: Role | None) -> None:
    """Over the whole catalogue, so that the two never part."""
    tools = build_registry()
    identity = an_identity(*([] if role is None else [role]))

    told = forecast(tools, assistant, identity, NOW)
    offered = offered_tools(
        tools, assistant, identity, read_only=False, released_at_start=released_tools(tools, assistant)
    )

    assert {one.tool for one in told if one.verdict is not Verdict.REFUSED} == {tool.name for tool in offered}
    assert all(one.rule for one in told if one.verdict is Verdict.REFUSED)
    waiting = {one.tool for one in told if one.verdict is Verdict.NEEDS_CONFIRMATION}
    assert waiting == {tool.name for tool in offered if tool.kind is ToolKind.DESTRUCTIVE}
