"""A4, C1: one harmless definition before a harmful one does not end the search; every finding is said."""

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import ToolKind
from nova_ui.errors import ConfigurationError
from nova_ui.guardrails.destructive import find_wrong_kinds
from nova_ui.guardrails.flows import find_open_flows
from nova_ui.guardrails.marks import read_marks
from nova_ui.guardrails.start_up import check_start_up
from tests.builders import a_reading_tool, a_tool

OPENAPI: JsonObject = {
    "paths": {
        "/groups": {"get": {"x-nova-kind": "read"}, "post": {"x-nova-kind": "write"}},
        "/groups/{group_id}": {
            "get": {"x-nova-kind": "read"},
            "patch": {"x-nova-kind": "write"},
            "delete": {"x-nova-kind": "destructive", "x-nova-impact": "GET /groups/{group_id}/impact"},
        },
    }
}
MARKS = read_marks(OPENAPI)


def test_c1_an_unknown_endpoint_does_not_hide_the_next_one() -> None:
    tool = a_tool("clean_up", ToolKind.WRITE, endpoints=("GET /nothing", "DELETE /groups/{group_id}"))

    assert list(find_wrong_kinds({"clean_up": tool}, MARKS)) == [
        "clean_up calls GET /nothing, which does not exist or bears no marks",
        "clean_up calls DELETE /groups/{group_id} but is not destructive",
    ]


def test_c1_what_only_writes_has_a_card_too_and_what_reads_needs_none() -> None:
    """An assistant may ask before every change."""
    writing = a_tool("update_group", ToolKind.WRITE, endpoints=("PATCH /groups/{group_id}",), show=None)
    reading = a_tool("list_groups", ToolKind.READ, endpoints=(), show=None)

    assert list(find_wrong_kinds({"update_group": writing, "list_groups": reading}, MARKS)) == [
        "update_group is write but shows nothing before it runs"
    ]


def test_a4_a_reading_tool_does_not_hide_the_open_flow_after_it() -> None:
    flow = a_tool(
        "copy_groups", ToolKind.WRITE, endpoints=("POST /groups", "PATCH /groups/{group_id}"), show=None, is_flow=True
    )

    found = list(find_open_flows({"list_groups": a_reading_tool(), "copy_groups": flow}, MARKS))

    assert found == ["copy_groups is a flow that writes but is neither for administrators only nor self-service"]


def test_c13_the_read_that_tells_what_goes_with_it_is_among_the_marks() -> None:
    assert MARKS["DELETE /groups/{group_id}"].impact == "GET /groups/{group_id}/impact"
    assert MARKS["PATCH /groups/{group_id}"].impact is None


def test_c1_a_start_names_every_finding() -> None:
    wrong = {
        "b": a_tool("b", ToolKind.WRITE, endpoints=("DELETE /groups/{group_id}",)),
        "c": a_tool("c", ToolKind.READ, endpoints=("PATCH /groups/{group_id}",), show=None),
    }

    with pytest.raises(ConfigurationError) as found:
        check_start_up(wrong, OPENAPI)

    assert str(found.value) == (
        "b calls DELETE /groups/{group_id} but is not destructive; "
        "c is read but calls PATCH /groups/{group_id}, which is write"
    )
