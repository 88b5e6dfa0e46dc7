from datetime import timedelta
from typing import Final

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.preview import CloseReason
from nova_ui.domain.tool import AnyTool, Change, Consequence
from nova_ui.i18n.translator import Translator, Translators
from nova_ui.presenters.argument_words import ArgumentLine
from nova_ui.presenters.confirmation import ConfirmationWords, EffectLine, StateLine
from nova_ui.presenters.field_words import field_label
from nova_ui.presenters.tool_form import fields_of
from nova_ui.presenters.turn_parts import Card, card_of
from nova_ui.tools.registry import ALL_TOOLS
from nova_ui.tools.schema import schema_of

ENGLISH: Final = Translators().for_language(Language.ENGLISH)
GERMAN: Final = Translators().for_language(Language.GERMAN)


def a_card() -> Card:
    card = card_of(
        {
            "preview_id": "prv_1",
            "call_id": "call_1",
            "action": "Delete the group Con\u202etractors",
            "arguments": {"group_id": "grp_1", "note": "left\u200b", "names": ["a", "b"], "force": True, "empty": ""},
            "current_state": {"display_name": "Contractors", "status": "active", "api_token": "[secret]"},
            "expires_at": "2026-03-02T09:10:00+00:00",
        }
    )
    card.changes = (Change(field="status", before="active", after="disabled"),)
    card.consequences = (
        Consequence(type="membership", count=7, names=("Jonas", "Priya"), result="removed"),
        Consequence(type="session", count=1),
        Consequence(type="account", count=0),
    )
    return card


def test_c2_every_argument_is_shown_in_full_and_nothing_in_it_hides() -> None:
    """Abuse case 28."""
    arguments = ConfirmationWords(a_card(), GERMAN).arguments

    assert [(one.label, one.value) for one in arguments] == [
        ("Gruppe", "grp_1"),
        ("note", "left⟨U+200B⟩"),
        ("names", "a\nb"),
        ("force", "true"),
        ("empty", '""'),
    ]


def test_c2_an_id_stands_with_the_name_that_nova_told_and_never_gives_way_to_it() -> None:
    words = ConfirmationWords(a_card(), ENGLISH, {"grp_1": "Con\u202etractors"})

    assert words.arguments[0] == ArgumentLine(label="Group", value="grp_1", names="Con⟨U+202E⟩tractors")


def test_c2_an_argument_that_is_not_given_is_told_from_an_empty_one() -> None:
    card = a_card()
    card.arguments = {"reason": None, "comment": ""}

    assert [one.value for one in ConfirmationWords(card, ENGLISH).arguments] == ["", '""']


@pytest.mark.parametrize("tr", [ENGLISH, GERMAN])
@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_c2_no_two_arguments_of_a_tool_bear_the_same_label(tool: AnyTool, tr: Translator) -> None:
    labels = [field_label(one.name, tr) for one in fields_of(schema_of(tool))]

    assert len(labels) == len(set(labels))


def test_c2_the_action_can_not_be_turned_round() -> None:
    assert ConfirmationWords(a_card(), ENGLISH).action == "Delete the group Con⟨U+202E⟩tractors"


def test_c2_the_current_state_is_shown_in_the_persons_words_and_without_secrets() -> None:
    assert ConfirmationWords(a_card(), GERMAN).state == (
        StateLine(label="Name", value="Contractors"),
        StateLine(label="Status", value="aktiv", tone="read"),
        StateLine(label="API-Token", value="•••••• (geheim)"),
    )


def test_c2_a_card_without_a_state_says_so() -> None:
    card = a_card()
    card.current_state = None

    assert ConfirmationWords(card, ENGLISH).state is None


def test_c13_changes_and_what_goes_with_it_are_shown() -> None:
    words = ConfirmationWords(a_card(), ENGLISH)

    assert [(one.label, one.before, one.after) for one in words.changes] == [("Status", "active", "disabled")]
    assert words.effects == (
        EffectLine(text="7 group memberships", result="removed", names="Jonas, Priya, …"),
        EffectLine(text="1 session", names=""),
    )


@pytest.mark.parametrize("reason", list(CloseReason))
def test_a_void_card_says_why_in_both_languages(reason: CloseReason) -> None:
    card = a_card()

    card.close(reason)

    assert ConfirmationWords(card, ENGLISH).void
    assert ConfirmationWords(card, GERMAN).void not in {"", ConfirmationWords(card, ENGLISH).void}


def test_the_first_reason_stays() -> None:
    card = a_card()

    card.close(CloseReason.CANCELLED)
    card.close(CloseReason.EXPIRED)

    assert card.closed is CloseReason.CANCELLED


def test_the_time_left_is_by_the_servers_clock_and_never_negative() -> None:
    card = a_card()
    words = ConfirmationWords(card, ENGLISH)

    assert words.seconds_left(card.expires_at - timedelta(minutes=2)) == 120
    assert words.seconds_left(card.expires_at + timedelta(hours=1)) == 0


@pytest.mark.parametrize(
    ("value", "shown"),
    [("2027-02-23", "23.02.2027"), ("2027-02-31", "2027-02-31"), ("Room 2027-02-23", "Room 2027-02-23")],
)
def test_a_day_of_the_state_is_written_as_the_person_writes_it_and_nothing_else_is_taken_for_one(
    value: str, shown: str
) -> None:
    card = a_card()
    card.current_state = {"end_date": value}

    assert [line.value for line in ConfirmationWords(card, GERMAN).state or ()] == [shown]
