"""The budget as it is stored; what can't be read is refused, never taken for unlimited (rule E6)."""

from decimal import Decimal
from typing import Final

from pydantic import BaseModel, ConfigDict, Field
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.budget import DEFAULT_CURRENCY, DEFAULT_ZONE, Budget, BudgetLimit, Holder, Period, Price, Scope
from nova_ui.domain.json_value import JsonObject
from storage.chat.budget_tables import AiBudgetRow

BUDGET_ID: Final = "budget"


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Price(_Stored):
    profile: str
    input: Decimal
    output: Decimal


class _Limit(_Stored):
    holder: Holder
    holder_id: str = ""
    scope: Scope = Scope.CHATS
    scope_key: str = ""
    period: Period
    tokens: int | None = None
    cost_micros: int | None = None


class _Budget(_Stored):
    currency: str = DEFAULT_CURRENCY
    time_zone: str = DEFAULT_ZONE
    prices: list[_Price] = Field(default_factory=list)
    limits: list[_Limit] = Field(default_factory=list)


async def find_budget_row(session: AsyncSession) -> AiBudgetRow | None:
    """Return the one row, if anything was ever set."""
    return await session.get(AiBudgetRow, BUDGET_ID, populate_existing=True)


def budget_of(row: AiBudgetRow | None) -> Budget:
    """Return what is set; without a row nothing is.

    Raises:
        ValueError: the row can't be read.

    """
    stored = _Budget.model_validate({} if row is None else row.settings)
    return Budget(
        currency=stored.currency,
        time_zone=stored.time_zone,
        prices={one.profile: Price(input=one.input, output=one.output) for one in stored.prices},
        limits=tuple(BudgetLimit(**one.model_dump()) for one in stored.limits),
    )


def budget_to_json(budget: Budget) -> JsonObject:
    """Return what is stored of a budget."""
    prices = [_Price(profile=key, input=one.input, output=one.output) for key, one in budget.prices.items()]
    limits = [_Limit.model_validate(one, from_attributes=True) for one in budget.limits]
    stored = _Budget(currency=budget.currency, time_zone=budget.time_zone, prices=prices, limits=limits)
    return stored.model_dump(mode="json")
