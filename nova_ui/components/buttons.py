"""Buttons of the four weights that the interface knows; each has a label, seen or read aloud."""

from collections.abc import Callable

from nicegui import ui

OnClick = Callable[[], object]  # what it returns is awaited if it can be, else thrown away


def _button(text: str, on_click: OnClick | None, icon: str | None, weight: str) -> ui.button:
    # the handler is passed as a call without arguments: events carry nothing that we want
    button = ui.button(text, icon=icon, color=None, on_click=on_click)
    return button.classes(f"nova-button nova-button--{weight}")


def primary_button(text: str, on_click: OnClick | None = None, *, icon: str | None = None) -> ui.button:
    """Draw the one thing to do next."""
    return _button(text, on_click, icon, "primary")


def danger_button(text: str, on_click: OnClick | None = None, *, icon: str | None = None) -> ui.button:
    """Draw what can't be taken back."""
    return _button(text, on_click, icon, "danger")


def quiet_button(text: str, on_click: OnClick | None = None, *, icon: str | None = None) -> ui.button:
    """Draw any other choice."""
    return _button(text, on_click, icon, "quiet")


def icon_button(icon: str, label: str, on_click: OnClick | None = None) -> ui.button:
    """Draw a button without a text; `label` is read aloud and shown as a tooltip."""
    button = _button("", on_click, icon, "icon")
    button.props["aria-label"] = label
    with button:
        ui.tooltip(label)
    return button
