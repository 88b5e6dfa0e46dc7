"""What the form of a profile sends: limits and parameters in their objects, headers by name."""

import pytest

from nova_ui.presenters.ai_profile_actions import as_profile
from nova_ui.presenters.object_form import NO_DECIMAL, Control, FormField, fill

DECIMAL = FormField(name="temperature", control=Control.DECIMAL)


def test_limits_and_parameters_are_sent_whole_and_nothing_else_is_touched() -> None:
    present: dict[str, object] = {"limits": {"max_tokens": 5, "total_seconds": 600}, "parameters": {"top_p": 1}}

    sent = as_profile({"name": "House", "max_tokens": 9, "temperature": 0.5}, present)  # type: ignore[arg-type]  # JSON

    assert sent == {
        "name": "House",
        "limits": {"max_tokens": 9, "total_seconds": 600},
        "parameters": {"top_p": 1, "temperature": 0.5},
    }


def test_lines_of_headers_become_values_by_name_and_none_where_one_goes() -> None:
    sent = as_profile({"headers": ["X-Team: blue: red", " x-old :", "X-Bare"]}, {})

    assert sent == {"headers": {"X-Team": "blue: red", "x-old": None, "X-Bare": None}}


@pytest.mark.parametrize(("text", "value"), [("0.7", 0.7), ("0,7", 0.7), ("1", 1.0), (" 2.0 ", 2.0)])
def test_a_number_is_read_with_either_decimal_sign(text: str, value: float) -> None:
    assert fill((DECIMAL,), {"temperature": text}).body == {"temperature": value}


@pytest.mark.parametrize("text", ["nan", "inf", "1e3", "-1", "1.000.0", "1,0.0", "٣", "0x1", "1" * 20, "."])
def test_what_is_no_plain_number_is_said_to_be_none(text: str) -> None:
    assert fill((DECIMAL,), {"temperature": text}).problems == {"temperature": NO_DECIMAL}
