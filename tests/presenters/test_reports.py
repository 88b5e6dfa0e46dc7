"""Reports on the screen: chosen by the address, with their own days, in pages, as a file."""

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaUnavailable
from nova_ui.nova.reports import REPORTS
from nova_ui.presenters.reports import REPORT_KINDS, ReportPage, ReportsPresenter
from tests.fakes.scripted_nova import Called, ScriptedNova

RUN = "GET /reports/{key}"


def answer(called: Called) -> JsonObject:
    rows: list[JsonValue] = [{"identity": {"id": "idn_1", "display_name": "Tim"}, "items": ["grant Mail"]}]
    counts: list[JsonValue] = [{"key": "total", "count": 2}, {"key": "never_signed_in", "count": 1}]
    following = None if called.query.get("cursor") else "next"
    return {"total": 2, "counts": counts, "items": rows, "next_cursor": following}


def a_presenter(**given: str) -> tuple[ReportsPresenter, ScriptedNova, list[ReportPage]]:
    nova, pages = ScriptedNova({RUN: answer}), []  # type: ignore[var-annotated] # filled below
    presenter = ReportsPresenter(nova, given)
    presenter.changed.subscribe(pages.append)
    return presenter, nova, pages


def test_every_report_of_nova_has_its_place_and_asks_only_what_it_takes() -> None:
    assert {kind.key for kind in REPORT_KINDS} == {key.value for key in REPORTS}
    for kind in REPORT_KINDS:
        report = next(report for key, report in REPORTS.items() if key.value == kind.key)
        assert {column.name for column in kind.columns} <= set(report.columns)
        assert kind.days is None or "days" in report.parameters


@pytest.mark.parametrize(
    ("given", "key", "days"),
    [
        ({}, "inactive_identities", 90),
        ({"report": "failed_sign_ins", "days": "30"}, "failed_sign_ins", 30),
        ({"report": "privileged_access", "days": "30"}, "privileged_access", None),
        ({"report": "x", "days": "31"}, "inactive_identities", 90),
    ],
)
async def test_the_address_says_which_report(given: dict[str, str], key: str, days: int | None) -> None:
    presenter, nova, _ = a_presenter(**given)

    await presenter.load()

    assert (presenter.kind.key, presenter.days) == (key, days)
    assert nova.called[0].path == {"key": key}
    assert nova.called[0].query.get("days") == days


async def test_pages_turn_forwards_and_back() -> None:
    presenter, nova, pages = a_presenter()

    await presenter.load()
    await presenter.following()
    await presenter.previous()

    assert [(page.has_previous, page.has_next) for page in pages] == [(False, True), (True, False), (False, True)]
    assert [called.query.get("cursor") for called in nova.called] == [None, "next", None]
    assert pages[0].figures == (("never signed in", 1),)


async def test_the_file_holds_all_pages() -> None:
    presenter, _, _ = a_presenter()

    records = await presenter.all_rows()

    assert (records.total, records.columns) == (2, ("identity", "items"))


async def test_a_failure_is_told() -> None:
    presenter, nova, pages = a_presenter()
    nova.answers = {RUN: NovaUnavailable("No.")}

    await presenter.choose("open_requests")

    assert pages[-1].problem is not None
