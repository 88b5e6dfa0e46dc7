import pytest

from nova_ui.domain.json_value import JsonValue
from nova_ui.presenters.visible import show_deceptive, show_invisible, value_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Contractors", "Contractors"),
        ("Zoë Ångström 李", "Zoë Ångström 李"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("safe\u202etxt.exe", "safe⟨U+202E⟩txt.exe"),
        ("a\u00a0b", "a⟨U+00A0⟩b"),
        ("a\tb\x00", "a⟨U+0009⟩b⟨U+0000⟩"),
        ("one\ntwo", "one⏎\ntwo"),
        (" padded  ", "␣padded␣␣"),
        ("   ", "␣␣␣"),
        ("\u3164", "⟨U+3164⟩"),
        ("\U000e0061", "⟨U+E0061⟩"),
        ("\ud800", "⟨U+D800⟩"),
    ],
)
def test_c13_nothing_in_a_value_is_invisible(text: str, shown: str) -> None:
    assert show_invisible(text) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (7, "7"),
        ("", '""'),
        ([], "[]"),
        ({}, "{}"),
        (["a", "b\u200b"], "a\nb⟨U+200B⟩"),
        ({"name": "x", "n\u200b": 1}, "name: x\nn⟨U+200B⟩: 1"),
    ],
)
def test_c13_a_value_is_shown_in_full(value: JsonValue, shown: str) -> None:
    assert value_text(value) == shown


def test_joiners_of_emoji_and_scripts_stay_in_flowing_text() -> None:
    family = "👩\u200d👧 क्\u200dष"

    assert show_deceptive(family) == family
