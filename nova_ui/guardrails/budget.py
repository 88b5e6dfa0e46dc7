"""Whether a model may be asked once more on somebody's budget; none is set by default (rule E6)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Final

from nova_ui.domain.budget import Allowance, Asker, BudgetLimit, Holder, Spent

_SPECIAL_FIRST: Final = (Holder.IDENTITY, Holder.GROUP, Holder.ROLE, Holder.EACH)


class Amount(StrEnum):
    """What of a budget is used up."""

    TOKENS = "tokens"
    COST = "cost"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedUp:
    """Why no request may go to a model: `amount` of this budget is spent, or what is left is too little for it."""

    allowance: Allowance
    amount: Amount
    is_something_left: bool


def limits_for(limits: Iterable[BudgetLimit], asker: Asker) -> tuple[BudgetLimit, ...]:
    """Return the budgets that apply to `asker`.

    Of the personal ones with the same scope and period the most special counts alone: the identity's own, else the most
    generous of its groups', else the most generous of its roles', else everybody's. Those held together always count.
    """
    counted = [one for one in limits if _counts(one, asker)]
    together = [one for one in counted if not one.is_personal]
    personal = sorted((one for one in counted if _is_held_by(one, asker)), key=_place)
    found = [_most_special(list(same)) for _, same in groupby(personal, key=_place)]
    return tuple(one for one in [*found, *together] if one.tokens is not None or one.cost_micros is not None)


def check_budget(allowances: Sequence[Allowance], wants: Spent) -> UsedUp | None:
    """Say which budget has no room for `wants`, which is reserved before a request is sent, or None."""
    for one in allowances:
        limit, spent = one.limit, one.spent
        if limit.tokens is not None and spent.tokens + wants.tokens > limit.tokens:
            return UsedUp(allowance=one, amount=Amount.TOKENS, is_something_left=spent.tokens < limit.tokens)
        if limit.cost_micros is not None and spent.cost_micros + wants.cost_micros > limit.cost_micros:
            return UsedUp(allowance=one, amount=Amount.COST, is_something_left=spent.cost_micros < limit.cost_micros)
    return None


def _counts(limit: BudgetLimit, asker: Asker) -> bool:
    """Whether what `asker` spends counts for the scope of `limit`."""
    if limit.scope.is_of_routines is not asker.is_routine:
        return False
    return not limit.scope.is_of_one or limit.scope_key == asker.key


def _is_held_by(limit: BudgetLimit, asker: Asker) -> bool:
    match limit.holder:
        case Holder.EACH:
            return True
        case Holder.ROLE:
            return limit.holder_id in asker.roles
        case Holder.GROUP:
            return limit.holder_id in asker.group_ids
        case Holder.IDENTITY:
            return limit.holder_id == asker.identity_id
        case Holder.TOGETHER:
            return False


def _place(limit: BudgetLimit) -> tuple[str, str, str]:
    return limit.scope.value, limit.scope_key, limit.period.value


def _most_special(same: Sequence[BudgetLimit]) -> BudgetLimit:
    """Return the one limit that counts of several with the same scope and period."""
    holder = next(one for one in _SPECIAL_FIRST if any(limit.holder is one for limit in same))
    held = [limit for limit in same if limit.holder is holder]
    return replace(
        held[0],
        tokens=_most_generous([one.tokens for one in held]),
        cost_micros=_most_generous([one.cost_micros for one in held]),
    )


def _most_generous(amounts: Sequence[int | None]) -> int | None:
    given = [one for one in amounts if one is not None]
    return max(given) if len(given) == len(amounts) else None
