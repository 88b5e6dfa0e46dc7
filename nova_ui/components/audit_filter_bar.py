"""The filters above the audit log."""

from collections.abc import Awaitable, Callable

from nicegui import events, ui

from nova_ui.components.badges import OUTCOME_WORDS
from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.chips import FilterChip
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.audit_filters import ORIGIN_CHAT, ORIGIN_INTERFACE, OUTCOMES, RANGE_WORDS, AuditFilters
from nova_ui.presenters.audit_log import AuditLogPresenter

SEARCH_DEBOUNCE_MS = 300


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
        self.draw()

    def draw(self) -> None:
        """Draw all filters anew, as they are set now."""
        self.clear()
        with self:
            self._time_range()
            self._chip(self._tr("Actor"), "actor", self._actors())
            self._chip(self._tr("Action"), "action", self._actions())
            self._chip(self._tr("Origin"), "origin", self._origins())
            self._chip(self._tr("Outcome"), "outcome", {key: self._tr(OUTCOME_WORDS[key][0]) for key in OUTCOMES})
            if self._presenter.filters.request:
                self._chip(self._tr("Request"), "request", {})
            if self._presenter.filters.target:
                self._chip(self._tr("Target"), "target", {})
            search = ui.input(placeholder=self._tr("Search actor, target and action"), value=self._presenter.filters.q)
            search.classes("nova-filters__search").props(f"debounce={SEARCH_DEBOUNCE_MS} clearable type=search")
            search.props["aria-label"] = self._tr("Search actor, target and action")
            search.on_value_change(self._searched)
            if not self._presenter.filters.is_empty:
                quiet_button(self._tr("Remove all filters"), lambda: self._use(AuditFilters()))

    def _chip(self, label: str, name: str, options: dict[str, str]) -> None:
        chosen = getattr(self._presenter.filters, name) or None
        FilterChip(label, options, chosen, lambda value: self._set(name, value), self._tr)

    async def _set(self, name: str, value: str | None) -> None:
        await self._use(self._presenter.filters.having(name, value))

    async def _searched(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        text = event.value if isinstance(event.value, str) else ""
        if text.strip() != self._presenter.filters.q:
            await self._presenter.filter_by("q", text)

    def _actors(self) -> dict[str, str]:
        return dict(self._presenter.choices.actors)

    def _actions(self) -> dict[str, str]:
        areas = sorted({action.split(".")[0] for action in self._presenter.choices.actions})
        return {f"{area}.*": f"{area}.*" for area in areas} | {one: one for one in self._presenter.choices.actions}

    def _origins(self) -> dict[str, str]:
        by_assistant = {
            f"{ORIGIN_CHAT}:{key}": self._tr("AI chat · {assistant}", assistant=key)
            for key in self._presenter.choices.assistants
        }
        return {ORIGIN_INTERFACE: self._tr("Interface"), ORIGIN_CHAT: self._tr("AI chat"), **by_assistant}

    def _time_range(self) -> None:
        filters = self._presenter.filters
        if filters.since or filters.until:
            span = self._tr("{since} to {until}", since=filters.since or "…", until=filters.until or "…")
            FilterChip(self._tr("Time"), {}, span, self._clear_span, self._tr, icon="schedule")
            return
        ranges = {key: self._tr(words) for key, words in RANGE_WORDS.items()}
        FilterChip(
            self._tr("Time"),
            ranges,
            filters.range or None,
            lambda value: self._set("range", value),
            self._tr,
            icon="schedule",
        )
        quiet_button(self._tr("From … to …"), self._ask_span, icon="date_range").classes("nova-filters__span")

    async def _clear_span(self, _: str | None) -> None:
        await self._use(self._presenter.filters.having("since", None).having("until", None))

    def _ask_span(self) -> None:
        with self, ui.dialog(value=True) as dialog, ui.card().classes("nova-dialog"):
            ui.label(self._tr("Entries from … to …")).classes("nova-dialog__title")
            since = ui.input(self._tr("First day")).props("type=date stack-label")
            until = ui.input(self._tr("Last day")).props("type=date stack-label")

            async def apply() -> None:
                dialog.close()
                given = {"since": since.value or "", "until": until.value or ""}
                span = AuditFilters.from_address({key: str(value) for key, value in given.items()})
                kept = self._presenter.filters
                await self._use(kept.having("since", span.since).having("until", span.until))

            with ui.element("div").classes("nova-dialog__buttons"):
                primary_button(self._tr("Show"), apply)
                quiet_button(self._tr("Cancel"), dialog.close)
