"""The registry refuses what a model or a guardrail could not rely on, and offers schemas without surprises."""

import re
from collections.abc import Iterator

import pytest
from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, ToolArguments, ToolKind
from nova_ui.errors import ConfigurationError
from nova_ui.tools.registry import ALL_TOOLS, build_registry, offer
from tests.builders import a_tool

EXPECTED = frozenset(
    {
        "explain_sign_in",
        "get_sign_in_policy",
        "search_identities",
        "get_identity",
        "search_directory",
        "get_identity_access",
        "list_groups",
        "list_roles",
        "list_assignments",
        "list_applications",
        "test_application",
        "disable_application",
        "list_access_requests",
        "list_approvals",
        "search_catalog",
        "list_sessions",
        "search_audit_log",
        "verify_audit_log",
        "update_my_profile",
        "request_access",
        "cancel_my_request",
        "decide_approval",
        "end_my_session",
        "create_identity",
        "update_identity",
        "activate_identity",
        "unlock_identity",
        "suspend_identity",
        "disable_identity",
        "delete_identity",
        "end_identity_sessions",
        "create_group",
        "update_group",
        "add_group_members",
        "remove_group_member",
        "delete_group",
        "update_role",
        "assign_role",
        "change_assignment_end",
        "revoke_assignment",
        "create_export",
        "list_entitlements",
        "request_access_for",
        "list_lifecycle_routines",
        "preview_lifecycle_routine",
        "offboard_identity",
        "compare_access",
        "explain_access",
        "run_report",
        "copy_access",
        "request_same_access_as",
        "onboard_identity",
        "move_identity",
    }
)
DESTRUCTIVE = frozenset(
    {
        "suspend_identity",
        "disable_identity",
        "delete_identity",
        "end_identity_sessions",
        "remove_group_member",
        "delete_group",
        "disable_application",
        "revoke_assignment",
        "offboard_identity",
        "move_identity",
        "end_my_session",
        "decide_approval",  # a decision can not be taken back by whoever took it
    }
)
SELF_SERVICE = [
    "update_my_profile",
    "request_access",
    "request_same_access_as",
    "cancel_my_request",
    "decide_approval",
    "end_my_session",
]
FLOWS = {
    "request_access": True,
    "request_same_access_as": True,
    "offboard_identity": False,
    "onboard_identity": False,
    "move_identity": False,
    "copy_access": False,
}
"""Each flow that writes, and whether it is self-service."""


def _schemas(value: JsonValue) -> Iterator[JsonObject]:
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _schemas(item)


class _Reserved(ToolArguments):
    confirmed: bool = Field(description="Whether the person agreed.")


class _Undescribed(ToolArguments):
    group_id: str


class _Endless(ToolArguments):
    inner: "_Endless | None" = Field(None, description="Itself.")


def test_the_registry_holds_the_tools_of_this_slice() -> None:
    assert build_registry().keys() == EXPECTED


def test_c1_exactly_the_tools_that_take_something_away_are_destructive() -> None:
    found = {tool.name for tool in ALL_TOOLS if tool.kind is ToolKind.DESTRUCTIVE}

    assert found == DESTRUCTIVE


def test_a4_flows_that_write_are_for_administrators_or_self_service() -> None:
    flows = {tool.name: tool for tool in ALL_TOOLS if tool.is_flow and tool.kind is not ToolKind.READ}

    assert {name: tool.self_service for name, tool in flows.items()} == FLOWS
    assert all(tool.self_service or tool.roles == {Role.ADMINISTRATOR} for tool in flows.values())
    assert {tool.name for tool in ALL_TOOLS if tool.self_service} == set(SELF_SERVICE)


def test_what_changes_others_is_for_administrators_only() -> None:
    changing = [tool for tool in ALL_TOOLS if tool.kind is not ToolKind.READ and not tool.self_service]

    beyond = {tool.name for tool in changing if tool.roles != {Role.ADMINISTRATOR}}

    assert beyond == {"create_export", "request_access_for"}  # which only asks; Nova refuses whoever manages nobody


@pytest.mark.parametrize(
    ("tool", "why"),
    [
        (a_tool("delete"), "name"),
        (a_tool("Delete_Group"), "name"),
        (a_tool("delete_group_"), "name"),
        (a_tool("delete_gröup"), "name"),
        (a_tool("delete_" + "x" * 34), "name"),
        (a_tool(arguments=_Reserved), "reserved"),
        (a_tool(arguments=_Undescribed), "describe"),
        (a_tool(show=None), "shows nothing"),
    ],
)
def test_an_unusable_definition_stops_the_start(tool: AnyTool, why: str) -> None:
    """Abuse case 16."""
    with pytest.raises(ConfigurationError, match=why) as stopped:
        build_registry([tool])

    assert tool.name in stopped.value.reason


@pytest.mark.parametrize("field", ["title", "summary", "area", "icon", "action"])
def test_a_missing_text_stops_the_start(field: str) -> None:
    tool = a_tool()
    object.__setattr__(tool, field, "")

    with pytest.raises(ConfigurationError, match="delete_group"):
        build_registry([tool])


def test_b8_two_tools_of_one_name_stop_the_start() -> None:
    """Abuse case 16."""
    with pytest.raises(ConfigurationError, match="two tools are called delete_group"):
        build_registry([a_tool(), a_tool()])


def test_arguments_that_refer_to_themselves_stop_the_start() -> None:
    with pytest.raises(ConfigurationError, match="refer to themselves"):
        offer(a_tool(arguments=_Endless))


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_a_schema_is_whole_closed_and_described(tool: AnyTool) -> None:
    schema = offer(tool).schema

    assert schema["type"] == "object"
    for part in _schemas(schema):
        assert "$ref" not in part
        assert part.get("type") != "null"
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
    properties = schema["properties"]
    assert isinstance(properties, dict)
    for name, argument in properties.items():
        assert isinstance(argument, dict)
        assert argument.get("description"), name


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_c7_only_a_destructive_tool_can_be_sent_a_confirmation(tool: AnyTool) -> None:
    properties = offer(tool).schema["properties"]
    assert isinstance(properties, dict)

    assert ("confirmed" in properties) is (tool.kind is ToolKind.DESTRUCTIVE)
    assert "confirmed" not in tool.arguments.model_fields


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_i1_every_path_value_comes_from_an_argument_with_the_form_of_an_id(tool: AnyTool) -> None:
    for name, schema in tool.arguments.model_json_schema()["properties"].items():
        if name.endswith(("_id", "_ids")):
            assert "pattern" in repr(schema), name


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_each_tool_has_two_examples_in_each_language_whose_arguments_fit(tool: AnyTool) -> None:
    for language in Language:
        examples = tool.examples[language]
        assert len(examples) >= 2
        for example in examples:
            assert set(example.arguments) <= set(tool.arguments.model_fields)


def test_a3_the_widest_release_of_each_reading_tool() -> None:
    everyone = {tool.name for tool in ALL_TOOLS if tool.kind is ToolKind.READ and tool.roles == EVERYONE}

    assert everyone == {
        "get_identity",
        "search_directory",
        "get_identity_access",
        "list_groups",
        "list_roles",
        "list_assignments",
        "list_access_requests",
        "list_approvals",
        "search_catalog",
        "list_sessions",
        "explain_access",
    }


def test_an_action_is_a_sentence_about_its_subject() -> None:
    for tool in ALL_TOOLS:
        assert bool(tool.action) is (tool.kind is not ToolKind.READ)
        assert re.findall(r"{(\w+)}", tool.action) == (["subject"] if tool.action else [])
