"""A list page: filters, the table, the way to the pages before and after."""

from collections.abc import Awaitable, Callable, Mapping

from nicegui import events, ui

from nova_ui.components.action_dialog import ActionDialogs
from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.chips import FilterChip
from nova_ui.components.empty import EmptyState
from nova_ui.components.notices import NoticeLine
from nova_ui.components.object_links import ObjectLinks
from nova_ui.components.object_table import ObjectTable
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.list_filters import Filter, FilterKind, Filters
from nova_ui.presenters.object_list import ListPage, ListPresenter
from nova_ui.presenters.problem_sentences import problem_told

SEARCH_DEBOUNCE_MS = 300


class ListView(ui.element):
    """Draws a list; `keep_address` is told the query of the address whenever the filters change."""

    def __init__(
        self,
        presenter: ListPresenter,
        tr: Translator,
        links: ObjectLinks,
        dialogs: ActionDialogs,
        keep_address: Callable[[str], None],
    ) -> None:
        super().__init__("div")
        self._presenter = presenter
        self._tr = tr
        self._dialogs = dialogs
        self._keep_address = keep_address
        self._chips: dict[str, FilterChip] = {}
        self._words: dict[str, TextFilter] = {}
        kind = presenter.kind
        with self.classes("nova-stack"):
            self._bar = ui.element("div").classes("nova-filters").props("role=search")
            self._above = ui.element("div")
            self._table = ObjectTable(
                kind.columns,
                tr,
                links,
                label=tr(kind.label),
                opens=kind.opens,
                act=self._act if kind.row_actions else None,
            )
            with ui.element("div").classes("nova-row") as self._pager:
                self._previous = quiet_button(tr("Previous"), presenter.previous, icon="chevron_left")
                self._next = quiet_button(tr("Next"), presenter.next, icon="chevron_right")
                self._count = ui.label().classes("nova-hint").props("role=status")
        presenter.changed.subscribe(self._show)

    def draw_bar(self) -> None:
        """Draw all filters, once the choices are known; later changes are shown in place, which keeps the focus."""
        tr, filters, kind = self._tr, self._presenter.filters, self._presenter.kind
        with self._bar:
            self._box = ui.input(placeholder=tr(kind.search), value=filters.q, on_change=self._searched)
            self._box.classes("nova-filters__search").props(f"debounce={SEARCH_DEBOUNCE_MS} clearable type=search")
            self._box.mark("search").props["aria-label"] = tr(kind.search)
            for one in kind.filters:
                self._draw_filter(one)
            self._order = self._chip(tr("Order"), kind.sorts, lambda value: self._set("sort", value), icon="sort")
            self._clear = quiet_button(tr("Remove all filters"), lambda: self._use(self._presenter.filters.cleared()))
            self._clear.mark("remove-filters")
        self._show_filters()

    def _draw_filter(self, one: Filter) -> None:
        def choose(value: str | None) -> Awaitable[None]:
            return self._set(one.name, value)

        self._chips[one.name] = self._chip(self._tr(one.label), one.choices or {}, choose)
        if not one.choices and one.kind is FilterKind.TEXT:
            self._words[one.name] = TextFilter(self._tr(one.label), self._presenter.suggestions(one), choose, self._tr)

    def _chip(
        self,
        label: str,
        choices: Mapping[str, str],
        choose: Callable[[str | None], Awaitable[None]],
        *,
        icon: str | None = None,
    ) -> FilterChip:
        chip = FilterChip(label, choose, self._tr, icon=icon)
        chip.offer({key: self._tr(word) for key, word in choices.items()})
        return chip

    def _show_filters(self) -> None:
        """Show what is set; a filter by a word or an object has a chip only while it is."""
        filters = self._presenter.filters
        for one in self._presenter.kind.filters:
            chosen, chip = filters.values.get(one.name), self._chips[one.name]
            chip.show(chosen, None if one.choices or chosen is None else self._presenter.names.get(chosen, chosen))
            chip.visible = bool(one.choices) or chosen is not None
            if one.name in self._words:
                self._words[one.name].visible = chosen is None
        self._order.show(filters.sort or None)
        self._clear.visible = not filters.is_empty
        if (self._box.value or "").strip() != filters.q:
            self._box.value = filters.q

    async def _set(self, name: str, value: str | None) -> None:
        await self._use(self._presenter.filters.having(name, value))

    async def _use(self, filters: Filters) -> None:
        await self._presenter.use(filters)
        self._show_filters()
        self._keep_address(self._presenter.filters.address)

    async def _searched(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        text = event.value if isinstance(event.value, str) else ""
        if text.strip() != self._presenter.filters.q:  # the box itself stays: its cursor is in it
            await self._presenter.use(self._presenter.filters.having("q", text))
            self._show_filters()
            self._keep_address(self._presenter.filters.address)

    def _show(self, shown: ListPage) -> None:
        if self.is_deleted:
            return
        tr = self._tr
        self._table.fill(shown.rows, self._presenter.row_actions)
        self._table.visible = bool(shown.rows)
        self._previous.visible = self._next.visible = shown.has_previous or shown.has_next
        self._previous.set_enabled(shown.has_previous)
        self._next.set_enabled(shown.has_next)
        number = tr.number(shown.total) + ("+" if shown.total_is_capped else "")
        self._count.text = tr("{number} in total", number=number) if shown.rows else ""
        self._above.clear()
        with self._above:
            self._draw_above(shown)

    def _draw_above(self, shown: ListPage) -> None:
        tr, presenter = self._tr, self._presenter
        if shown.problem is not None:
            told = problem_told(shown.problem, tr)
            NoticeLine(told.text, "error", next_step=told.next_step)
        elif not shown.rows and presenter.filters.is_empty:
            EmptyState(presenter.kind.icon, tr("Nothing here yet"), tr(presenter.kind.empty))
        elif not shown.rows:
            EmptyState(
                "search_off",
                tr("Nothing found"),
                tr("Nothing matches these filters."),
                action=tr("Remove all filters"),
                on_action=lambda: self._use(presenter.filters.cleared()),
            )

    async def _act(self, row_id: str, action_key: str) -> None:
        row = self._presenter.row(row_id)
        action = next((one for one in self._presenter.kind.row_actions if one.key == action_key), None)
        if row is not None and action is not None:
            await self._dialogs.open(action, row)


class TextFilter(ui.element):
    """A filter by a word: a button that opens a field, and below it what stands on the screen."""

    def __init__(self, label: str, offered: list[str], choose: Callable[[str], object], tr: Translator) -> None:
        super().__init__("span")
        with (
            self.classes("nova-filter"),
            ui.button(label, color=None).classes("nova-filter__button") as button,
            ui.menu() as menu,
        ):
            button.props("icon-right=arrow_drop_down aria-haspopup=menu")
            with ui.element("div").classes("nova-filter__field"):
                field = ui.input(label).props("autofocus")

                def take() -> object:
                    menu.close()
                    return choose(field.value) if isinstance(field.value, str) and field.value.strip() else None

                field.on("keydown.enter", take)
                primary_button(tr("Show"), take)
            for word in offered:
                ui.menu_item(word, on_click=lambda word=word: choose(word))
