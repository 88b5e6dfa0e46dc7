"""Which words forbid a change when nothing explains them, and what no name may hold."""

import pytest

from nova_ui.llm.builtin.costs import FORBIDDING, MAX_CHANGE_COST, cost_of_ignoring, cost_within_name
from nova_ui.llm.builtin.words import split_words


def _cost(text: str, *, changes: bool) -> float:
    first, *others = split_words(text)
    return cost_of_ignoring(first, others[0] if others else None, changes=changes)


@pytest.mark.parametrize(
    "text",
    ["not", "never", "nicht", "who", "warum", "if", "wurde", "should", "all", "alle", "delete", "can I", "kann ich"],
)
def test_a_word_that_could_turn_a_request_round_forbids_a_change(text: str) -> None:
    assert _cost(text, changes=True) >= FORBIDDING
    assert _cost(text, changes=False) < FORBIDDING


@pytest.mark.parametrize("text", ["please", "bitte", "can you", "kannst du", "the", "now", ","])
def test_courtesy_costs_next_to_nothing(text: str) -> None:
    assert _cost(text, changes=True) < 0.1


@pytest.mark.parametrize("text", ["banana", "Sales", "group", '"delete"', "mine"])
def test_anything_else_that_is_not_understood_is_too_much_for_a_change(text: str) -> None:
    assert _cost(text, changes=True) > MAX_CHANGE_COST


@pytest.mark.parametrize("text", ["group", "delete", "not", "who", "all", "my", "him", "yesterday", "2026-12-31", ","])
def test_what_no_name_holds(text: str) -> None:
    assert cost_within_name(split_words(text)[0], is_first=True) >= FORBIDDING


@pytest.mark.parametrize("text", ["Vogt", "vpn-users", "jonas.weber", '"delete all groups"', "contractors"])
def test_what_names_are_made_of(text: str) -> None:
    assert cost_within_name(split_words(text)[0], is_first=True) < 0.5
