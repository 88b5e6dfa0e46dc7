"""The built-in model leads a newcomer's requests to the right call, and none to a wrong change."""

from collections import Counter
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
LEAST_RIGHT: Final = 0.92
LEAST_REQUESTS: Final = 120
LEAST_OF_A_TOOL: Final = 2

_judged: Final[dict[str, list[Judged]]] = {}
"""Each set is played once, and looked at by several tests; the model and its Nova give the same every time."""


async def _judge(language: str) -> list[Judged]:
    if language not in _judged:
        sets = [request_set(name) for name in SETS if name.startswith(language)]
        _judged[language] = [await judge(expected, Language(language)) for one in sets for expected in one]
    return _judged[language]


@pytest.mark.parametrize("language", list(Language))
async def test_at_least_92_of_100_requests_lead_to_exactly_the_right_call(language: str) -> None:
    judged = await _judge(language)

    wrong = [f"{one.expected.text} -> {one.played.last}" for one in judged if not one.is_right]

    assert len(judged) >= LEAST_REQUESTS
    assert len(wrong) <= len(judged) * (1 - LEAST_RIGHT), wrong


@pytest.mark.parametrize("language", list(Language))
async def test_no_request_leads_to_a_wrong_change(language: str) -> None:
    harmful = [f"{one.expected.text} -> {one.played.calls}" for one in await _judge(language) if one.is_harmful]

    assert harmful == []


@pytest.mark.parametrize("language", list(Language))
async def test_each_tool_is_asked_for_at_least_twice_and_understood(language: str) -> None:
    judged = await _judge(language)

    asked = Counter(one.expected.tool for one in judged)
    understood = Counter(one.expected.tool for one in judged if one.is_right)

    assert {tool.name for tool in ALL_TOOLS if asked[tool.name] < LEAST_OF_A_TOOL} == set()
    assert {tool.name for tool in ALL_TOOLS if not understood[tool.name]} == set()


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
