"""The list of own chats: a line each, with what can be done with it."""

from collections.abc import Callable
from datetime import datetime
from itertools import groupby
from urllib.parse import quote

from nicegui import ui

from nova_ui.chat.history import ChatSummary, ExportFormat
from nova_ui.components.badges import Badge
from nova_ui.components.buttons import quiet_button
from nova_ui.components.chat_title_dialog import ask_title
from nova_ui.components.confirm_dialog import ask
from nova_ui.components.empty import EmptyState
from nova_ui.components.facts import heading
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.clock import Clock
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.chat_list import ChatListPresenter, ChatListState


class ChatList(ui.element):
    """Draws what the presenter holds; redrawn as a whole when it changes."""

    def __init__(self, presenter: ChatListPresenter, tr: Translator, clock: Clock) -> None:
        super().__init__("div")
        self.classes("nova-stack")
        self._presenter = presenter
        self._tr = tr
        self._clock = clock
        presenter.changed.subscribe(self._show)

    def _show(self, state: ChatListState) -> None:
        if self.is_deleted:
            return
        self.clear()
        with self:
            if state.hidden and self._presenter.assistant is None:
                self._draw_hidden(state.hidden)
            if not state.chats:
                self._draw_empty()
                return
            now = self._clock.now()
            for day, chats in groupby(state.chats, key=lambda chat: self._day(chat.updated_at, now)):
                with ui.element("section"):
                    heading(day)
                    with ui.element("ul").classes("nova-chats"):
                        for chat in chats:
                            self._line(chat)
            if state.has_more:
                quiet_button(self._tr("Show older chats"), self._presenter.more, icon="expand_more")

    def _draw_hidden(self, hidden: int) -> None:
        NoticeLine(
            self._tr.plural(
                "{count} chat is with an assistant that you can no longer use. It can only be deleted.",
                "{count} chats are with assistants that you can no longer use. They can only be deleted.",
                hidden,
            ),
            next_step=self._tr("“Clear all” deletes them too."),
        )

    def _draw_empty(self) -> None:
        if self._presenter.q or self._presenter.assistant:
            EmptyState("search_off", self._tr("No chat found"), self._tr("Try another word or another assistant."))
            return
        EmptyState(
            "history",
            self._tr("No chats yet"),
            self._tr("What you ask Nova AI is kept here, for you alone."),
            action=self._tr("Start a chat"),
            on_action=lambda: ui.navigate.to("/"),
        )

    def _day(self, moment: datetime, now: datetime) -> str:
        day = self._tr.day(moment)
        return self._tr("Today") if day == self._tr.day(now) else day

    def _line(self, chat: ChatSummary) -> None:
        with ui.element("li").classes("nova-chats__line"):
            with ui.link(target=f"/?chat={quote(chat.id)}").classes("nova-chats__open"):
                ui.label(chat.title or self._tr("Untitled chat")).classes("nova-chats__title")
                with ui.element("span").classes("nova-chats__about"):
                    Badge(self._presenter.names.get(chat.assistant_key, chat.assistant_key))
                    ui.label(self._tr.short_time(chat.updated_at))
            more = ui.button(icon="more_vert", color=None).classes("nova-button nova-button--icon").mark("chat-actions")
            more.props["aria-label"] = self._tr("Actions for “{title}”", title=chat.title)
            with more.props("aria-haspopup=menu"), ui.menu().props("auto-close"):
                self._item("rename", self._tr("Rename"), lambda: self._rename(chat))
                self._item(
                    "markdown", self._tr("Download as Markdown"), lambda: self._export(chat, ExportFormat.MARKDOWN)
                )
                self._item("json", self._tr("Download as JSON"), lambda: self._export(chat, ExportFormat.JSON))
                self._item("delete", self._tr("Delete"), lambda: self._delete(chat))

    def _item(self, name: str, text: str, on_click: Callable[[], object]) -> None:
        ui.menu_item(text, on_click=on_click).props("role=menuitem").mark(f"chat-{name}")

    async def _rename(self, chat: ChatSummary) -> None:
        with self:
            title = await ask_title(chat.title, self._tr)
        if title and title != chat.title:
            try:
                await self._presenter.rename(chat.id, title)
            except NovaProblem as problem:
                self._apologise(problem)

    async def _delete(self, chat: ChatSummary) -> None:
        with self:
            agreed = await ask(
                self._tr("Delete this chat?"),
                self._tr("“{title}” is deleted for good. The audit log is not touched.", title=chat.title),
                self._tr("Delete"),
                self._tr,
            )
        if agreed:
            try:
                await self._presenter.delete(chat.id)
            except NovaProblem as problem:
                self._apologise(problem)

    async def _export(self, chat: ChatSummary, export_format: ExportFormat) -> None:
        try:
            made = await self._presenter.export(chat.id, export_format)
        except NovaProblem as problem:
            self._apologise(problem)
            return
        ui.download.content(made.content, made.file_name, made.media_type)

    def _apologise(self, problem: NovaProblem) -> None:
        with self:
            ui.notify(self._tr(problem.key), type="negative", position="top")
