"""Usage on the screen: chosen by the address, narrowed down by a press, as a chart and as a file."""

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.ai_usage import AiUsagePresenter, nearest_limit, share_words
from nova_ui.presenters.own_ai_usage import OwnAiUsagePresenter
from tests.fakes.scripted_nova import Called, ScriptedNova

USAGE = "GET /administration/ai-usage"
TR = Translators().for_language(Language.ENGLISH)
FIGURES: JsonObject = {
    "messages": 1,
    "requests": 2,
    "estimated": 0,
    "input_tokens": 100,
    "output_tokens": 20,
    "cost": 0.004,
}


def answer(called: Called) -> JsonObject:
    key = {"identity": "idn_1", "profile": "house", "day": "2026-03-02"}.get(str(called.query.get("by")), "desk")
    days: list[JsonValue] = [{"day": day, **FIGURES} for day in ("2026-02-27", "2026-03-01", "2026-03-02")]
    items: list[JsonValue] = [{"key": key, "kind": "chat" if key == "desk" else "", "name": "Desk", **FIGURES}]
    following = None if called.query.get("cursor") else "next"
    span: JsonObject = {"since": "2026-02-01", "until": "2026-03-02", "currency": "EUR", "time_zone": "UTC"}
    return {**span, "totals": FIGURES, "days": days, "items": items, "next_cursor": following, "total": 2}


def a_presenter(**given: str) -> tuple[AiUsagePresenter, ScriptedNova]:
    nova = ScriptedNova({USAGE: answer})
    return AiUsagePresenter(nova, TR, given), nova


async def test_the_address_says_what_is_looked_at_and_nothing_unknown_counts() -> None:
    told, _ = a_presenter(by="identity", days="90", measure="cost", kind="routine", profile="house")
    odd, nova = a_presenter(by="secrets", days="31", measure="x", kind="y")

    await odd.load()

    assert told.address == "?by=identity&days=90&measure=cost&kind=routine&profile=house"
    assert odd.address == "?by=assistant&days=30&measure=tokens"
    assert nova.called[-1].query["since"] == "2026-02-01"


async def test_the_span_ends_on_the_day_that_it_is_for_nova() -> None:
    presenter, nova = a_presenter(days="7")

    await presenter.load()

    assert (nova.called[-1].query["since"], nova.called[-1].query["until"]) == ("2026-02-24", "2026-03-02")


async def test_a_press_looks_at_one_line_alone_and_a_cross_takes_that_back() -> None:
    presenter, nova = a_presenter()
    await presenter.load()

    await presenter.narrow("chat:desk")
    narrowed = nova.called[-1].query
    await presenter.narrow(":nothing like it")
    await presenter.widen("assistant")

    assert (narrowed["by"], narrowed["assistant"], narrowed["kind"]) == ("identity", "desk", "chat")
    assert "assistant" not in nova.called[-1].query


@pytest.mark.parametrize(
    ("days", "labels"),
    [
        ("30", ["27 Feb 2026", "1 Mar 2026", "2 Mar 2026"]),
        ("90", ["23 Feb 2026", "2 Mar 2026"]),
        ("365", ["1 Feb 2026", "1 Mar 2026"]),
    ],
)
async def test_long_spans_are_charted_by_week_and_month(days: str, labels: list[str]) -> None:
    presenter, _ = a_presenter(days=days)

    await presenter.load()

    assert [bar.label for bar in presenter.bars()] == labels
    assert sum(bar.count for bar in presenter.bars()) == 360


async def test_a_file_holds_every_page() -> None:
    presenter, _ = a_presenter()

    records = await presenter.all_rows()

    assert [row["currency"] for row in records.rows] == ["EUR", "EUR"]


def test_nothing_is_rounded_up_to_all() -> None:
    assert [share_words(share, TR) for share in (0.0, 0.994, 0.999, 1.0, 1.31)] == [
        "0 %",
        "99 %",
        "99 %",
        "100 %",
        "131 %",
    ]


def a_budget(share: float, key: str = "") -> JsonObject:
    return {
        "scope_key": key,
        "share": share,
        "period": "week",
        "ends": "2026-03-09",
        "scope_name": "",
        "together": False,
    }


@pytest.mark.parametrize(("share", "is_said"), [(0.8, False), (0.81, True), (1.0, True)])
async def test_e6_a_chat_says_quietly_when_most_of_a_budget_is_used(share: float, *, is_said: bool) -> None:
    budgets: list[JsonValue] = [a_budget(share), a_budget(0.99, "other")]
    own: JsonObject = {"budgets": budgets, "time_zone": "UTC", "currency": "EUR", "figures": FIGURES}
    presenter = OwnAiUsagePresenter(ScriptedNova({"GET /me/ai-usage": own}), TR)

    await presenter.load()

    assert bool(presenter.warning("desk")) is is_said
    if is_said:
        assert presenter.warning("desk").startswith(f"{round(share * 100)} % of the AI budget for this week is used")


def test_the_nearest_limit_is_that_of_this_assistant_or_of_all() -> None:
    budgets = [a_budget(0.2), a_budget(0.9, "desk"), a_budget(0.95, "other")]

    assert nearest_limit(budgets, "desk") == budgets[1]
    assert nearest_limit([], "desk") is None
