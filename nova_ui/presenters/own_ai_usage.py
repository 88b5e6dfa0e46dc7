"""What oneself used of models, and how much of one's budgets, in words."""

from datetime import date
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.ai_usage import nearest_limit, share_words
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.reactive import Event

WORTH_SAYING: Final = 0.8
_PERIODS: Final = {
    "day": mark("{share} of the AI budget for today is used, {whose}."),
    "week": mark("{share} of the AI budget for this week is used, {whose}."),
    "month": mark("{share} of the AI budget for this month is used, {whose}."),
}


class OwnAiUsagePresenter:
    """Reads one's own usage; a failure shows nothing, since nothing depends on it."""

    def __init__(self, nova: NovaCalls, tr: Translator) -> None:
        self._nova = nova
        self.tr = tr
        self.shown: JsonObject = {}
        self.changed: Event[None] = Event()

    async def load(self) -> None:
        """Read it anew."""
        try:
            self.shown = (await self._nova.call("GET /me/ai-usage")).object
        except NovaProblem:
            self.shown = {}
        self.changed.emit(None)

    @property
    def budgets(self) -> tuple[JsonObject, ...]:
        """The budgets that apply."""
        return rows_in(self.shown, "budgets")

    def month_words(self) -> str:
        """Say what was used this month."""
        tr, figures = self.tr, self.shown.get("figures")
        if not isinstance(figures, dict):
            return ""
        counted = {name: value for name, value in figures.items() if isinstance(value, int | float)}
        tokens = int(counted.get("input_tokens", 0) + counted.get("output_tokens", 0))
        cost = f"{tr.number(counted.get('cost', 0), decimals=2)} {text_at(self.shown, 'currency')}"
        said = tr(
            "This month: {messages}, {tokens}, {cost}.",
            messages=tr.plural("{count} message", "{count} messages", int(counted.get("messages", 0))),
            tokens=tr.plural("{count} token", "{count} tokens", tokens),
            cost=cost,
        )
        return f"{said} {tr('In part estimated.')}" if counted.get("estimated") else said

    def budget_words(self, budget: JsonObject) -> str:
        """Say how much of a budget is used."""
        share = share_words(share_of(budget), self.tr)
        return self.tr(_PERIODS[text_at(budget, "period")], share=share, whose=self._whose(budget))

    def begins_anew(self, budget: JsonObject) -> str:
        """Say when a budget begins anew."""
        ends = date.fromisoformat(text_at(budget, "ends"))
        return self.tr("It begins anew on {day} at 0:00, {zone}.", day=ends, zone=text_at(self.shown, "time_zone"))

    def warning(self, assistant_key: str) -> str:
        """Return what is worth saying in a chat with an assistant: that most of a budget is used; else nothing."""
        nearest = nearest_limit(self.budgets, assistant_key)
        if nearest is None or share_of(nearest) <= WORTH_SAYING:
            return ""
        return f"{self.budget_words(nearest)} {self.begins_anew(nearest)}"

    def _whose(self, budget: JsonObject) -> str:
        tr, name = self.tr, text_at(budget, "scope_name")
        if budget.get("together") is True:
            return tr("everybody's together in {assistant}", assistant=name) if name else tr("everybody's together")
        return tr("your own in {assistant}", assistant=name) if name else tr("your own")


def share_of(budget: JsonObject) -> float:
    """Return how much of a budget is used, 1.0 being all."""
    share = budget.get("share")
    return float(share) if isinstance(share, int | float) else 0.0
