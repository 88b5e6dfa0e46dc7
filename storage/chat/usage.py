"""What models were asked for, by day and identity: reserved, settled and summed up (rule E6)."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import ColumnElement, func, text
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.budget import Asker, BudgetLimit, Scope, Spent
from nova_ui.domain.identity import IdentityId
from storage.chat.budget_tables import AiUsageRow

CHAT: Final = "chat"
ROUTINE: Final = "routine"

_COUNTERS: Final = (
    "messages",
    "requests",
    "estimated",
    "input_tokens",
    "output_tokens",
    "cost_micros",
    "reserved_tokens",
    "reserved_micros",
)
# One statement, so that nothing that two processes count at one moment is lost; both databases read it alike.
_COUNT: Final = text(
    "INSERT INTO ai_usage (day, identity_id, kind, assistant_key, profile, model, messages, requests, estimated, "
    "input_tokens, output_tokens, cost_micros, reserved_tokens, reserved_micros) "
    "VALUES (:day, :identity_id, :kind, :assistant_key, :profile, :model, :messages, :requests, :estimated, "
    ":input_tokens, :output_tokens, :cost_micros, :reserved_tokens, :reserved_micros) "
    "ON CONFLICT (day, identity_id, kind, assistant_key, profile, model) DO UPDATE SET "
    "messages = ai_usage.messages + excluded.messages, requests = ai_usage.requests + excluded.requests, "
    "estimated = ai_usage.estimated + excluded.estimated, "
    "input_tokens = ai_usage.input_tokens + excluded.input_tokens, "
    "output_tokens = ai_usage.output_tokens + excluded.output_tokens, "
    "cost_micros = ai_usage.cost_micros + excluded.cost_micros, "
    "reserved_tokens = ai_usage.reserved_tokens + excluded.reserved_tokens, "
    "reserved_micros = ai_usage.reserved_micros + excluded.reserved_micros"
)
_COLUMNS: Final = SQLModel.metadata.tables["ai_usage"].c
_TOKENS: Final = func.coalesce(func.sum(_COLUMNS.input_tokens + _COLUMNS.output_tokens + _COLUMNS.reserved_tokens), 0)
_MICROS: Final = func.coalesce(func.sum(_COLUMNS.cost_micros + _COLUMNS.reserved_micros), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsagePlace:
    """Where something is counted."""

    day: date
    asker: Asker
    profile: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What is added to the counters of a place; `estimated` counts requests whose tokens nobody told."""

    messages: int = 0
    requests: int = 0
    estimated: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0
    reserved_tokens: int = 0
    reserved_micros: int = 0


class UsageTable:
    """The counters, within the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def count(self, place: UsagePlace, counted: Counted) -> None:
        """Add to the counters of a place; reservations are given back by negative ones."""
        asker = place.asker
        values = {name: getattr(counted, name) for name in _COUNTERS} | {
            "day": place.day.isoformat(),
            "identity_id": asker.identity_id,
            "kind": ROUTINE if asker.is_routine else CHAT,
            "assistant_key": asker.key,
            "profile": place.profile,
            "model": place.model,
        }
        connection = await self._session.connection()
        await connection.execute(_COUNT, values)

    async def spent(self, limit: BudgetLimit, identity_id: IdentityId, since: date) -> Spent:
        """Return what counts for a budget since the first day of its period, reservations included."""
        conditions = _conditions(limit, identity_id, since)
        found = (await self._session.exec(select(_TOKENS, _MICROS).where(*conditions))).one()
        return Spent(tokens=int(found[0]), cost_micros=int(found[1]))


def _conditions(limit: BudgetLimit, identity_id: IdentityId, since: date) -> list[ColumnElement[bool]]:
    kind = ROUTINE if limit.scope.is_of_routines else CHAT
    conditions = [col(AiUsageRow.day) >= since.isoformat(), col(AiUsageRow.kind) == kind]
    if limit.is_personal:
        conditions.append(col(AiUsageRow.identity_id) == identity_id)
    if limit.scope in {Scope.ASSISTANT, Scope.ROUTINE}:
        conditions.append(col(AiUsageRow.assistant_key) == limit.scope_key)
    return conditions
