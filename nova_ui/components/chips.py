"""Rounded words in a line: facts, and filters that can be set and taken off."""

from collections.abc import Awaitable, Callable, Mapping

from nicegui import ui

from nova_ui.components.buttons import icon_button
from nova_ui.i18n.translator import Translator


def fact_chip(text: str, *, dot: str | None = None) -> ui.element:
    """Draw a fact; `dot` is the tone of a coloured dot before it (`read`, `write`, `destructive`)."""
    with ui.element("span").classes("nova-chip") as chip:
        if dot is not None:
            ui.element("span").classes(f"nova-dot nova-dot--{dot}").props("aria-hidden=true")
        ui.label(text).classes("nova-chip__text")
    return chip


class FilterChip(ui.element):
    """A filter: a button that opens its choices, marked and with a cross while one is set.

    `choose` is called with the chosen key, or None when the filter is taken off. What is set is shown by `show`,
    in place: whoever pressed keeps the focus, and a choice's press outlives itself.
    """

    def __init__(
        self,
        label: str,
        choose: Callable[[str | None], Awaitable[None] | None],
        tr: Translator,
        *,
        icon: str | None = None,
    ) -> None:
        super().__init__("span")
        self._label = label
        self._choose = choose
        self._tr = tr
        self._options: dict[str, str] = {}
        self._items: dict[str | None, ui.menu_item] = {}
        self.classes("nova-filter")
        with self:
            with ui.element("button").classes("nova-filter__button") as self._button:
                self._button.props("type=button aria-haspopup=menu aria-expanded=false")
                if icon is not None:
                    ui.icon(icon).props("aria-hidden=true")
                self._words = ui.label(label).classes("nova-filter__words")
                ui.icon("arrow_drop_down").props("aria-hidden=true")
                self._menu = ui.menu().props("auto-close").classes("nova-filter__menu")
                self._menu.on_value_change(lambda event: self._opened(is_open=event.value is True))
            self._cross = icon_button("close", tr("Remove filter {filter}", filter=label), self._take_off)
        self.show(None)

    def offer(self, options: Mapping[str, str]) -> None:
        """Offer other choices, key → words; the first choice is always to set nothing."""
        if dict(options) == self._options and self._items:
            return
        self._options = dict(options)
        self._menu.clear()
        with self._menu:
            self._items = {None: self._item(None, self._tr("All"))}
            self._items |= {key: self._item(key, words) for key, words in self._options.items()}

    def show(self, chosen: str | None, words: str | None = None) -> None:
        """Show what is set, in `words` where it is none of the choices."""
        shown = None if chosen is None else words or self._options.get(chosen, chosen)
        self._words.text = (
            self._label if shown is None else self._tr("{filter}: {choice}", filter=self._label, choice=shown)
        )
        self.classes(add="nova-filter--set") if shown is not None else self.classes(remove="nova-filter--set")
        self._cross.visible = shown is not None
        for key, item in self._items.items():
            item.props(add="active aria-current=true") if key == chosen else item.props(remove="active aria-current")

    def _item(self, key: str | None, words: str) -> ui.menu_item:
        item = ui.menu_item(words, on_click=lambda: self._choose(key)).props("role=menuitem")
        return item.mark(f"choice-{key}")

    def _opened(self, *, is_open: bool) -> None:
        self._button.props(f"aria-expanded={str(is_open).lower()}")

    def _take_off(self) -> Awaitable[None] | None:
        self._button.run_method("focus")  # the cross is about to go
        return self._choose(None)
