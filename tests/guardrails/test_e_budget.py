"""E6: which budgets apply to somebody, and when one has no room; none is set by default."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from nova_ui.domain.budget import Allowance, Asker, Budget, BudgetLimit, Holder, Period, Price, Scope, Spent
from nova_ui.domain.identity import IdentityId, Role
from nova_ui.guardrails.budget import Amount, check_budget, limits_for

ADA = Asker(identity_id=IdentityId("idn_ada"), roles=frozenset({Role.USER, Role.MANAGER, Role.AUDITOR}), key="helpdesk")
EACH = BudgetLimit(holder=Holder.EACH, period=Period.DAY, tokens=1_000)
MANAGERS = replace(EACH, holder=Holder.ROLE, holder_id="manager", tokens=2_000)
AUDITORS = replace(EACH, holder=Holder.ROLE, holder_id="auditor", tokens=5_000)
TEAM = replace(EACH, holder=Holder.GROUP, holder_id="grp_team", tokens=100)
OWN = replace(EACH, holder=Holder.IDENTITY, holder_id="idn_ada", tokens=7)
TOGETHER = replace(EACH, holder=Holder.TOGETHER, tokens=1_000_000)


def allowance(limit: BudgetLimit = EACH, *, tokens: int = 0, cost_micros: int = 0) -> Allowance:
    spent = Spent(tokens=tokens, cost_micros=cost_micros)
    return Allowance(limit=limit, spent=spent, starts=date(2026, 3, 2), ends=date(2026, 3, 3))


def test_e6_no_budget_is_set_by_default() -> None:
    assert limits_for(Budget().limits, ADA) == ()
    assert check_budget([], Spent(tokens=10**9, cost_micros=10**12)) is None


@pytest.mark.parametrize(("spent", "is_refused"), [(900, False), (901, True)])
def test_e6_a_request_goes_out_only_if_all_of_it_has_room(spent: int, *, is_refused: bool) -> None:
    used_up = check_budget([allowance(tokens=spent)], Spent(tokens=100))

    assert (used_up is not None) is is_refused


@pytest.mark.parametrize(("spent", "is_refused"), [(900_000, False), (900_001, True)])
def test_e6_cost_is_limited_as_tokens_are(spent: int, *, is_refused: bool) -> None:
    limit = replace(EACH, tokens=None, cost_micros=1_000_000)

    used_up = check_budget([allowance(limit, tokens=10**9, cost_micros=spent)], Spent(cost_micros=100_000))

    assert (used_up is not None and used_up.amount is Amount.COST) is is_refused


@pytest.mark.parametrize(("spent", "some_left"), [(999, True), (1_000, False), (1_200, False)])
def test_e6_what_is_left_and_too_little_is_told_from_what_is_used_up(spent: int, *, some_left: bool) -> None:
    used_up = check_budget([allowance(tokens=spent)], Spent(tokens=100))

    assert used_up is not None
    assert used_up.is_something_left is some_left


@pytest.mark.parametrize(("spent", "some_left"), [(999, True), (1_000, False), (1_200, False)])
def test_e6_the_same_holds_of_cost(spent: int, *, some_left: bool) -> None:
    limit = replace(EACH, tokens=None, cost_micros=1_000)

    used_up = check_budget([allowance(limit, cost_micros=spent)], Spent(cost_micros=100))

    assert used_up is not None
    assert used_up.is_something_left is some_left


def test_e6_of_several_roles_the_most_generous_cost_counts() -> None:
    limits = [replace(MANAGERS, cost_micros=10), replace(AUDITORS, cost_micros=30)]

    (found,) = limits_for(limits, ADA)

    assert (found.tokens, found.cost_micros) == (5_000, 30)


def test_e6_every_budget_that_applies_needs_room() -> None:
    used_up = check_budget([allowance(tokens=0), allowance(TOGETHER, tokens=1_000_000)], Spent(tokens=1))

    assert used_up is not None
    assert used_up.allowance.limit is TOGETHER


@pytest.mark.parametrize(
    ("limits", "counts"),
    [
        ([EACH], EACH),
        ([EACH, MANAGERS], MANAGERS),
        ([EACH, MANAGERS, AUDITORS], AUDITORS),
        ([EACH, MANAGERS, AUDITORS, TEAM], TEAM),
        ([EACH, MANAGERS, AUDITORS, TEAM, OWN], OWN),
        ([OWN, EACH], OWN),
    ],
)
def test_e6_the_most_special_budget_counts_alone(limits: list[BudgetLimit], counts: BudgetLimit) -> None:
    asker = replace(ADA, group_ids=frozenset({"grp_team"}))

    (found,) = limits_for(limits, asker)

    assert (found.holder, found.tokens) == (counts.holder, counts.tokens)


def test_e6_of_several_groups_the_most_generous_counts() -> None:
    wide = replace(TEAM, holder_id="grp_wide", tokens=900, cost_micros=5)
    asker = replace(ADA, group_ids=frozenset({"grp_team", "grp_wide"}))

    (found,) = limits_for([EACH, TEAM, wide], asker)

    assert (found.tokens, found.cost_micros) == (900, None)


def test_e6_an_override_can_lift_a_limit_but_never_the_one_held_together() -> None:
    lifted = replace(OWN, tokens=None)

    assert limits_for([EACH, TOGETHER, lifted], ADA) == (TOGETHER,)


@pytest.mark.parametrize(
    "foreign",
    [
        replace(EACH, holder=Holder.IDENTITY, holder_id="idn_ben"),
        replace(EACH, holder=Holder.ROLE, holder_id="administrator"),
        TEAM,
        replace(EACH, scope=Scope.ASSISTANT, scope_key="desk"),
        replace(TOGETHER, scope=Scope.ROUTINES),
        replace(TOGETHER, scope=Scope.ROUTINE, scope_key="helpdesk"),
    ],
)
def test_e6_a_budget_of_others_does_not_apply(foreign: BudgetLimit) -> None:
    assert limits_for([foreign], ADA) == ()


@pytest.mark.parametrize(
    "limit", [replace(TOGETHER, scope=Scope.ROUTINES), replace(TOGETHER, scope=Scope.ROUTINE, scope_key="helpdesk")]
)
def test_e6_runs_of_routines_have_budgets_of_their_own(limit: BudgetLimit) -> None:
    run = replace(ADA, is_routine=True)

    assert limits_for([limit, EACH, TOGETHER], run) == (limit,)


def test_e6_different_periods_and_scopes_count_side_by_side() -> None:
    monthly = replace(EACH, period=Period.MONTH)
    here = replace(EACH, scope=Scope.ASSISTANT, scope_key="helpdesk")

    assert set(limits_for([EACH, monthly, here], ADA)) == {EACH, monthly, here}


@pytest.mark.parametrize(
    ("period", "starts", "ends"),
    [
        (Period.DAY, date(2026, 12, 31), date(2027, 1, 1)),
        (Period.WEEK, date(2026, 12, 28), date(2027, 1, 4)),
        (Period.MONTH, date(2026, 12, 1), date(2027, 1, 1)),
    ],
)
def test_e6_periods_begin_at_midnight_on_mondays_and_on_the_first(period: Period, starts: date, ends: date) -> None:
    assert (period.starts(date(2026, 12, 31)), period.ends(date(2026, 12, 31))) == (starts, ends)


def test_e6_days_are_those_of_the_installation() -> None:
    late = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)

    assert Budget(time_zone="Europe/Berlin").day_of(late) == date(2026, 3, 2)
    assert Budget(time_zone="America/New_York").day_of(late) == date(2026, 3, 1)


def test_e6_cost_is_rounded_up_and_a_model_has_its_own_price_before_its_profile() -> None:
    dear, cheap = Price(input=Decimal("3.00"), output=Decimal("15.00")), Price(input=Decimal("0.15"), output=Decimal(0))
    budget = Budget(prices={"house": dear, "house/mini": cheap})

    assert dear.of(1_000_000, 1_000_000) == 18_000_000
    assert cheap.of(1, 0) == 1
    assert budget.price_of("house", "mini") == cheap
    assert budget.price_of("house", "large") == dear
    assert budget.price_of("other", "large") is None


def test_e6_the_share_of_a_budget_is_the_greater_of_tokens_and_cost() -> None:
    both = replace(EACH, tokens=100, cost_micros=1_000)

    assert allowance(both, tokens=50, cost_micros=900).share == pytest.approx(0.9)
    assert allowance(replace(EACH, tokens=0)).share == pytest.approx(1.0)
