"""The built-in model leads a newcomer's requests to the right call, and none to a wrong change.

What is asked are the files that the program ships; they are played as `python -m nova_ui.evaluate` plays them.
"""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.tool import AnyTool
from nova_ui.evaluation.cases import SHIPPED, read_cases
from nova_ui.evaluation.judge import Judged, Verdict
from nova_ui.evaluation.models import BUILT_IN
from nova_ui.evaluation.place import NOW
from nova_ui.evaluation.run import Setup, evaluate
from nova_ui.llm.builtin.checks import check_phrases
from nova_ui.llm.builtin.slots import read
from nova_ui.llm.builtin.understanding import Grammars, Plan, arguments_of, understand
from nova_ui.tools.registry import ALL_TOOLS

LEAST_RIGHT: Final = 0.92
LEAST_REQUESTS: Final = 120
LEAST_OF_A_TOOL: Final = 2


@pytest.mark.parametrize("language", list(Language))
async def test_requests_lead_to_the_right_call_and_none_to_a_wrong_change(language: Language, tmp_path: Path) -> None:
    cases = read_cases([SHIPPED], [language])

    judged = (await evaluate(cases, Setup(choice=BUILT_IN), tmp_path)).judged

    wrong = [f"{one.played.case.text} -> {_called(one)}" for one in judged if one.verdict is not Verdict.RIGHT]
    understood = {name for one in judged if one.verdict is Verdict.RIGHT for name in one.played.case.tools}
    assert [change for one in judged for change in one.wrong_changes] == []
    assert len(judged) == len(cases) >= LEAST_REQUESTS
    assert len(wrong) <= len(judged) * (1 - LEAST_RIGHT), wrong
    assert {tool.name for tool in ALL_TOOLS} - understood == set()


def _called(one: Judged) -> list[tuple[str, object]]:
    return [(call.tool_name, call.arguments) for step in one.played.steps for call in step.calls]


@pytest.mark.parametrize("language", list(Language))
def test_each_tool_is_asked_for_at_least_twice(language: Language) -> None:
    asked = Counter(name for case in read_cases([SHIPPED], [language]) for name in case.tools)

    assert {tool.name for tool in ALL_TOOLS if asked[tool.name] < LEAST_OF_A_TOOL} == set()


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
