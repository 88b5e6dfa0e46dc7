"""The built-in model leads a newcomer's requests to the right call, and none to a wrong change."""

from pathlib import Path
from typing import Final

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.tool import AnyTool
from nova_ui.llm.builtin.checks import check_phrases
from nova_ui.llm.builtin.slots import read
from nova_ui.llm.builtin.understanding import Grammars, Plan, arguments_of, understand
from nova_ui.tools.registry import ALL_TOOLS
from tests.evaluation.harness import FOLDER, Judged, judge, request_set
from tests.llm.fake_nova import NOW

SETS: Final = sorted(path.stem.removeprefix("requests_") for path in Path(FOLDER).glob("requests_*.json"))
LEAST_RIGHT: Final = 0.9


async def _judged(name: str) -> list[Judged]:
    return [await judge(expected, Language(name[:2])) for expected in request_set(name)]


@pytest.mark.parametrize("name", SETS)
async def test_at_least_nine_of_ten_requests_lead_to_the_right_call(name: str) -> None:
    judged = await _judged(name)

    wrong = [f"{one.expected.text} -> {one.played.last}" for one in judged if not one.is_right]

    assert len(judged) >= 45
    assert len(wrong) <= len(judged) * (1 - LEAST_RIGHT), wrong


@pytest.mark.parametrize("name", SETS)
async def test_no_request_leads_to_a_wrong_change(name: str) -> None:
    harmful = [f"{one.expected.text} -> {one.played.calls}" for one in await _judged(name) if one.is_harmful]

    assert harmful == []


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_every_example_of_a_tool_leads_to_it(tool: AnyTool) -> None:
    grammars = Grammars().of(ALL_TOOLS)

    for examples in tool.examples.values():
        for example in examples:
            meaning = understand(read(example.text, NOW.date()), grammars)

            assert isinstance(meaning, Plan), example.text
            assert meaning.tool.name == tool.name, example.text
            assert example.arguments.items() <= arguments_of(meaning).items(), example.text


def test_the_phrases_of_all_tools_are_usable() -> None:
    check_phrases(ALL_TOOLS)
