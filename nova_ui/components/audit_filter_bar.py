"""The filters above the audit log."""

from collections.abc import Awaitable, Callable
from datetime import date
from typing import Final

from nicegui import events, ui

from nova_ui.components.audit_span_dialog import ask_span
from nova_ui.components.badges import OUTCOME_WORDS, origin_text
from nova_ui.components.buttons import quiet_button
from nova_ui.components.chips import FilterChip
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.audit_filters import (
    ORIGINS,
    OUTCOMES,
    RANGE_WORDS,
    TARGET_WORDS,
    AuditFilters,
)
from nova_ui.presenters.audit_log import AuditLogPresenter

SEARCH_DEBOUNCE_MS: Final = 300
SEARCH_MAX_CHARS: Final = 200
_OTHER_DAYS: Final = "days"


class AuditFilterBar(ui.element):
    """Draws the filters that are set and those that could be; each change goes to `use`."""

    def __init__(
        self, presenter: AuditLogPresenter, tr: Translator, use: Callable[[AuditFilters], Awaitable[None]]
    ) -> None:
        super().__init__("div")
        self._presenter = presenter
        self._tr = tr
        self._use = use
        self.classes("nova-filters").props("role=search")
        with self:
            self._time = FilterChip(tr("Time"), self._choose_time, tr, icon="schedule")
            self._actor = self._chip(tr("Actor"), "actor")
            self._action = self._chip(tr("Action"), "action")
            self._type = self._chip(tr("Target"), "target_type")
            self._target = self._chip(tr("This target"), "target")
            self._origin = self._chip(tr("Origin"), "origin")
            self._outcome = self._chip(tr("Outcome"), "outcome")
            self._request = self._chip(tr("Same request"), "request")
            self._search = self._draw_search()
            self._nothing = quiet_button(tr("Remove all filters"), lambda: use(AuditFilters()))
        self._time.offer({key: tr(words) for key, words in RANGE_WORDS.items()} | {_OTHER_DAYS: tr("Choose days …")})
        self._type.offer({key: tr(words) for key, words in TARGET_WORDS.items()})
        self._outcome.offer({key: tr(OUTCOME_WORDS[key][0]) for key in OUTCOMES})
        self.show()

    def show(self) -> None:
        """Show what is set now, and what can be chosen."""
        filters, choices = self._presenter.filters, self._presenter.choices
        self._actor.offer(choices.actors)
        self._action.offer(self._actions())
        self._origin.offer(self._origins())
        self._time.show(self._span() or filters.range or None)
        for chip, name in ((self._actor, "actor"), (self._action, "action"), (self._type, "target_type")):
            chip.show(getattr(filters, name) or None)
        self._target.show(filters.target or None, self._presenter.target_name)
        self._target.visible = bool(filters.target)
        self._origin.show(filters.origin or None)
        self._outcome.show(filters.outcome or None)
        self._request.show(filters.request or None)
        self._request.visible = bool(filters.request)
        self._nothing.visible = not filters.is_empty
        if str(self._search.value or "").strip() != filters.q:
            self._search.value = filters.q

    def _chip(self, label: str, name: str) -> FilterChip:
        return FilterChip(label, lambda value: self._set(name, value), self._tr).mark(f"filter-{name}")

    def _draw_search(self) -> ui.input:
        words = self._tr("Search actor, target and action")
        search = ui.input(placeholder=words, value=self._presenter.filters.q, on_change=self._searched)
        search.classes("nova-filters__search").mark("search")
        search.props(f"debounce={SEARCH_DEBOUNCE_MS} clearable type=search maxlength={SEARCH_MAX_CHARS}")
        search.props["aria-label"] = words
        return search

    async def _set(self, name: str, value: str | None) -> None:
        await self._use(self._presenter.filters.having(name, value))

    async def _searched(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        text = event.value if isinstance(event.value, str) else ""
        if text.strip() != self._presenter.filters.q:
            await self._set("q", text)

    async def _choose_time(self, chosen: str | None) -> None:
        filters = self._presenter.filters
        if chosen != _OTHER_DAYS:
            await self._set("range", chosen)
            return
        with self:
            span = await ask_span(filters.since, filters.until, self._tr)
        if span is not None:
            await self._use(filters.spanning(*span))

    def _span(self) -> str:
        filters = self._presenter.filters
        since, until = self._day(filters.since), self._day(filters.until)
        if since and until:
            return since if since == until else self._tr("{since} to {until}", since=since, until=until)
        if since:
            return self._tr("from {since}", since=since)
        return self._tr("up to {until}", until=until) if until else ""

    def _day(self, day: str) -> str:
        return self._tr.day(date.fromisoformat(day)) if day else ""

    def _actions(self) -> dict[str, str]:
        actions = self._presenter.choices.actions
        areas = sorted({action.split(".")[0] for action in actions})
        whole = {f"{area}.*": self._tr("{area}: all", area=area) for area in areas}
        return dict(sorted((whole | {one: one for one in actions}).items()))

    def _origins(self) -> dict[str, str]:
        found = self._presenter.choices.origins
        by_kind = {kind: [one for one in found if one.startswith(f"{kind}:")] for kind in ORIGINS}
        names = [name for kind, with_key in by_kind.items() for name in (kind, *with_key)]
        return {name: origin_text(name, self._tr) for name in names}
