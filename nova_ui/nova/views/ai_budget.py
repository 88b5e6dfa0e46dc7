"""The budget for models, and what was used: prices and limits are set in the interface only (rules B6, E6)."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field, StrictInt, StringConstraints

from nova_ui.domain.assistant import KEY_SHAPE
from nova_ui.domain.budget import DEFAULT_CURRENCY, DEFAULT_ZONE, Holder, Period, Scope
from nova_ui.nova.views.common import DEFAULT_LIMIT, MAX_LIMIT, Body, Query, View
from nova_ui.nova.views.types import AssistantKeyText, IdentityRef

MAX_ENTRIES = 200

ProfileName = Annotated[str, StringConstraints(pattern=f"^{KEY_SHAPE}(/[!-~]{{1,150}})?$")]
CurrencyCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
ZoneName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]
HolderId = Annotated[str, StringConstraints(max_length=40, pattern=r"^[a-z0-9_]*$")]
ScopeKey = Annotated[str, StringConstraints(pattern=f"^({KEY_SHAPE})?$")]
Money = Annotated[float, Field(ge=0, le=1_000_000_000, allow_inf_nan=False)]
Tokens = Annotated[StrictInt, Field(ge=0, le=1_000_000_000_000)]


class AiPrice(Body):
    """What a million tokens cost at a profile, or at one model of it."""

    profile: ProfileName = Field(description="key of a profile, or key/model, which counts before it")
    input: Money
    output: Money


class AiBudgetLimit(Body):
    """One budget. With neither tokens nor cost an override lifts the limit for its holder."""

    holder: Holder
    holder_id: HolderId = Field("", description="a role, or the id of a group or identity; else empty")
    scope: Scope = Scope.CHATS
    scope_key: ScopeKey = Field("", description="key of the assistant or AI routine assistant; else empty")
    period: Period
    tokens: Tokens | None = None
    cost: Money | None = None


class AiBudgetBody(Body):
    """The budget as a whole; without limits there is none."""

    currency: CurrencyCode = DEFAULT_CURRENCY
    time_zone: ZoneName = DEFAULT_ZONE
    prices: list[AiPrice] = Field(default_factory=list, max_length=MAX_ENTRIES)
    limits: list[AiBudgetLimit] = Field(default_factory=list, max_length=MAX_ENTRIES)


class AiBudgetLimitView(AiBudgetLimit):
    """A budget with the names of its holder and of what it counts; a name is empty when the object is gone."""

    holder_name: str
    scope_name: str


class AiBudgetView(View):
    """The budget in force."""

    currency: str
    time_zone: str
    prices: list[AiPrice]
    limits: list[AiBudgetLimitView]
    version: int
    updated_at: datetime | None


class AiUsageQuery(Query):
    """What is counted, and by what; days are those of the budget's time zone."""

    by: Literal["assistant", "identity", "profile", "model", "day", "week", "month"] = "assistant"
    since: date | None = Field(None, description="first day; absent: 29 days before the last")
    until: date | None = Field(None, description="last day; absent: today")
    kind: Literal["chat", "routine"] | None = None
    assistant: AssistantKeyText | None = Field(None, description="key of the assistant or AI routine assistant")
    identity_id: IdentityRef | None = None
    profile: AssistantKeyText | None = None
    cursor: str | None = Field(None, min_length=1, max_length=600)
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)


class AiUsageFigures(View):
    """Figures of usage; `estimated` counts requests whose tokens no provider told."""

    messages: int
    requests: int
    estimated: int
    input_tokens: int
    output_tokens: int
    cost: float


class AiUsageItem(AiUsageFigures):
    """One line; `kind` is empty where chats and runs are counted together."""

    key: str
    kind: str
    name: str = Field(description="empty when the object is gone")


class AiUsageDay(AiUsageFigures):
    """One day of the span."""

    day: date


class AiUsageView(View):
    """What was used in a span of days: in all, by day, and one page of lines, the greatest first."""

    by: str
    since: date
    until: date
    currency: str
    time_zone: str
    totals: AiUsageFigures
    days: list[AiUsageDay]
    items: list[AiUsageItem]
    next_cursor: str | None
    total: int


class OwnBudget(View):
    """A budget that applies to oneself. Of one held together only the share is told."""

    scope: Scope
    scope_key: str
    scope_name: str
    together: bool
    period: Period
    starts: date
    ends: date
    tokens: int | None
    tokens_spent: int | None
    cost: float | None
    cost_spent: float | None
    share: float = Field(description="1.0 is all of it; what is reserved for requests under way counts")


class OwnAiUsage(View):
    """What oneself used this month, and the budgets that apply."""

    currency: str
    time_zone: str
    since: date
    figures: AiUsageFigures
    budgets: list[OwnBudget]
