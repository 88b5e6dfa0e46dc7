"""The bell of every page: how many notifications are not read, and behind it the newest."""

from collections.abc import Callable
from typing import Protocol

from nicegui import background_tasks, ui

from nova_ui.components.buttons import icon_button, quiet_button
from nova_ui.components.empty import EmptyState
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.identity import IdentityId
from nova_ui.presenters.notifications import NotificationsPresenter, ShownNotification


class News(Protocol):
    """Where it is told who has got notifications, or has read some."""

    def subscribe(self, subscriber: Callable[[frozenset[IdentityId]], None]) -> Callable[[], None]:
        """Call `subscriber` from now on; return what ends that."""


class NotificationBell(ui.element):
    """A button with a number; the panel is made when it is first opened, and nothing is asked for before."""

    def __init__(self, presenter: NotificationsPresenter, owner: IdentityId, news: News, prefix: str) -> None:
        super().__init__("div")
        self._presenter = presenter
        self._owner = owner
        self._prefix = prefix
        self._panel: NotificationPanel | None = None
        with self.classes("nova-bell"):
            self._button = icon_button("notifications", presenter.tr("Notifications"), self._open).mark("bell")
            self._button.props["aria-haspopup"] = "dialog"
            self._number = ui.label().classes("nova-bell__number").props("aria-hidden=true").mark("unread")
            self._said = ui.label().classes("nova-hidden").props("role=status aria-live=polite")
        self._show(presenter.unread)
        presenter.counted.subscribe(self._counted)
        ui.context.client.on_delete(news.subscribe(self._heard))

    def _words(self, unread: int) -> str:
        tr = self._presenter.tr
        if not unread:
            return tr("Notifications")
        return tr.plural("Notifications, {count} not read", "Notifications, {count} not read", unread)

    def _show(self, unread: int) -> None:
        self._number.text = "99+" if unread > 99 else str(unread)  # noqa: PLR2004 - room for two figures
        self._number.visible = unread > 0
        self._button.props["aria-label"] = self._words(unread)
        self._button.update()

    def _counted(self, unread: int) -> None:
        if self.is_deleted:
            return
        self._show(unread)
        self._said.text = self._words(unread)

    def _heard(self, who: frozenset[IdentityId]) -> None:
        """Count anew as a task of this page: whoever told must not wait for it."""
        if self._owner in who and not self.is_deleted:
            background_tasks.create(self._look_again(), context=self, name="count notifications")

    async def _look_again(self) -> None:
        if self._panel is not None and self._panel.value:
            await self._presenter.load()
        else:
            await self._presenter.count_again()

    async def _open(self) -> None:
        if self._panel is None:
            with self:
                self._panel = NotificationPanel(self._presenter, self._prefix)
        self._panel.open()
        await self._presenter.load()


class NotificationPanel(ui.dialog):
    """The newest notifications at the right of the window; Esc closes it, and the focus goes back to the bell."""

    def __init__(self, presenter: NotificationsPresenter, prefix: str) -> None:
        super().__init__()
        self._presenter = presenter
        self._prefix = prefix
        tr = presenter.tr
        self.props("position=right").props["aria-label"] = tr("Notifications")
        with self, ui.card().classes("nova-told").props("tabindex=-1 autofocus"):
            with ui.element("div").classes("nova-told__head"):
                ui.label(tr("Notifications")).classes("nova-told__title").props("role=heading aria-level=2")
                self._all = icon_button("done_all", tr("Mark all as read"), presenter.mark_all_read).mark("read-all")
                icon_button("close", tr("Close"), self.close).mark("close-notifications")
            self._notice = ui.element("div")
            self._list = ui.element("ul").classes("nova-told__list").props("tabindex=0")
            self._list.props["aria-label"] = tr("Notifications")
            self._more = quiet_button(tr("Show older"), presenter.more).mark("older-notifications")
        presenter.changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        presenter, tr = self._presenter, self._presenter.tr
        self._all.visible = presenter.unread > 0
        self._more.visible = presenter.has_more
        self._notice.clear()
        with self._notice:
            if presenter.problem is not None:
                next_step = tr("Please try again in a moment.")
                NoticeLine(tr(type(presenter.problem).key), "error", next_step=next_step)
            elif not presenter.shown:
                EmptyState("notifications_none", tr("No notifications"), tr("What concerns you is told here."))
        self._list.clear()
        with self._list:
            for one in presenter.shown:
                self._item(one)

    def _item(self, one: ShownNotification) -> None:
        tr = self._presenter.tr
        with ui.element("li").classes("nova-told__item" + (" nova-told__item--unread" if one.is_unread else "")):
            ui.icon(one.icon).props("aria-hidden=true")
            with ui.element("div").classes("nova-told__words"):
                ui.label(one.title).classes("nova-told__subject")
                if one.is_unread:
                    ui.label(tr("not read")).classes("nova-hidden")
                if one.body:
                    ui.label(one.body).classes("nova-told__body")
                with ui.element("div").classes("nova-told__foot"):
                    ui.label(one.when).classes("nova-told__when")
                    if one.link:
                        self._foot_button(tr("Open"), lambda: self._follow(one), "open-notification", one)
                    if one.is_unread:
                        self._foot_button(
                            tr("Mark as read"), lambda: self._presenter.mark_read(one.id), "read-notification", one
                        )

    def _foot_button(self, text: str, press: Callable[[], object], name: str, one: ShownNotification) -> None:
        button = ui.button(text, color=None, on_click=press).classes("nova-told__button").mark(name)
        button.props["aria-label"] = f"{text}: {one.title}"

    async def _follow(self, one: ShownNotification) -> None:
        if one.is_unread:
            await self._presenter.mark_read(one.id)
        ui.navigate.to(f"{self._prefix}{one.link}")
