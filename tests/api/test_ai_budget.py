"""The budget for models: set in the interface only (B6), audited, and what was used as each may see it (E6)."""

from datetime import date

import pytest
from httpx import Response

from nova_ui.domain.budget import Asker
from nova_ui.domain.identity import IdentityId
from storage.chat.usage import Counted, UsagePlace, UsageTable
from storage.ids import new_id
from tests.api.site import Site
from tests.api.test_ai_configuration import a_profile

BUDGET = "/administration/ai-budget"
USAGE = "/administration/ai-usage"
EACH = {"holder": "each", "period": "month", "tokens": 1_000}
TODAY = date(2026, 3, 2)


async def put(site: Site, *limits: dict[str, object], who: str = "mara", **fields: object) -> Response:
    return await site.call(who, f"PUT {BUDGET}", body={"limits": [*limits], **fields})


async def use(
    site: Site, who: str, *, key: str = "helpdesk", day: date = TODAY, is_routine: bool = False, **counted: int
) -> None:
    asker = Asker(identity_id=IdentityId(site.people[who].id), roles=frozenset(), key=key, is_routine=is_routine)
    async with site.database.transaction() as session:
        place = UsagePlace(day=day, asker=asker, profile="house", model="llama")
        await UsageTable(session).count(place, Counted(**counted))


async def report(site: Site, **query: object) -> dict[str, object]:
    answer = await site.call("mara", f"GET {USAGE}", query=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def lines(found: dict[str, object]) -> list[tuple[str, str, int]]:
    items = found["items"]
    assert isinstance(items, list)
    return [(item["key"], item["name"], item["input_tokens"]) for item in items]


async def test_e6_there_is_no_budget_before_somebody_sets_one(site: Site) -> None:
    found = (await site.call("mara", f"GET {BUDGET}")).json()

    assert (found["limits"], found["prices"], found["version"]) == ([], [], 0)


async def test_b6_a_budget_is_set_in_the_interface_only(site: Site) -> None:
    answers = [
        await site.call("mara", f"PUT {BUDGET}", body={"limits": [EACH]}, via="admin"),
        await put(site, EACH, who="paul"),
        await put(site, EACH, who="sam"),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert answers[0].json()["code"] == "interface_only"
    assert (await site.call("mara", f"GET {BUDGET}")).json()["limits"] == []


async def test_e6_each_change_is_logged_with_before_and_after(site: Site) -> None:
    await a_profile(site)
    await put(site, EACH, prices=[{"profile": "house", "input": 2.5, "output": 10}])
    await put(site, {**EACH, "tokens": 2_000}, currency="USD")

    entries = await site.entries("ai_budget.updated")
    assert entries[1].details["changes"] == [
        {"field": "currency", "before": "EUR", "after": "USD"},
        {"field": "price house", "before": {"input": 2.5, "output": 10.0}, "after": None},
        {
            "field": "limit each chats month",
            "before": {"tokens": 1_000, "cost": None},
            "after": {"tokens": 2_000, "cost": None},
        },
    ]


async def test_the_same_budget_again_changes_and_logs_nothing(site: Site) -> None:
    first, again = await put(site, EACH), await put(site, EACH)

    assert first.json()["version"] == again.json()["version"] == 1
    assert len(await site.entries("ai_budget.updated")) == 1


async def test_two_administrators_do_not_overwrite_each_other(site: Site) -> None:
    first = await put(site, EACH)
    await put(site, {**EACH, "tokens": 2_000})

    late = await site.call("mara", f"PUT {BUDGET}", body={}, headers={"If-Match": first.headers["ETag"]})

    assert late.status_code == 412


@pytest.mark.parametrize(
    ("limit", "field"),
    [
        ({**EACH, "tokens": None}, "limits.0.tokens"),
        ({**EACH, "holder_id": "manager"}, "limits.0.holder_id"),
        ({**EACH, "holder": "role"}, "limits.0.holder_id"),
        ({**EACH, "holder": "role", "holder_id": "king"}, "limits.0.holder_id"),
        ({**EACH, "holder": "identity", "holder_id": "idn_" + "9" * 20}, "limits.0.holder_id"),
        ({**EACH, "holder": "group", "holder_id": "grp_" + "9" * 20}, "limits.0.holder_id"),
        ({**EACH, "scope": "assistant"}, "limits.0.scope_key"),
        ({**EACH, "scope_key": "helpdesk"}, "limits.0.scope_key"),
        ({**EACH, "scope": "assistant", "scope_key": "nobody"}, "limits.0.scope_key"),
        ({**EACH, "scope": "routines"}, "limits.0.holder"),
        ({**EACH, "holder": "together", "scope": "routine", "scope_key": "nobody"}, "limits.0.scope_key"),
    ],
)
async def test_a_limit_that_means_nothing_is_refused(site: Site, limit: dict[str, object], field: str) -> None:
    answer = await put(site, limit)

    assert (answer.status_code, answer.json()["field"]) == (400, field)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"time_zone": "Europe/Atlantis"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"prices": [{"profile": "nowhere", "input": 1, "output": 1}]}, "prices"),
        ({"prices": [{"profile": "environment", "input": 1, "output": 1}] * 2}, "prices"),
    ],
)
async def test_other_values_that_mean_nothing_are_refused(site: Site, fields: dict[str, object], field: str) -> None:
    answer = await site.call("mara", f"PUT {BUDGET}", body=fields)

    assert (answer.status_code, answer.json()["field"]) == (400, field)


async def test_the_same_limit_twice_is_refused(site: Site) -> None:
    assert (await put(site, EACH, {**EACH, "tokens": 5})).json()["field"] == "limits.1"


async def test_an_override_may_lift_a_limit(site: Site) -> None:
    lifted: dict[str, object] = {"holder": "identity", "holder_id": site.people["sam"].id, "period": "month"}

    answer = await put(site, EACH, lifted, {**EACH, "holder": "role", "holder_id": "manager"})

    assert answer.status_code == 200, answer.text
    assert [one["holder_name"] for one in answer.json()["limits"]] == ["", "Sam", "manager"]


async def test_e6_usage_is_told_by_assistant_identity_profile_model_and_time(site: Site) -> None:
    await a_profile(site)
    await use(site, "sam", messages=1, requests=2, input_tokens=100, output_tokens=5, cost_micros=1_500_000)
    await use(site, "paul", key="admin", input_tokens=300, day=date(2026, 2, 27))
    await use(site, "sam", key="weekly", is_routine=True, input_tokens=50)
    await use(site, "sam", input_tokens=7, day=date(2025, 3, 1))  # outside the usual span

    found = await report(site)

    assert [line[0] for line in lines(found)] == ["admin", "helpdesk", "weekly"]
    assert found["totals"] == {
        "messages": 1,
        "requests": 2,
        "estimated": 0,
        "input_tokens": 450,
        "output_tokens": 5,
        "cost": 1.5,
    }
    people = {name: site.people[name] for name in ("sam", "paul")}
    assert lines(await report(site, by="identity")) == [
        (people["paul"].id, "Paul", 300),
        (people["sam"].id, "Sam", 150),
    ]
    assert lines(await report(site, by="profile")) == [("house", "House model", 450)]
    assert lines(await report(site, by="model")) == [("house/llama", "House model · llama", 450)]
    assert [line[0] for line in lines(await report(site, by="day"))] == ["2026-03-02", "2026-02-27"]
    assert [line[0] for line in lines(await report(site, by="week"))] == ["2026-03-02", "2026-02-23"]
    assert [line[0] for line in lines(await report(site, by="month"))] == ["2026-03-01", "2026-02-01"]
    days = found["days"]
    assert isinstance(days, list)
    assert (len(days), sum(day["input_tokens"] for day in days)) == (30, 450)


async def test_usage_is_narrowed_down_and_read_page_by_page(site: Site) -> None:
    await use(site, "sam", input_tokens=1)
    await use(site, "paul", input_tokens=2)
    await use(site, "paul", key="weekly", is_routine=True, input_tokens=4)

    chats = await report(site, kind="chat", by="identity", limit=1)
    further = await report(site, kind="chat", by="identity", limit=1, cursor=chats["next_cursor"])
    foreign = await site.call("mara", f"GET {USAGE}", query={"by": "identity", "cursor": chats["next_cursor"]})

    assert [lines(page)[0][2] for page in (chats, further)] == [2, 1]
    assert (chats["total"], further["next_cursor"]) == (2, None)
    assert foreign.status_code == 400
    assert lines(await report(site, assistant="weekly"))[0][2] == 4
    assert lines(await report(site, identity_id=site.people["sam"].id))[0][2] == 1
    assert lines(await report(site, profile="other")) == []


@pytest.mark.parametrize(
    "query", [{"since": "2026-03-03", "until": "2026-03-02"}, {"since": "2024-01-01"}, {"until": "0001-01-05"}]
)
async def test_a_span_that_is_none_is_refused(site: Site, query: dict[str, str]) -> None:
    assert (await site.call("mara", f"GET {USAGE}", query=query)).status_code == 400


async def test_only_overseers_read_the_usage_of_others(site: Site) -> None:
    await use(site, "sam", input_tokens=100)

    answers = {who: (await site.call(who, f"GET {USAGE}")).status_code for who in ("mara", "paul", "sam")}
    own = (await site.call("paul", "GET /me/ai-usage")).json()

    assert answers == {"mara": 200, "paul": 200, "sam": 403}
    assert own["figures"]["input_tokens"] == 0


async def test_e6_everybody_sees_what_is_spent_of_the_own_budgets(site: Site) -> None:
    await put(site, EACH, {**EACH, "holder": "together", "tokens": 10_000}, {**EACH, "period": "day", "cost": 4})
    await use(site, "sam", input_tokens=700, output_tokens=200, cost_micros=3_000_000)
    await use(site, "paul", input_tokens=100)

    budgets = (await site.call("sam", "GET /me/ai-usage")).json()["budgets"]

    told = {(one["period"], one["together"]): one for one in budgets}
    assert told["month", False]["share"] == 0.9
    assert (told["month", False]["tokens_spent"], told["month", False]["ends"]) == (900, "2026-04-01")
    assert (told["day", False]["cost_spent"], told["day", False]["cost"]) == (3.0, 4.0)
    assert (told["month", True]["share"], told["month", True]["tokens_spent"]) == (0.1, None)


async def test_b5_a_budget_for_an_assistant_of_others_is_not_told(site: Site) -> None:
    await put(site, {**EACH, "scope": "assistant", "scope_key": "admin"})

    told = {who: (await site.call(who, "GET /me/ai-usage")).json()["budgets"] for who in ("mara", "sam")}

    assert [one["scope_name"] for one in told["mara"]] == ["Admin Chat"]
    assert told["sam"] == []


async def test_what_was_deleted_meanwhile_may_stay_in_the_budget(site: Site) -> None:
    group = await site.call("mara", "POST /groups", body={"display_name": f"Team {new_id('x')}"})
    limit = {**EACH, "holder": "group", "holder_id": group.json()["id"]}
    await put(site, limit)
    await site.call("mara", f"DELETE /groups/{group.json()['id']}")

    answer = await put(site, limit, EACH)

    assert answer.status_code == 200, answer.text
    assert answer.json()["limits"][0]["holder_name"] == ""
