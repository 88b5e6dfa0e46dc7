"""The budget and the usage as people see them."""

import pytest
from nicegui.testing import User

from nova_ui.components.bar_chart import BarChart
from nova_ui.components.data_table import DataTable
from tests.pages.conftest import Visitor

BUDGET = "/administration/ai-budget"
USAGE = "/monitoring/ai-usage"


def lines(person: User) -> list[str]:
    tables = person.find(DataTable).elements
    return [str(row["name"]) for table in tables for row in table.rows]


async def test_e6_an_administrator_sets_a_budget_and_everybody_sees_the_own(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(BUDGET)
    await mara.should_see("No budget is set: nobody is limited.", retries=50)
    mara.find(marker="add-limit").click()
    await mara.should_see(marker="limit-1", retries=50)
    mara.find(marker="save-budget").click()
    await mara.should_see("Budget 1: A budget limits tokens, cost or both", retries=50)

    mara.find(marker="budget-tokens").type("50000")
    await mara.should_see("Each person: at most 50,000 tokens per month, in all assistants", retries=50)
    mara.find(marker="save-budget").click()
    await mara.should_see("Stored. It counts from the next request to a model on.", retries=50)

    tim = await visitor("tim.vogt")
    await tim.open("/me")
    await tim.should_see("0 % of the AI budget for this month is used, your own.", retries=50)


async def test_what_people_send_is_counted_charted(visitor: Visitor) -> None:
    tim, paul = await visitor("tim.vogt"), await visitor("paul.adler")
    await tim.open("/")
    await tim.should_see(marker="starter", retries=50)
    tim.find(marker="composer").trigger("send", "Hello")
    await tim.should_see("Built-in assistant", retries=200)

    await paul.open(f"{USAGE}?by=identity&measure=messages&days=7")
    await paul.should_see("1 message", retries=50)
    assert lines(paul) == ["Tim Vogt"]
    assert len(paul.find(BarChart).elements) == 1


@pytest.mark.parametrize("login", ["paul.adler", "lea.brandt", "tim.vogt"])
async def test_b6_only_administrators_reach_the_budget(visitor: Visitor, login: str) -> None:
    other = await visitor(login)

    assert (await other.http_client.get(BUDGET)).status_code == 404


@pytest.mark.parametrize("login", ["lea.brandt", "tim.vogt"])
async def test_only_overseers_reach_the_usage(visitor: Visitor, login: str) -> None:
    other = await visitor(login)

    assert (await other.http_client.get(USAGE)).status_code == 404
