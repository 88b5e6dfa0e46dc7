"""C15 as the gate decides it: what a card demands counts for every reply, whatever the chat made of it before."""

from dataclasses import replace

import pytest

from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.preview import Preview
from nova_ui.guardrails.confirmation import check_confirmation, same_name
from tests.builders import NOW, TOO_LATE, a_preview, a_turn

PREVIEW = a_preview()


@pytest.mark.parametrize(
    "preview",
    [replace(PREVIEW, button_only=True), replace(PREVIEW, name_to_type="Contractors")],
    ids=["button", "name"],
)
def test_c15_no_words_agree_where_more_is_demanded(preview: Preview) -> None:

    refusal = check_confirmation(preview, preview.call, a_turn(text="yes"), NOW)

    assert refusal is not None
    assert refusal.reason == "button_needed"


@pytest.mark.parametrize(
    ("typed", "reason"), [("Contractors", None), ("contractors", "name_differs"), ("", "name_differs")]
)
def test_c15_the_button_needs_the_objects_name_where_it_is_demanded(typed: str, reason: str | None) -> None:
    preview = replace(PREVIEW, name_to_type="Contractors")
    press = ConfirmMessage(preview_id=preview.id, object_name=typed)

    refusal = check_confirmation(preview, preview.call, a_turn(message=press), NOW)

    assert (None if refusal is None else refusal.reason) == reason


def test_c5_a_card_that_has_expired_says_so_whatever_name_is_typed() -> None:
    preview = replace(PREVIEW, name_to_type="Contractors")
    press = ConfirmMessage(preview_id=preview.id, object_name="contractors")

    refusal = check_confirmation(preview, preview.call, a_turn(message=press), TOO_LATE)

    assert refusal is not None
    assert refusal.reason == "expired"  # and not that the card still waits


@pytest.mark.parametrize(("typed", "shown"), [("", ""), ("\u200b", "\u200b"), (" ", "")])
def test_c15_an_object_without_a_visible_name_is_not_confirmed_by_typing_nothing(typed: str, shown: str) -> None:
    assert not same_name(typed, shown)


@pytest.mark.parametrize(
    ("typed", "shown", "same"),
    [
        ("Sales  DACH", "Sales DACH ", True),
        ("SalesDACH", "Sales DACH", False),
        ("Sales\x07 DACH", "Sales DACH", True),
        ("Sales\u200b DACH", "Sales DACH", True),
        ("Gr\u00fcn", "Gru\u0308n", True),
        ("sales DACH", "Sales DACH", False),
        ("S\u0430les", "Sales", False),
    ],
)
def test_c15_names_are_the_same_by_what_can_be_seen_of_them(typed: str, shown: str, *, same: bool) -> None:
    assert same_name(typed, shown) is same
