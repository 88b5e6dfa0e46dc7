"""Misspelt kinds of things are read as what they are; verbs, states and names never are."""

import pytest

from nova_ui.llm.builtin.lexicon import ACTIONS, WORDS_OF
from nova_ui.llm.builtin.matcher import grammar_of
from nova_ui.llm.builtin.phrase import Term
from nova_ui.llm.builtin.spelling import corrected
from nova_ui.llm.builtin.words import split_words
from nova_ui.tools.registry import ALL_TOOLS


def _read(text: str) -> list[str]:
    return [word.folded for word in corrected(split_words(text))]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("acounts", "accounts"),
        ("gruop", "group"),
        ("Grupe", "gruppe"),
        ("aplications", "applications"),
        ("Anwendngen", "anwendungen"),
        ("Einzelberechtigugen", "einzelberechtigungen"),
        ("contractros", "contractors"),
    ],
)
def test_a_misspelt_kind_of_thing_is_read_as_it(typed: str, meant: str) -> None:
    assert _read(f"show {typed}") == ["show", meant]


@pytest.mark.parametrize(
    "text", ["delte", "disble", "enalbe", "unlok", "Lsöche", "Entspere", "suspnded", "acitve", "inactve", "remve"]
)
def test_no_verb_and_no_state_is_guessed(text: str) -> None:
    assert _read(text) == [split_words(text)[0].folded]


def test_no_slip_turns_a_verb_into_another() -> None:
    verbs = {word for concept in ACTIONS for word in WORDS_OF[concept] if "-" not in word}

    assert {verb for verb in verbs if _read(verb) != [verb]} == set()


def test_no_word_of_a_tool_s_own_phrases_is_taken_for_a_misspelt_one() -> None:
    phrases = [spoken.phrase for tool in ALL_TOOLS for spoken in (*grammar_of(tool).phrases, *grammar_of(tool).details)]
    elements = [element for phrase in phrases for piece in phrase.pieces for element in piece]
    words = {word for element in elements if isinstance(element, Term) for word in element.words}

    assert {word for word in words if _read(word) != [one.folded for one in split_words(word)]} == set()


@pytest.mark.parametrize("text", ["Tim Grupe", "'gruop'", "grp_gruop", "Anna Rollen"])
def test_names_and_quotations_stay_as_they_are(text: str) -> None:
    assert _read(text) == [word.folded for word in split_words(text)]


def test_what_is_shown_and_searched_for_is_what_was_typed() -> None:
    assert [word.text for word in corrected(split_words("the gruop finance"))] == ["the", "gruop", "finance"]
