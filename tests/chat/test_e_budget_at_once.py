"""E6: two processes that book at one moment: neither overruns a budget, and no charge of theirs is lost."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import date

import pytest

from nova_ui.domain.budget import BudgetLimit, Spent
from nova_ui.domain.chat import TextMessage
from nova_ui.domain.identity import Caller, IdentityId
from storage.chat.usage import UsageTable
from storage.database import Database
from tests.chat.test_e_budget import EACH, SECOND, TOGETHER, USED, one_request, set_budget, usage
from tests.chat.world import ADA, DESK, HELPDESK, ROOT, World
from tests.fakes.lock_waits import until_somebody_waits
from tests.fakes.scripted_model import says


@pytest.mark.postgresql
@pytest.mark.parametrize(("limit", "who"), [(EACH, ROOT), (TOGETHER, ADA)], ids=["personal", "together"])
async def test_e6_who_looks_at_a_budget_while_another_books_waits(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch, limit: BudgetLimit, who: Caller
) -> None:
    """The first has seen that there is room and not yet taken it: the second must not see the same room."""
    database = Database(postgresql_url)
    world = World(database)
    await world.add_usual_assistants()
    room = await one_request(world)
    await set_budget(world, replace(limit, tokens=USED + room))
    other, has_looked, hold = world.another(SECOND), asyncio.Event(), asyncio.Event()
    for one in (world, other):
        one.model.queue(replace(says("Hello."), waits_for=hold))  # what is settled would be room again
    spent = UsageTable.spent

    async def look_and_meet(table: UsageTable, of: BudgetLimit, identity_id: IdentityId, since: date) -> Spent:
        found = await spent(table, of, identity_id, since)
        if has_looked.is_set():
            both_have_looked.set()  # the first still holds its room: its model has not answered
        else:
            has_looked.set()
            await _first_of(both_have_looked.wait(), until_somebody_waits(database))
        return found

    both_have_looked = asyncio.Event()
    monkeypatch.setattr(UsageTable, "spent", look_and_meet)
    before = len(world.model.requests)

    first = await world.start(TextMessage(text="Hello"), assistant=HELPDESK)
    await has_looked.wait()
    second = await other.start(TextMessage(text="Hello"), assistant=DESK, caller=who)
    hearing = [asyncio.create_task(world.hear(first)), asyncio.create_task(other.hear(second, caller=who))]
    await asyncio.wait([hearing[1], asyncio.create_task(both_have_looked.wait())], return_when="FIRST_COMPLETED")
    hold.set()
    heard = await asyncio.gather(*hearing)
    monkeypatch.undo()
    rows = await usage(world)
    await other.live.shut_down()
    await world.live.shut_down()
    await database.close()

    assert [one.notices for one in heard] == [[], ["budget_used_up"]]
    assert len(world.model.requests) - before + len(other.model.requests) == 1
    assert sum(row.requests for row in rows) == 2
    assert sum(row.reserved_tokens for row in rows) == 0


async def _first_of(*waits: Coroutine[object, object, object]) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
