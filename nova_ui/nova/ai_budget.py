"""The budget for models as administrators set it, in the interface only (rules B6, E6)."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_profile import ENVIRONMENT_KEY
from nova_ui.domain.budget import MICROS, Budget, BudgetLimit, Holder, Price, Scope
from nova_ui.domain.identity import Role
from nova_ui.errors import NovaInvalid
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views.ai_budget import AiBudgetBody, AiBudgetLimit, AiBudgetLimitView, AiBudgetView, AiPrice
from nova_ui.nova.writing import check_version
from storage.chat.budget_tables import AiBudgetRow
from storage.chat.budgets import BUDGET_ID, budget_of, budget_to_json, find_budget_row
from storage.chat.tables import AssistantRow
from storage.nova.ai_tables import AiProfileRow, AiRoutineRow
from storage.nova.locks import take_lock
from storage.nova.names import group_names, identity_names

UPDATED: Final = "ai_budget.updated"
TARGET: Final = Target("ai_budget", BUDGET_ID, "AI budget")
_ROLES: Final = frozenset(role.value for role in Role if role is not Role.USER)
_NAMELESS: Final = frozenset({Holder.EACH, Holder.TOGETHER})


class AiBudget:
    """The one budget; it counts in every process from the next request to a model on."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def get(self, context: RequestContext) -> AiBudgetView:
        """Return the budget in force."""
        require_interface(context)
        async with self._core.database.reading() as session:
            return await _view(session, await find_budget_row(session))

    async def replace(self, context: RequestContext, body: AiBudgetBody, if_match: str | None) -> AiBudgetView:
        """Store another budget.

        Raises:
            NovaInvalid: a limit is none, comes twice, or names what does not exist.
            NovaPreconditionFailed: the budget is no longer what `if_match` names.

        """
        async with self._core.writer.writing(context, UPDATED, TARGET) as write:
            require_interface(context)
            await take_lock(write.session, f"nova.{BUDGET_ID}")
            row = await find_budget_row(write.session)
            check_version(0 if row is None else row.version, if_match)
            before, after = budget_of(row), _budget(body)
            _check_shape(after)
            await _check_names(write.session, before, after)
            changes = _changes(before, after)
            if not changes:
                return await _view(write.session, row)
            if row is None:
                row = AiBudgetRow(
                    id=BUDGET_ID, settings=budget_to_json(after), created_at=write.now, updated_at=write.now
                )
                write.session.add(row)
                await write.session.flush()
            else:
                await write.change(row, {"settings": budget_to_json(after)}, if_match)
            await write.log(UPDATED, TARGET, details={"changes": changes})
            return await _view(write.session, row)


def _budget(body: AiBudgetBody) -> Budget:
    prices = {one.profile: Price(input=_decimal(one.input), output=_decimal(one.output)) for one in body.prices}
    if len(prices) != len(body.prices):
        raise NovaInvalid("A profile has two prices.", field="prices")
    return Budget(
        currency=body.currency,
        time_zone=body.time_zone,
        prices=prices,
        limits=tuple(_limit(one) for one in body.limits),
    )


def _limit(given: AiBudgetLimit) -> BudgetLimit:
    return BudgetLimit(
        **given.model_dump(exclude={"cost"}),
        cost_micros=None if given.cost is None else int(_decimal(given.cost) * MICROS),
    )


def _decimal(amount: float) -> Decimal:
    return Decimal(str(amount))


def _check_shape(budget: Budget) -> None:
    try:
        ZoneInfo(budget.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise NovaInvalid("There is no such time zone.", field="time_zone") from None
    seen = set()
    for number, one in enumerate(budget.limits):
        place = f"limits.{number}"
        if bool(one.holder_id) is (one.holder in _NAMELESS):
            raise NovaInvalid("Say whose budget this is, where it is not everybody's.", field=f"{place}.holder_id")
        if bool(one.scope_key) is not one.scope.is_of_one:
            raise NovaInvalid("Say which assistant this counts, where it counts one.", field=f"{place}.scope_key")
        if one.scope.is_of_routines and one.holder is not Holder.TOGETHER:
            raise NovaInvalid("Nobody asks for the runs of routines: count them together.", field=f"{place}.holder")
        if one.holder in _NAMELESS and one.tokens is None and one.cost_micros is None:
            raise NovaInvalid("A budget limits tokens, cost or both.", field=f"{place}.tokens")
        if one.holder is Holder.ROLE and one.holder_id not in _ROLES:
            raise NovaInvalid("There is no such role.", field=f"{place}.holder_id")
        if _name_of(one) in seen:
            raise NovaInvalid("This budget is there twice.", field=place)
        seen.add(_name_of(one))


async def _check_names(session: AsyncSession, before: Budget, after: Budget) -> None:
    """Let only what exists be named anew; what was deleted later may stay or go."""
    profiles = {key.partition("/")[0] for key in set(after.prices) - set(before.prices)} - {ENVIRONMENT_KEY}
    if profiles - set((await session.exec(select(AiProfileRow.key))).all()):
        raise NovaInvalid("A price names a profile that does not exist.", field="prices")
    new = set(map(_name_of, after.limits)) - set(map(_name_of, before.limits))
    limits = [one for one in after.limits if _name_of(one) in new]
    names = await _names(session, limits)
    for number, one in enumerate(after.limits):
        if one not in limits:
            continue
        if one.holder not in _NAMELESS and not names[one.holder_id]:
            raise NovaInvalid("Whoever should hold this budget does not exist.", field=f"limits.{number}.holder_id")
        if one.scope.is_of_one and not names[one.scope_key]:
            raise NovaInvalid("The assistant that this counts does not exist.", field=f"limits.{number}.scope_key")


async def _names(session: AsyncSession, limits: Iterable[BudgetLimit]) -> Mapping[str, str]:
    """Return the names of everything that limits name; of what is gone, an empty one."""
    limits = list(limits)
    held = {holder: [one.holder_id for one in limits if one.holder is holder] for holder in Holder}
    assistants = [one.scope_key for one in limits if one.scope is Scope.ASSISTANT]
    routines = [one.scope_key for one in limits if one.scope is Scope.ROUTINE]
    found: dict[str, str] = {}
    for table, keys in ((AssistantRow, assistants), (AiRoutineRow, routines)):
        if keys:
            named = select(table.key, table.names).where(col(table.key).in_(keys))
            for key, names in (await session.exec(named)).all():
                found[key] = str(names.get("en") or next(iter(names.values()), key))
    if "admin" in assistants:
        found.setdefault("admin", "Admin Chat")  # it exists without a row as well
    found |= await group_names(session, held[Holder.GROUP])
    found |= await identity_names(session, held[Holder.IDENTITY])
    found |= {role: role for role in held[Holder.ROLE] if role in _ROLES}
    return {name: found.get(name, "") for one in limits for name in (one.holder_id, one.scope_key)}


async def _view(session: AsyncSession, row: AiBudgetRow | None) -> AiBudgetView:
    budget = budget_of(row)
    names = await _names(session, budget.limits)
    return AiBudgetView(
        currency=budget.currency,
        time_zone=budget.time_zone,
        prices=[
            AiPrice(profile=key, input=float(one.input), output=float(one.output)) for key, one in budget.prices.items()
        ],
        limits=[
            AiBudgetLimitView(
                holder=one.holder,
                holder_id=one.holder_id,
                scope=one.scope,
                scope_key=one.scope_key,
                period=one.period,
                tokens=one.tokens,
                cost=None if one.cost_micros is None else one.cost_micros / MICROS,
                holder_name=names[one.holder_id] if one.holder_id else "",
                scope_name=names[one.scope_key] if one.scope_key else "",
            )
            for one in budget.limits
        ],
        version=0 if row is None else row.version,
        updated_at=None if row is None else row.updated_at,
    )


def _name_of(limit: BudgetLimit) -> str:
    """Return what tells a limit from the others, as the audit log names it."""
    parts = (limit.holder.value, limit.holder_id, limit.scope.value, limit.scope_key, limit.period.value)
    return " ".join(part for part in parts if part)


def _changes(before: Budget, after: Budget) -> list[object]:
    """Return what changed, by currency, time zone, price and limit, each with before and after."""
    old, new = _flat(before), _flat(after)
    return [*changes_between(old, {name: new.get(name) for name in [*old, *(one for one in new if one not in old)]})]


def _flat(budget: Budget) -> dict[str, object]:
    flat: dict[str, object] = {"currency": budget.currency, "time_zone": budget.time_zone}
    for key, price in budget.prices.items():
        flat[f"price {key}"] = {"input": float(price.input), "output": float(price.output)}
    for one in budget.limits:
        cost = None if one.cost_micros is None else one.cost_micros / MICROS
        flat[f"limit {_name_of(one)}"] = {"tokens": one.tokens, "cost": cost}
    return flat
