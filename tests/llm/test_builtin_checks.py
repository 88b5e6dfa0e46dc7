"""Phrases that can't be used stop the start."""

import pytest

from nova_ui.domain.tool import AnyTool, Phrases, Phrasing, Reference, ToolKind
from nova_ui.errors import ConfigurationError
from nova_ui.llm.builtin.checks import check_phrases
from tests.llm.toy_tools import DELETE_THING, LIST_THINGS, TOYS, ListThings, OneThing, a_tool

READ, WRITE = ToolKind.READ, ToolKind.WRITE


def test_usable_phrases_pass() -> None:
    check_phrases(TOYS)


@pytest.mark.parametrize(
    ("tool", "why"),
    [
        (a_tool("broken", READ, Phrases(english=("show {q",)), ListThings), "can't be read"),
        (a_tool("broken", READ, Phrases(english=("show |",)), ListThings), "can't be read"),
        (a_tool("broken", READ, Phrases(english=("show {other}",)), ListThings), "no argument"),
        (
            a_tool("broken", READ, Phrases(variants=(Phrasing(english=("x",), sets={"y": 1}),)), ListThings),
            "no argument",
        ),
        (a_tool("broken", WRITE, Phrases(english=("group {thing_id}",))), "no verb"),
        (a_tool("broken", WRITE, Phrases(english=("delete it",))), "needs thing_id"),
        (
            a_tool(
                "broken", WRITE, Phrases(english=("add {thing_id}",), references={"thing_id": Reference(tool="gone")})
            ),
            "does not exist",
        ),
        (
            a_tool(
                "broken",
                WRITE,
                Phrases(
                    english=("add {thing_id}",),
                    references={"thing_id": Reference(tool="list_things", narrowed_by={"x": "nothing"})},
                ),
            ),
            "no slot",
        ),
        (a_tool("broken", ToolKind.DESTRUCTIVE, Phrases(english=("erase [the] group {thing_id}",))), "means both"),
        (a_tool("broken", READ, Phrases(english=("groups",)), ListThings), "means both"),
    ],
)
def test_unusable_phrases_stop_the_start_and_name_the_tool(tool: AnyTool, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why) as stopped:
        check_phrases([LIST_THINGS, DELETE_THING, tool])

    assert "broken" in stopped.value.reason


def test_a_phrase_that_is_shared_on_purpose_passes() -> None:
    shared = Phrases(variants=(Phrasing(english=("unblock {thing_id}",), is_shared=True),))

    check_phrases([a_tool("one", WRITE, shared, OneThing), a_tool("two", WRITE, shared, OneThing)])
