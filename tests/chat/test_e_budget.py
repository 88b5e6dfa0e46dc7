"""E6: a budget through the whole engine: reserved before each request, settled after it, and kept by two processes."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlmodel import select

from nova_ui.chat.events import EventName
from nova_ui.chat.metering import RESERVED_ANSWER_TOKENS
from nova_ui.chat.routine_runs import RoutineRuns
from nova_ui.chat.token_counts import tokens_of
from nova_ui.domain.ai_routine import AiRoutine, RunId, RunOrder, RunResult
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.budget import Budget, BudgetLimit, Holder, Period, Price, Scope
from nova_ui.domain.chat import TextMessage
from nova_ui.domain.identity import Language
from nova_ui.errors import FailureKind
from nova_ui.llm.port import Mode
from storage.chat.budget_tables import AiBudgetRow, AiUsageRow
from storage.chat.budgets import BUDGET_ID, budget_to_json
from storage.workers import Worker
from tests.chat.world import ADA, BEN, DESK, ROOT, World
from tests.fakes.scripted_model import call, calls, fails, says

EACH = BudgetLimit(holder=Holder.EACH, period=Period.DAY, tokens=20_000)
TOGETHER = replace(EACH, holder=Holder.TOGETHER)
USED = 12  # what the scripted model tells of each request: 10 tokens in, 2 out
SECOND = Worker(host="here", pid=200, token="second")


async def set_budget(world: World, *limits: BudgetLimit, prices: dict[str, Price] | None = None) -> None:
    now = world.clock.now()
    async with world.database.transaction() as session:
        stored = await session.get(AiBudgetRow, BUDGET_ID)
        if stored is not None:
            await session.delete(stored)
            await session.flush()
        settings = budget_to_json(Budget(limits=limits, prices=prices or {}))
        session.add(AiBudgetRow(id=BUDGET_ID, settings=settings, created_at=now, updated_at=now))


async def usage(world: World) -> list[AiUsageRow]:
    async with world.database.reading() as session:
        return list((await session.exec(select(AiUsageRow))).all())


async def one_request(world: World) -> int:
    """Return how much is reserved for a short message: what its request would take and an answer."""
    world.model.queue(says("Hello."))
    await world.say("Hello")
    return tokens_of(world.model.requests[-1]) + RESERVED_ANSWER_TOKENS


async def test_e6_without_a_budget_nothing_is_refused_and_usage_is_counted(world: World) -> None:
    world.model.queue(calls(call("list_groups", group_id="grp_1")), says("Two."))

    heard = await world.say("How many?")

    (row,) = await usage(world)
    assert heard.notices == []
    assert (row.messages, row.requests, row.input_tokens, row.output_tokens) == (1, 2, 20, 4)
    assert (row.identity_id, row.kind, row.assistant_key) == (ROOT.identity.id, "chat", "helpdesk")
    assert (row.profile, row.model, row.reserved_tokens) == ("house", "scripted", 0)


async def test_e6_a_used_up_budget_ends_the_turn_before_the_request_and_says_so(world: World) -> None:
    await set_budget(world, replace(EACH, tokens=USED))

    heard = await world.say("Hello")

    (notice,) = heard.all(EventName.NOTICE)
    assert world.model.requests == []
    assert notice["code"] == "budget_used_up"
    assert "too little" in str(notice["text"])
    assert "3 Mar 2026" in str(notice["text"])
    assert "built-in model" in str(notice["text"])
    assert heard.one(EventName.DONE)["model_calls"] == 0


async def test_e6_each_request_of_a_turn_is_checked_and_not_only_its_first(world: World) -> None:
    room = await one_request(world)
    await set_budget(world, replace(EACH, tokens=USED + room))
    world.model.queue(*[calls(call("list_groups", call_id=f"c_{one}", group_id=f"grp_{one}")) for one in range(9)])
    before = len(world.model.requests)

    heard = await world.say("Hello")

    assert len(world.model.requests) - before == 1
    assert heard.outcomes == [("ok", None)]
    assert heard.notices == ["budget_used_up"]


async def test_e6_what_was_reserved_and_not_used_is_free_again(world: World) -> None:
    room = await one_request(world)
    await set_budget(world, replace(EACH, tokens=room + 5 * USED))

    heard = [await world.say("Hello") for _ in range(6)]

    assert [one.notices for one in heard] == [[], [], [], [], [], ["budget_used_up"]]


async def test_e6_the_tool_form_and_the_built_in_model_need_no_budget(world: World) -> None:
    await set_budget(world, replace(EACH, tokens=0), replace(TOGETHER, tokens=0))

    form = await world.use("list_groups", group_id="grp_1")
    world.model.mode = Mode.BUILT_IN
    talk = await world.say("Hello")

    assert form.outcomes == [("ok", None)]
    assert (talk.notices, talk.text) == ([], "Nothing to add.")
    assert sorted((row.profile, row.messages, row.requests) for row in await usage(world)) == [
        ("", 1, 0),
        ("house", 1, 1),
    ]


async def test_e6_a_budget_begins_anew_with_the_next_day(world: World) -> None:
    room = await one_request(world)
    await set_budget(world, replace(EACH, tokens=room))
    refused = await world.say("Hello")
    world.clock.move(timedelta(days=1))

    fresh = await world.say("Hello")

    assert refused.notices == ["budget_used_up"]
    assert fresh.notices == []


async def test_e6_deleting_chats_frees_nothing(world: World) -> None:
    room = await one_request(world)
    await set_budget(world, replace(EACH, tokens=room))
    await world.history.clear_all(ROOT.identity)

    heard = await world.say("Hello")

    assert heard.notices == ["budget_used_up"]
    assert [row.requests for row in await usage(world)] == [1]


async def test_e6_one_persons_budget_is_not_anothers(world: World) -> None:
    room = await one_request(world)
    await set_budget(world, replace(EACH, tokens=room))

    mine, theirs = await world.say("Hello"), await world.say("Hello", caller=ADA)

    assert (mine.notices, theirs.notices) == (["budget_used_up"], [])


async def test_e6_an_assistant_can_have_a_budget_of_its_own(world: World) -> None:
    await set_budget(world, replace(EACH, tokens=0, scope=Scope.ASSISTANT, scope_key="helpdesk"))

    here, there = await world.say("Hello"), await world.say("Hello", assistant=DESK)

    assert (here.notices, there.notices) == (["budget_used_up"], [])


async def test_e6_membership_is_looked_up_for_each_request(world: World) -> None:
    team = replace(EACH, holder=Holder.GROUP, holder_id="grp_team")
    await set_budget(world, replace(EACH, tokens=0), team)

    outside = await world.say("Hello")
    world.members[ROOT.identity.id] = {"grp_team"}
    inside = await world.say("Hello")

    assert (outside.notices, inside.notices) == (["budget_used_up"], [])


async def test_e6_cost_is_counted_by_the_price_of_the_profile_and_limited(world: World) -> None:
    prices = {"house": Price(input=Decimal("2.5"), output=Decimal(10))}
    await set_budget(world, prices=prices)
    await world.say("Hello")
    await set_budget(world, replace(EACH, tokens=None, cost_micros=45), prices=prices)

    heard = await world.say("Hello")

    (row,) = await usage(world)
    assert row.cost_micros == 10 * 2.5 + 2 * 10
    assert heard.notices == ["budget_used_up"]


@pytest.mark.parametrize("limit", [EACH, TOGETHER], ids=["personal", "together"])
async def test_e6_two_processes_do_not_overrun_a_budget_together(world: World, limit: BudgetLimit) -> None:
    room = await one_request(world)
    await set_budget(world, replace(limit, tokens=USED + room))  # room for one request, not for two at one moment
    other, hold = world.another(SECOND), asyncio.Event()
    worlds = (world, other)
    for one in worlds:
        one.model.queue(replace(says("Hello."), waits_for=hold))
    keys = (AssistantKey("helpdesk"), DESK)
    before = len(world.model.requests)

    started = await asyncio.gather(
        *(one.start(TextMessage(text="Hello"), assistant=key) for one, key in zip(worlds, keys, strict=True))
    )
    hearing = [asyncio.create_task(one.hear(turn)) for one, turn in zip(worlds, started, strict=True)]
    await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
    hold.set()
    heard = await asyncio.gather(*hearing)

    assert len(world.model.requests) - before + len(other.model.requests) == 1
    assert sorted(one.notices for one in heard) == [[], ["budget_used_up"]]
    await other.live.shut_down()


async def test_e6_what_a_dead_process_had_reserved_counts_as_spent(world: World) -> None:
    room = await one_request(world)
    await set_budget(world, replace(EACH, tokens=USED + room + 10))
    async with world.database.transaction() as session:
        row = (await session.exec(select(AiUsageRow))).one()
        row.reserved_tokens = room
        session.add(row)

    heard = await world.say("Hello")

    assert heard.notices == ["budget_used_up"]


async def test_e6_tokens_that_no_provider_tells_are_estimated_and_said_to_be(world: World) -> None:
    world.model.tells_usage = False
    world.model.queue(says("Hello there, " * 10))

    heard = await world.say("Hello")

    (row,) = await usage(world)
    told = heard.one(EventName.DONE)["usage"]
    assert row.estimated == 1
    assert (row.input_tokens, row.output_tokens) == (tokens_of(world.model.requests[0]), 44)
    assert told == {"input_tokens": row.input_tokens, "output_tokens": 44, "estimated": True}


@pytest.mark.parametrize(
    ("kind", "after", "tokens", "estimated"),
    [
        (FailureKind.CREDENTIALS, "", 0, 0),
        (FailureKind.TIMEOUT, "", None, 1),
        (FailureKind.CUT_OFF, "Half an answer", None, 1),
    ],
)
async def test_e6_a_failed_request_counts_what_the_provider_may_have_read(
    world: World, kind: FailureKind, after: str, tokens: int | None, estimated: int
) -> None:
    world.model.queue(fails(kind, after=after))

    await world.say("Hello")

    (row,) = await usage(world)
    read = tokens_of(world.model.requests[0])
    assert (row.requests, row.estimated, row.reserved_tokens) == (1, estimated, 0)
    assert row.input_tokens == (read if tokens is None else tokens)


async def test_e6_a_turn_that_is_stopped_settles_what_it_had_reserved(world: World) -> None:
    await set_budget(world, EACH)
    hold = asyncio.Event()
    world.model.queue(replace(says("Once upon"), holds_before_end=hold))
    started = await world.start(TextMessage(text="Tell me"), caller=BEN)
    await world.until_following(started.turn_id, EventName.TEXT, caller=BEN)

    await world.live.stop(BEN.identity.id, started.turn_id)
    await world.hear(started, caller=BEN)

    (row,) = await usage(world)
    assert (row.messages, row.requests, row.estimated, row.reserved_tokens) == (1, 1, 1, 0)
    assert row.output_tokens == 3


async def test_e6_a_budget_that_cannot_be_read_is_not_taken_for_none(world: World) -> None:
    await set_budget(world, EACH)
    async with world.database.transaction() as session:
        row = (await session.exec(select(AiBudgetRow))).one()
        row.settings = {"limits": [{"holder": "nobody knows"}]}
        session.add(row)

    heard = await world.say("Hello")

    assert world.model.requests == []
    assert heard.events[-1].name is EventName.ERROR


async def run_routine(world: World) -> RunResult:
    routine = AiRoutine(
        key="weekly",
        names={Language.ENGLISH: "Weekly"},
        prompt="Report.",
        tool_names=frozenset({"list_groups"}),
        acts_as=ROOT.identity.id,
        read_only=True,
        enabled=True,
    )

    async def find(_key: str) -> AiRoutine | None:
        return routine

    order = RunOrder(run_id=RunId("arn_1"), routine=routine, caller=ROOT)
    return await RoutineRuns(world.engine, find).run(order)


@pytest.mark.parametrize("scope", [Scope.ROUTINES, Scope.ROUTINE])
async def test_e6_runs_of_routines_keep_their_budget_and_leave_people_theirs(world: World, scope: Scope) -> None:
    await set_budget(world, replace(EACH, tokens=0))
    free = await run_routine(world)
    key = "weekly" if scope is Scope.ROUTINE else ""
    await set_budget(world, replace(TOGETHER, tokens=USED, scope=scope, scope_key=key))

    refused, chat = await run_routine(world), await world.say("Hello")

    assert [one.code for one in free.notices] == []
    assert [one.code for one in refused.notices] == ["budget_used_up"]
    assert chat.notices == []
    assert {row.kind: row.messages for row in await usage(world)} == {"routine": 2, "chat": 1}
