"""What a budget for models is: limits by holder, scope and period, prices of profiles, and what was spent (rule E6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from nova_ui.domain.identity import IdentityId, Role

MICROS: Final = 1_000_000  # costs are kept in millionths of the currency's unit
DEFAULT_CURRENCY: Final = "EUR"
DEFAULT_ZONE: Final = "UTC"


class Period(StrEnum):
    """After which time a budget begins anew, at midnight of the installation's time zone; weeks begin on Mondays."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    def starts(self, today: date) -> date:
        """Return the first day of the period that `today` lies in."""
        match self:
            case Period.DAY:
                return today
            case Period.WEEK:
                return today - timedelta(days=today.weekday())
            case Period.MONTH:
                return today.replace(day=1)

    def ends(self, today: date) -> date:
        """Return the first day of the next period, on which the budget begins anew."""
        match self:
            case Period.DAY:
                return today + timedelta(days=1)
            case Period.WEEK:
                return self.starts(today) + timedelta(days=7)
            case Period.MONTH:
                return (today.replace(day=1) + timedelta(days=31)).replace(day=1)


class Holder(StrEnum):
    """Who holds a budget. All but `TOGETHER` are for each person alone, the more special one instead of the other."""

    EACH = "each"
    ROLE = "role"
    GROUP = "group"
    IDENTITY = "identity"
    TOGETHER = "together"


class Scope(StrEnum):
    """What a budget counts."""

    CHATS = "chats"
    ASSISTANT = "assistant"
    ROUTINES = "routines"
    ROUTINE = "routine"

    @property
    def is_of_routines(self) -> bool:
        """Whether it counts runs of AI routine assistants, which nobody asks for."""
        return self in {Scope.ROUTINES, Scope.ROUTINE}

    @property
    def is_of_one(self) -> bool:
        """Whether it names one assistant or one AI routine assistant."""
        return self in {Scope.ASSISTANT, Scope.ROUTINE}


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetLimit:
    """One budget. `holder_id` is a role, a group's or an identity's id; `scope_key` the key of an assistant or routine.

    None leaves tokens or cost unlimited; with both None an override lifts the limit for its holder.
    """

    holder: Holder
    holder_id: str = ""
    scope: Scope = Scope.CHATS
    scope_key: str = ""
    period: Period
    tokens: int | None = None
    cost_micros: int | None = None

    @property
    def is_personal(self) -> bool:
        """Whether each person has it alone."""
        return self.holder is not Holder.TOGETHER


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost, in the unit of the currency."""

    input: Decimal
    output: Decimal

    def of(self, input_tokens: int, output_tokens: int) -> int:
        """Return the cost in millionths, rounded up."""
        cost = input_tokens * self.input + output_tokens * self.output  # millionths: a million tokens cost a price
        return int(cost.to_integral_value(ROUND_CEILING))


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """All that is set: nothing by default. `prices` go by profile, or by `profile/model`, which counts before it."""

    currency: str = DEFAULT_CURRENCY
    time_zone: str = DEFAULT_ZONE
    prices: Mapping[str, Price] = field(default_factory=dict)
    limits: tuple[BudgetLimit, ...] = ()

    @property
    def group_ids(self) -> frozenset[str]:
        """The groups whose membership decides."""
        return frozenset(one.holder_id for one in self.limits if one.holder is Holder.GROUP)

    def day_of(self, now: datetime) -> date:
        """Return the day that `now` lies in, in the installation's time zone."""
        return now.astimezone(ZoneInfo(self.time_zone)).date()

    def price_of(self, profile: str, model: str) -> Price | None:
        """Return the price of a model, or None where none is set: it then costs nothing."""
        return self.prices.get(f"{profile}/{model}") or self.prices.get(profile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """For whom a model is asked: a person in a chat, or an AI routine assistant called `key`."""

    identity_id: IdentityId
    roles: frozenset[Role]
    group_ids: frozenset[str] = frozenset()
    key: str
    is_routine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens and cost, of a request or of a whole period; what is reserved for requests under way counts as spent."""

    tokens: int = 0
    cost_micros: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """A budget that applies to somebody now, with what is spent of it since `starts`; it begins anew on `ends`."""

    limit: BudgetLimit
    spent: Spent
    starts: date
    ends: date

    @classmethod
    def of(cls, limit: BudgetLimit, spent: Spent, today: date) -> "Allowance":
        """Return what `limit` still allows in the period that `today` lies in."""
        return cls(limit=limit, spent=spent, starts=limit.period.starts(today), ends=limit.period.ends(today))

    @property
    def share(self) -> float:
        """How much is spent, 1.0 being all; of tokens and cost the greater."""
        shares = [
            spent / limit if limit else 1.0
            for spent, limit in (
                (self.spent.tokens, self.limit.tokens),
                (self.spent.cost_micros, self.limit.cost_micros),
            )
            if limit is not None
        ]
        return max(shares, default=0.0)
