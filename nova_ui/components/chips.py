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

    `choose` is called with the chosen key, or None when the filter is taken off.
    """

    def __init__(
        self,
        label: str,
        options: Mapping[str, str],
        chosen: str | None,
        choose: Callable[[str | None], Awaitable[None] | None],
        tr: Translator,
        *,
        icon: str | None = None,
    ) -> None:
        super().__init__("span")
        self._options = options
        self._choose = choose
        set_to = options.get(chosen, chosen) if chosen is not None else None
        self.classes("nova-filter" + (" nova-filter--set" if set_to is not None else ""))
        text = label if set_to is None else tr("{filter}: {choice}", filter=label, choice=set_to)
        with self:
            with ui.button(text, icon=icon, color=None).classes("nova-filter__button") as button:
                button.props("icon-right=arrow_drop_down aria-haspopup=menu")
                with ui.menu().props("auto-close"):
                    for key, words in options.items():
                        self._option(key, words)
            if set_to is not None:
                icon_button("close", tr("Remove filter {filter}", filter=label), lambda: self._choose(None))

    def _option(self, key: str, words: str) -> None:
        ui.menu_item(words, on_click=lambda: self._choose(key))
