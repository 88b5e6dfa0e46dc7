"""One line above the composer: the assistant is answering in another chat of this person."""

from nicegui import ui

from nova_ui.components.buttons import quiet_button
from nova_ui.presenters.chat_panel import ChatPanelPresenter


class ElsewhereLine(ui.element):
    """Seen only while such an answer is being written; a message would have to wait for its end."""

    def __init__(self, panel: ChatPanelPresenter) -> None:
        super().__init__("div")
        self._panel = panel
        tr = panel.tr
        with self.classes("nova-elsewhere").props("role=status").mark("elsewhere"):
            ui.label(tr("Nova is answering in another chat of yours.")).classes("nova-elsewhere__text")
            quiet_button(tr("Open"), panel.open_elsewhere, icon="open_in_new").classes("nova-button--small")
            quiet_button(tr("Stop"), panel.stop, icon="stop").classes("nova-button--small")
        panel.composer_changed.subscribe(lambda _: self.refresh())
        panel.rearranged.subscribe(lambda _: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Show or hide."""
        if not self.is_deleted:
            self.visible = self._panel.elsewhere is not None
