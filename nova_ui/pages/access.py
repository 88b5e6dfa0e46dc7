"""My access: decisions that wait for oneself, what one holds and why, what one asked for; the way to ask for more."""

from nicegui import ElementFilter, ui

from nova_ui.components.action_dialog import ActionDialogs
from nova_ui.components.buttons import primary_button
from nova_ui.components.object_view import PartView
from nova_ui.components.put_away import put_away
from nova_ui.components.request_dialog import RequestDialog
from nova_ui.domain.identity import Role
from nova_ui.domain.tool import NovaAnswer
from nova_ui.nova_client.client import NovaClient
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.directory import links_of
from nova_ui.pages.frame import CountLabel, Frame
from nova_ui.pages.navigation import ACCESS
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.actions import Action
from nova_ui.presenters.own_access import WAITING, OwnAccessPresenter
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the page."""

    @page(services, ACCESS.path, title=ACCESS.label)
    async def access_page(visit: Visit, frame: Frame) -> None:
        nova = services.nova.open(visit.caller, INTERFACE)
        screen = AccessScreen(nova, visit)
        with frame.actions:
            primary_button(visit.tr("Request access"), screen.request, icon="add").mark("request-access")
        await screen.presenter.load()


class AccessScreen:
    """The parts of the page, drawn anew after each change."""

    def __init__(self, nova: NovaClient, visit: Visit) -> None:
        self._nova = nova
        self._visit = visit
        self.presenter = OwnAccessPresenter(nova, visit.identity)
        self._dialogs = ActionDialogs(nova, visit.tr, self._done)
        self._parts = ui.element("div").classes("nova-stack nova-object")
        self.presenter.changed.subscribe(lambda _: self._draw())

    async def request(self) -> None:
        """Ask for more access."""
        for_others = bool(self._visit.identity.roles & {Role.ADMINISTRATOR, Role.MANAGER})
        dialog = RequestDialog(self._nova, self._visit.tr, for_others=for_others)
        await dialog.search()
        answer = await dialog
        put_away(dialog)
        if answer == "sent":
            ui.notify(self._visit.tr("The request is sent."), type="positive", position="top")
            await self._read_again()

    def _draw(self) -> None:
        if self._parts.is_deleted:
            return
        self._parts.clear()
        with self._parts:
            for part in self.presenter.parts:
                if self.presenter.shows(part.kind.key):
                    PartView(part, self.presenter, self._visit.tr, links_of(self._visit), self._dialogs)

    async def _done(self, action: Action, answer: NovaAnswer | None) -> None:
        del action, answer
        await self._read_again()

    async def _read_again(self) -> None:
        await self.presenter.reload()
        waiting = next((part.total or 0 for part in self.presenter.parts if part.kind is WAITING), 0)
        for label in ElementFilter(kind=CountLabel):
            label.show(waiting)
