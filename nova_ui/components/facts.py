"""Names with their values: details of an object, arguments of an action, a block of data."""

from collections.abc import Iterable

from nicegui import ui


class Facts(ui.element):
    """A description list; with `literal` the values stand in fixed width, exactly as they are."""

    def __init__(self, facts: Iterable[tuple[str, str]] = (), *, literal: bool = False) -> None:
        super().__init__("dl")
        self.classes("nova-facts" + (" nova-facts--literal" if literal else ""))
        for name, value in facts:
            self.add(name, value)

    def add(self, name: str, value: str) -> None:
        """Add a line of text."""
        with self.line(name):
            ui.label(value).classes("nova-facts__text")

    def line(self, name: str) -> ui.element:
        """Add a line and return the place of its value, for a badge or a link."""
        with self:
            with ui.element("dt"):
                ui.label(name)
            return ui.element("dd")


def heading(text: str, level: int = 2) -> ui.label:
    """Draw the small heading of a part."""
    return ui.label(text).classes("nova-part-heading").props(f"role=heading aria-level={level}")


def data_block(text: str) -> ui.label:
    """Draw foreign data as it is, in fixed width; long lines break."""
    return ui.label(text).classes("nova-data")
