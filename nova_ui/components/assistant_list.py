"""The assistants at the left of their administration."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from nova_ui.components.assistant_audience import AUDIENCE_WORDS
from nova_ui.components.badges import Badge
from nova_ui.components.buttons import icon_button
from nova_ui.domain.assistant import ADMIN_CHAT_KEY
from nova_ui.domain.assistant_icons import DEFAULT_ICON
from nova_ui.domain.json_value import JsonObject
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_words import MODE_TONES, SHORT_MODE_WORDS
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.presenters.fields import text_at


class AssistantList(ui.element):
    """Draws a button for each assistant; the open one is marked, in place, so that a press keeps the focus."""

    def __init__(
        self, presenter: AssistantsAdminPresenter, tr: Translator, on_choose: Callable[[str], Awaitable[None]]
    ) -> None:
        super().__init__("nav")
        self.classes("nova-split__list")
        self.props["aria-label"] = tr("AI assistants")
        self._presenter = presenter
        self._tr = tr
        self._on_choose = on_choose
        self._drawn: tuple[JsonObject, ...] = ()
        self._shown: object = None
        self._entries: dict[str, ui.element] = {}
        presenter.list_changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        shown = (self._presenter.assistants, self._presenter.modes)
        if self._shown != shown:
            self._shown = shown
            self._drawn = self._presenter.assistants
            self.clear()
            with self:
                self._entries = {str(one["key"]): self._line(one) for one in self._drawn}
        draft = self._presenter.draft
        open_key = draft.key if draft is not None and not draft.is_new else None
        for key, entry in self._entries.items():
            if key == open_key:
                entry.classes(add="nova-entry--open").props("aria-current=true")
            else:
                entry.classes(remove="nova-entry--open").props(remove="aria-current")

    def _line(self, assistant: JsonObject) -> ui.element:
        """Draw an assistant with the buttons that move it; the order is that of everybody's picker."""
        tr, key, name = self._tr, str(assistant["key"]), self._name(assistant)
        keys = [str(one["key"]) for one in self._drawn]
        with ui.element("div").classes("nova-split__entry"):
            entry = self._entry(assistant)
            with ui.element("div").classes("nova-split__moves"):
                up = icon_button("keyboard_arrow_up", tr("Move {name} up", name=name), self._mover(assistant, -1))
                up.mark(f"up-{key}").set_enabled(key != keys[0])
                down = icon_button("keyboard_arrow_down", tr("Move {name} down", name=name), self._mover(assistant, 1))
                down.mark(f"down-{key}").set_enabled(key != keys[-1])
        return entry

    def _mover(self, assistant: JsonObject, by: int) -> Callable[[], Awaitable[None]]:
        async def move() -> None:
            if not await self._presenter.move(str(assistant["key"]), by):
                return
            place = 1 + [one["key"] for one in self._drawn].index(assistant["key"])
            with self:
                words = self._tr("{name} is now number {place}.", name=self._name(assistant), place=place)
                ui.notify(words, position="top")

        return move

    def _entry(self, assistant: JsonObject) -> ui.element:
        key = str(assistant["key"])
        entry = ui.element("button").classes("nova-entry").props("type=button").mark(f"assistant-{key}")
        entry.on("click", lambda: self._on_choose(key))
        with entry:
            with ui.element("span").classes("nova-entry__head"):
                ui.icon(text_at(assistant, "icon") or DEFAULT_ICON).classes("nova-entry__icon").props(
                    "aria-hidden=true"
                )
                ui.label(self._name(assistant)).classes("nova-entry__name")
                if key == ADMIN_CHAT_KEY:
                    Badge(self._tr("preset"))
                mode = self._presenter.modes.get(key)
                if mode is not None:
                    Badge(self._tr(SHORT_MODE_WORDS[mode]), MODE_TONES[mode])
                if assistant.get("enabled") is False:
                    Badge(self._tr("switched off"))
            ui.label(self._about(assistant)).classes("nova-entry__about")
        return entry

    def _name(self, assistant: JsonObject) -> str:
        names = assistant.get("names")
        given = names if isinstance(names, dict) else {}
        return str(given.get(self._tr.language.value) or next(iter(given.values()), assistant["key"]))

    def _about(self, assistant: JsonObject) -> str:
        names = assistant.get("tool_names")
        count = len(names) if isinstance(names, list) else 0
        tools = (
            self._tr("All tools")
            if assistant.get("all_tools") is True
            else self._tr.plural("{count} tool", "{count} tools", count)
        )
        audience = next((words for kind, words in AUDIENCE_WORDS.items() if kind.value == assistant["audience"]), "")
        return f"{tools} · {self._tr(audience)}"
