"""What models were asked for: all of it for those who oversee, one's own for everybody (rule E6)."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.budget import MICROS, Allowance, Asker, Budget, Period, Scope
from nova_ui.errors import NovaInvalid
from nova_ui.guardrails.audience import exists_for
from nova_ui.guardrails.budget import limits_for
from nova_ui.nova.assistant_views import name_in
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.offset_pages import fingerprint_of, read_cursor, write_cursor
from nova_ui.nova.permissions import require_overseer
from nova_ui.nova.views.ai_budget import (
    AiUsageDay,
    AiUsageFigures,
    AiUsageItem,
    AiUsageQuery,
    AiUsageView,
    OwnAiUsage,
    OwnBudget,
)
from storage.chat.assistants import AssistantStore
from storage.chat.audience import knowing_groups
from storage.chat.budgets import budget_of, find_budget_row
from storage.chat.usage import UsageTable
from storage.chat.usage_report import Figures, Line, Span, days_of, lines_of
from storage.nova.ai_tables import AiProfileRow, AiRoutineRow
from storage.nova.membership import groups_among
from storage.nova.names import identity_names

MAX_DAYS: Final = 400
_USUAL_DAYS: Final = 30
_NAMES_OF_PERIODS: Final = {"day": Period.DAY, "week": Period.WEEK, "month": Period.MONTH}


class AiUsage:
    """Reads the counters; they hold no content of any chat."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def report(self, context: RequestContext, query: AiUsageQuery) -> AiUsageView:
        """Return what was used in a span of days.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaInvalid: the span is none or too long, or the cursor belongs to another question.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            budget = budget_of(await find_budget_row(session))
            span = _span(query, budget.day_of(self._core.clock.now()))
            asked = query.model_dump(mode="json", exclude={"cursor", "limit", "since", "until"})
            asked |= {"since": span.since.isoformat(), "until": span.until.isoformat()}
            fingerprint = fingerprint_of("ai_usage", asked)
            offset = read_cursor(query.cursor, fingerprint)
            days = await days_of(session, span)
            items, total = await _items(session, span, query, days, offset)
        return AiUsageView(
            by=query.by,
            since=span.since,
            until=span.until,
            currency=budget.currency,
            time_zone=budget.time_zone,
            totals=_figures(_sum(days)),
            days=[
                AiUsageDay(day=day, **_figures(days.get(day, Figures())).model_dump())
                for day in (span.since + timedelta(days=number) for number in range((span.until - span.since).days + 1))
            ],
            items=items,
            next_cursor=write_cursor(fingerprint, offset + query.limit) if offset + query.limit < total else None,
            total=total,
        )

    async def own(self, context: RequestContext) -> OwnAiUsage:
        """Return what oneself used in chats this month, and which budgets apply."""
        identity = context.identity
        async with self._core.database.reading() as session:
            budget = budget_of(await find_budget_row(session))
            today = budget.day_of(self._core.clock.now())
            since = Period.MONTH.starts(today)
            days = await days_of(session, Span(since=since, until=today, kind="chat", identity_id=identity.id))
            budgets = await _own_budgets(session, context, budget, today)
        return OwnAiUsage(
            currency=budget.currency,
            time_zone=budget.time_zone,
            since=since,
            figures=_figures(_sum(days)),
            budgets=budgets,
        )


async def _own_budgets(session: AsyncSession, context: RequestContext, budget: Budget, today: date) -> list[OwnBudget]:
    """Return the budgets of oneself; one for an assistant that does not exist for oneself is not told (rule B5)."""
    if not budget.limits:
        return []
    connection, identity = await session.connection(), context.identity
    stored = [one.assistant for one in await AssistantStore(session).list_all()]
    person = await knowing_groups(identity, stored, connection, groups_among)
    known = {str(one.key): one for one in stored if exists_for(one, person)}
    group_ids = await groups_among(connection, identity.id, budget.group_ids) if budget.group_ids else frozenset()
    limits = dict.fromkeys(
        limit
        for key in ("", *known)
        for limit in limits_for(
            budget.limits, Asker(identity_id=identity.id, roles=identity.roles, group_ids=group_ids, key=key)
        )
    )
    usage = UsageTable(session)
    return [
        _own(Allowance.of(limit, await usage.spent(limit, identity.id, limit.period.starts(today)), today), known)
        for limit in limits
    ]


def _own(allowance: Allowance, known: Mapping[str, Assistant]) -> OwnBudget:
    limit, spent, is_shown = allowance.limit, allowance.spent, allowance.limit.is_personal
    assistant = known.get(limit.scope_key) if limit.scope is Scope.ASSISTANT else None
    return OwnBudget(
        scope=limit.scope,
        scope_key=limit.scope_key,
        scope_name="" if assistant is None else name_in(assistant.names, assistant.key),
        together=not limit.is_personal,
        period=limit.period,
        starts=allowance.starts,
        ends=allowance.ends,
        tokens=limit.tokens if is_shown else None,
        tokens_spent=spent.tokens if is_shown else None,
        cost=limit.cost_micros / MICROS if is_shown and limit.cost_micros is not None else None,
        cost_spent=spent.cost_micros / MICROS if is_shown else None,
        share=round(allowance.share, 4),
    )


def _span(query: AiUsageQuery, today: date) -> Span:
    until = query.until or today
    try:
        since = query.since or until - timedelta(days=_USUAL_DAYS - 1)
    except OverflowError:
        raise NovaInvalid("There is no such span of days.", field="until") from None
    if since > until:
        raise NovaInvalid("The span ends before it begins.", field="since")
    if (until - since).days >= MAX_DAYS:
        raise NovaInvalid(f"A span has at most {MAX_DAYS} days.", field="since")
    return Span(
        since=since,
        until=until,
        kind=query.kind,
        assistant=query.assistant,
        identity_id=query.identity_id,
        profile=query.profile,
    )


async def _items(
    session: AsyncSession, span: Span, query: AiUsageQuery, days: Mapping[date, Figures], offset: int
) -> tuple[list[AiUsageItem], int]:
    match query.by:
        case "assistant" | "identity" | "profile" | "model":
            lines, total = await lines_of(session, span, query.by, offset=offset, limit=query.limit)
            names = await _names(session, query.by, lines)
            return [_item(line, names.get((line.kind, line.key), "")) for line in lines], total
        case _:
            found = _by_period(days, _NAMES_OF_PERIODS[query.by])
            return [_item(line, line.key) for line in found[offset : offset + query.limit]], len(found)


def _by_period(days: Mapping[date, Figures], period: Period) -> list[Line]:
    """Return the periods in which anything was used, the newest first, each by its first day."""
    found: dict[date, Figures] = {}
    for day, figures in days.items():
        start = period.starts(day)
        found[start] = found.get(start, Figures()).plus(figures)
    return [Line(key=day.isoformat(), kind="", figures=found[day]) for day in sorted(found, reverse=True)]


async def _names(session: AsyncSession, by: str, lines: list[Line]) -> Mapping[tuple[str, str], str]:
    """Return the names of lines, by kind and key."""
    if by == "identity":
        return {("", key): name for key, name in (await identity_names(session, (one.key for one in lines))).items()}
    if by == "assistant":
        stored = await AssistantStore(session).list_all()
        chats = {("chat", str(one.assistant.key)): name_in(one.assistant.names, one.assistant.key) for one in stored}
        rows = (await session.exec(select(AiRoutineRow.key, AiRoutineRow.names))).all()
        return chats | {("routine", key): str(names.get("en") or key) for key, names in rows}
    profiles = dict((await session.exec(select(AiProfileRow.key, AiProfileRow.name))).all())
    found = {}
    for line in lines:
        key, _, model = line.key.partition("/")
        name = profiles.get(key, key)
        found["", line.key] = f"{name} · {model}" if model else name
    return found


def _item(line: Line, name: str) -> AiUsageItem:
    return AiUsageItem(key=line.key, kind=line.kind, name=name, **_figures(line.figures).model_dump())


def _figures(figures: Figures) -> AiUsageFigures:
    return AiUsageFigures(
        messages=figures.messages,
        requests=figures.requests,
        estimated=figures.estimated,
        input_tokens=figures.input_tokens,
        output_tokens=figures.output_tokens,
        cost=figures.cost_micros / MICROS,
    )


def _sum(days: Mapping[date, Figures]) -> Figures:
    whole = Figures()
    for one in days.values():
        whole = whole.plus(one)
    return whole
