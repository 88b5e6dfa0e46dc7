"""Details beside a list: open at the right, over everything on a narrow screen, closed by Esc."""

from nicegui import ui

from nova_ui.components.buttons import OnClick, icon_button
from nova_ui.i18n.translator import Translator


class DetailDrawer(ui.element):
    """Stands next to the list in a row of class `nova-beside`; `open` clears it and returns its body to fill.

    It is a `dialog` that is not modal: the browser moves the focus there, and back to where it was at the end.
    """

    def __init__(self, tr: Translator, *, on_close: OnClick) -> None:
        super().__init__("dialog")
        self._on_close = on_close
        self.classes("nova-drawer").props("tabindex=-1 autofocus")
        self.on("keydown.esc", self.close)
        with self:
            with ui.element("div").classes("nova-drawer__head"):
                with ui.element("div").classes("nova-drawer__titles"):
                    self._title = ui.label().classes("nova-drawer__title").props("role=heading aria-level=2")
                    self._subtitle = ui.label().classes("nova-drawer__subtitle")
                icon_button("close", tr("Close"), self.close).mark("close-drawer")
            self._body = ui.element("div").classes("nova-drawer__body")

    def open(self, title: str, subtitle: str = "") -> ui.element:
        """Show the drawer under a new title and return its emptied body."""
        self._title.text, self._subtitle.text = title, subtitle
        self.props["aria-label"] = title
        self._body.clear()
        self.run_method("close")  # so that the browser takes note where the focus is this time
        self.run_method("show")
        return self._body

    def close(self) -> None:
        """Hide the drawer."""
        self._on_close()
        self.run_method("close")
