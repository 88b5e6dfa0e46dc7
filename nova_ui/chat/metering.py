"""Models on a budget: each request is reserved before it is sent and settled when it has ended (rule E6).

A person may overrun a budget only by what the answers under way are longer than `RESERVED_ANSWER_TOKENS` each.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Protocol

from sqlalchemy.exc import SQLAlchemyError

from nova_ui.chat.failures import log_failure
from nova_ui.chat.token_counts import Heard, tokens_of
from nova_ui.domain.budget import Allowance, Asker, Budget, Price, Spent
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Identity
from nova_ui.errors import BudgetUsedUp, ModelError, NovaUnavailable
from nova_ui.guardrails.budget import UsedUp, check_budget, limits_for
from nova_ui.llm.closing import closable
from nova_ui.llm.port import (
    Finished,
    Mode,
    Model,
    ModelEvent,
    ModelRequest,
    Usage,
)
from storage.chat.audience import GroupsAmong
from storage.chat.budgets import budget_of, find_budget_row
from storage.chat.usage import Counted, UsagePlace, UsageTable
from storage.database import Database
from storage.locks import take_lock

_log: Final = logging.getLogger(__name__)

RESERVED_ANSWER_TOKENS: Final = 1_000
_LOCK: Final = "nova.ai_budget"


class Meter(Protocol):
    """Keeps count of what a turn's models are asked for."""

    def over(self, model: Model, identity: Identity) -> Model:
        """Return `model`, asked on the budget of `identity`."""

    async def finish(self) -> None:
        """Count the message itself, and what was not counted yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Booking:
    """What is reserved for one request, and where it is counted."""

    place: UsagePlace
    price: Price | None
    reserved: Spent


@dataclass(kw_only=True)
class TurnMeter:
    """Counts for one turn or run; `key` is that of the assistant, or of the AI routine assistant."""

    database: Database
    clock: Clock
    groups_among: GroupsAmong
    identity: Identity
    key: str
    is_routine: bool = False
    _first: UsagePlace | None = None
    _uncounted: dict[UsagePlace, int] = field(default_factory=dict)
    _settling: set[asyncio.Task[None]] = field(default_factory=set)

    def over(self, model: Model, identity: Identity) -> Model:
        """Return `model`, asked on the budget of `identity`."""
        return _Metered(self, model, identity)

    async def finish(self) -> None:
        """Count the message, and the requests to the built-in model; a failure of this ends nothing."""
        if self._settling:
            await asyncio.wait(tuple(self._settling))
        try:
            async with self.database.transaction() as session:
                usage, place = UsageTable(session), self._first
                if place is None:
                    budget = budget_of(await find_budget_row(session))
                    place = UsagePlace(day=budget.day_of(self.clock.now()), asker=self._asker(self.identity))
                await usage.count(place, Counted(messages=1))
                for one, requests in self._uncounted.items():
                    await usage.count(one, Counted(requests=requests))
        except (NovaUnavailable, SQLAlchemyError, OSError, ValueError) as error:
            log_failure(_log, "usage.not_counted", error, assistant=self.key)

    async def book(self, model: Model, identity: Identity, request: ModelRequest) -> _Booking:
        """Reserve what a request may take.

        Raises:
            BudgetUsedUp: there is no room for it; nothing was reserved.

        """
        async with self.database.reading() as session:
            budget = budget_of(await find_budget_row(session))
            asker = await self._knowing_groups(budget, identity)
        today = budget.day_of(self.clock.now())
        place = UsagePlace(day=today, asker=asker, profile=model.profile, model=model.name)
        self._first = self._first or place
        if model.mode is Mode.BUILT_IN:  # it costs nothing, and so needs no budget
            self._uncounted[place] = self._uncounted.get(place, 0) + 1
            return _Booking(place=place, price=None, reserved=Spent())
        price = budget.price_of(model.profile, model.name)
        wanted = tokens_of(request)
        micros = 0 if price is None else price.of(wanted, RESERVED_ANSWER_TOKENS)
        booking = _Booking(
            place=place, price=price, reserved=Spent(tokens=wanted + RESERVED_ANSWER_TOKENS, cost_micros=micros)
        )
        if not limits_for(budget.limits, asker):
            return _Booking(place=place, price=price, reserved=Spent())
        used_up = await self._reserve(budget, booking)
        if used_up is not None:
            raise BudgetUsedUp(**_params(used_up, budget))
        return booking

    async def settle_in_any_case(self, model: Model, booking: _Booking, request: ModelRequest, heard: Heard) -> None:
        """Settle also if the turn is stopped a second time meanwhile."""
        task = asyncio.create_task(self._settle(model, booking, request, heard))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        await asyncio.shield(task)

    async def _settle(self, model: Model, booking: _Booking, request: ModelRequest, heard: Heard) -> None:
        """Count what a request has taken, and give back what was reserved for it."""
        if model.mode is Mode.BUILT_IN:
            return
        is_told, reserved = heard.is_told, booking.reserved
        input_tokens = heard.input_tokens if is_told else tokens_of(request)
        output_tokens = heard.output_tokens if is_told else heard.estimate
        if heard.costs_nothing:
            input_tokens = output_tokens = 0
        counted = Counted(
            requests=1,
            estimated=int(not is_told and not heard.costs_nothing),
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cost_micros=0 if booking.price is None else booking.price.of(input_tokens, output_tokens),
            reserved_tokens=-reserved.tokens,
            reserved_micros=-reserved.cost_micros,
        )
        try:
            async with self.database.transaction() as session:
                await UsageTable(session).count(booking.place, counted)
        except (NovaUnavailable, SQLAlchemyError, OSError) as error:
            log_failure(_log, "usage.not_settled", error, assistant=self.key)  # what was reserved stays as spent

    async def _reserve(self, budget: Budget, booking: _Booking) -> UsedUp | None:
        """Look and reserve in one transaction, which no other process can come between."""
        asker = booking.place.asker
        limits = limits_for(budget.limits, asker)
        async with self.database.transaction() as session:
            await take_lock(session, f"{_LOCK}.{asker.identity_id}")
            if not all(limit.is_personal for limit in limits):
                await take_lock(session, _LOCK)
            usage = UsageTable(session)
            allowances = await _find_allowances(usage, budget, asker, booking.place.day)
            used_up = check_budget(allowances, booking.reserved)
            if used_up is None:
                reserved = booking.reserved
                counted = Counted(reserved_tokens=reserved.tokens, reserved_micros=reserved.cost_micros)
                await usage.count(booking.place, counted)
        return used_up

    async def _knowing_groups(self, budget: Budget, identity: Identity) -> Asker:
        wanted = budget.group_ids
        if not wanted:
            return self._asker(identity)
        async with self.database.asking() as connection:
            return self._asker(identity, await self.groups_among(connection, identity.id, wanted))

    def _asker(self, identity: Identity, group_ids: frozenset[str] = frozenset()) -> Asker:
        return Asker(
            identity_id=identity.id,
            roles=identity.roles,
            group_ids=group_ids,
            key=self.key,
            is_routine=self.is_routine,
        )


class _Metered:
    """A model whose every request is booked and settled."""

    def __init__(self, meter: TurnMeter, model: Model, identity: Identity) -> None:
        self._meter = meter
        self._model = model
        self._identity = identity

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def profile(self) -> str:
        return self._model.profile

    @property
    def mode(self) -> Mode:
        return self._model.mode

    @property
    def context_tokens(self) -> int | None:
        return self._model.context_tokens

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Ask once, if the budget has room.

        Raises:
            BudgetUsedUp: it has none; nothing was sent.
            ModelError: as the model itself.

        """
        booking, heard = await self._meter.book(self._model, self._identity, request), Heard()
        try:
            async with aclosing(closable(self._model.stream(request))) as events:
                async for event in events:
                    heard.take(event)
                    if isinstance(event, Finished) and not heard.is_told and self.mode is not Mode.BUILT_IN:
                        yield Usage(input_tokens=tokens_of(request), output_tokens=heard.estimate, is_estimated=True)
                    yield event
        except ModelError as error:
            heard.failure = error.kind
            raise
        finally:
            await self._meter.settle_in_any_case(self._model, booking, request, heard)


async def _find_allowances(usage: UsageTable, budget: Budget, asker: Asker, today: date) -> list[Allowance]:
    """Return the budgets that apply to `asker`, with what is spent of each."""
    found = []
    for limit in limits_for(budget.limits, asker):
        spent = await usage.spent(limit, asker.identity_id, limit.period.starts(today))
        found.append(Allowance.of(limit, spent, today))
    return found


def _params(used_up: UsedUp, budget: Budget) -> dict[str, str | bool]:
    limit = used_up.allowance.limit
    return {
        "amount": used_up.amount.value,
        "period": limit.period.value,
        "scope": limit.scope.value,
        "together": not limit.is_personal,
        "some_left": used_up.is_something_left,
        "until": used_up.allowance.ends.isoformat(),
        "time_zone": budget.time_zone,
    }
