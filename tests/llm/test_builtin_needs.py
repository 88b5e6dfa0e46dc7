"""Which tools a request needs, as the built-in model understands it."""

from datetime import date

import pytest

from nova_ui.domain.identity import Role
from nova_ui.llm.builtin.needs import NeedsFinder
from nova_ui.nova.sample_organisation.assistants import ASSISTANTS
from nova_ui.tools.registry import build_registry

TODAY = date(2026, 3, 2)
TOOLS = build_registry()
FINDER = NeedsFinder(TOOLS)
FOR_ALL = [tool for tool in TOOLS.values() if Role.USER in tool.roles]


def needed(text: str) -> set[str]:
    return set(FINDER.needs_of(text, FOR_ALL, TODAY).tools)


def test_a_name_in_the_words_needs_the_tool_that_looks_it_up() -> None:
    assert needed("Delete the group Contractors") == {"delete_group", "list_groups"}
    assert needed("Welche Gruppen gibt es?") == {"list_groups"}


def test_what_no_tool_does_needs_none_and_is_not_clear() -> None:
    found = FINDER.needs_of("Sing me a song about the sea", FOR_ALL, TODAY)

    assert (found.tools, found.is_clear) == ((), False)


@pytest.mark.parametrize("assistant", [one for one in ASSISTANTS if not one.tools.all_tools], ids=lambda one: one.key)
def test_the_starters_of_the_sample_assistants_need_no_more_than_they_have(assistant: object) -> None:
    one = next(each for each in ASSISTANTS if each is assistant)
    for text in (text for texts in one.starters.values() for text in texts):
        found = FINDER.needs_of(text, [TOOLS[name] for name in one.tools.names], TODAY)

        assert found.is_clear, text
        assert set(found.tools) <= one.tools.names, text
