"""Details beside a list: open at the right, over everything on a narrow screen, closed by Esc."""

from nicegui import ui

from nova_ui.components.buttons import icon_button
from nova_ui.i18n.translator import Translator


class DetailDrawer(ui.element):
    """Stands next to the list in a row of class `nova-beside`; `open` clears it and returns its body to fill."""

    def __init__(self, tr: Translator) -> None:
        super().__init__("aside")
        self.classes("nova-drawer").props("tabindex=-1")
        self.on("keydown.esc", self.close)
        self.visible = False
        with self:
            with ui.element("div").classes("nova-drawer__head"):
                with ui.element("div").classes("nova-drawer__titles"):
                    self._title = ui.label().classes("nova-drawer__title").props("role=heading aria-level=2")
                    self._subtitle = ui.label().classes("nova-drawer__subtitle")
                icon_button("close", tr("Close"), self.close)
            self._body = ui.element("div").classes("nova-drawer__body")

    def open(self, title: str, subtitle: str = "") -> ui.element:
        """Show the drawer under a new title and return its emptied body."""
        self._title.text, self._subtitle.text = title, subtitle
        self.props["aria-label"] = title
        self._body.clear()
        self.visible = True
        self.run_method("focus")
        return self._body

    def close(self) -> None:
        """Hide the drawer."""
        self.visible = False
