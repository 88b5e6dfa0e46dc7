from datetime import UTC, datetime
from typing import Final

import pytest

from nova_ui.presenters.identity_kind import IDENTITY_LIST
from nova_ui.presenters.list_filters import Filters

NOW: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
MANAGER: Final = "idn_0123456789abcdefghjk"


def filters(**given: str) -> Filters:
    return Filters.from_address(IDENTITY_LIST.filters, IDENTITY_LIST.sorts, given)


def test_filters_come_from_the_address_and_go_back_into_it() -> None:
    taken = filters(status="active", department="Sales", q=" anna ", sort="-created_at", manager_id=MANAGER)

    assert taken.address == (f"?status=active&department=Sales&manager_id={MANAGER}&q=anna&sort=-created_at")
    assert taken.query(NOW) == {
        "status": "active",
        "department": "Sales",
        "manager_id": MANAGER,
        "q": "anna",
        "sort": "-created_at",
    }


@pytest.mark.parametrize(
    "given",
    [
        {"status": "sleeping"},
        {"manager_id": "idn_1"},
        {"department": "a\nb"},
        {"signed_in_before": "7"},
        {"sort": "password"},
        {"limit": "10000"},
        {"cursor": "x"},
    ],
)
def test_what_is_no_filter_of_the_list_is_dropped(given: dict[str, str]) -> None:
    assert filters(**given).address == ""


def test_a_number_of_days_becomes_a_moment() -> None:
    assert filters(signed_in_before="90").query(NOW)["signed_in_before"] == "2026-09-01T12:00:00Z"


def test_filters_are_set_and_taken_off_one_by_one() -> None:
    first = filters(status="active").having("department", "Sales")

    assert first.address == "?status=active&department=Sales"
    assert first.having("status", None).address == "?department=Sales"
    assert first.having("q", "x").cleared().is_empty
