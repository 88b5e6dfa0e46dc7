"""Where the person is signed in, and the way to end it there."""

from nicegui import ui

from nova_ui.components.badges import GOOD, Badge
from nova_ui.components.buttons import quiet_button
from nova_ui.components.facts import heading
from nova_ui.presenters.own_settings import OwnSession, OwnSettingsPresenter
from nova_ui.presenters.visible import show_invisible


class OwnSessions(ui.element):
    """A line for each session; this one ends by signing out."""

    def __init__(self, presenter: OwnSettingsPresenter) -> None:
        super().__init__("section")
        self._presenter = presenter
        self.classes("nova-panel nova-stack")
        with self:
            heading(presenter.tr("Where you are signed in"))
            self._list = ui.element("div").classes("nova-lines")
        presenter.changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        self._list.clear()
        with self._list:
            for session in self._presenter.sessions:
                self._line(session)

    def _line(self, session: OwnSession) -> None:
        tr = self._presenter.tr
        with ui.element("div").classes("nova-lines__line"):
            ui.icon("devices")
            with ui.element("div").classes("nova-lines__words"):
                ui.label(show_invisible(session.where) or tr("Unknown browser"))
                ui.label(tr("Last seen {moment}", moment=session.last_seen_at)).classes("nova-lines__hint")
            if session.is_current:
                Badge(tr("this session"), GOOD)
            else:
                quiet_button(tr("End"), lambda: self._presenter.end_session(session)).mark("end-session")
