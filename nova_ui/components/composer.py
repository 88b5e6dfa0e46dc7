"""Where the person writes: the box, the counter of model calls, Send or Stop."""

from collections.abc import Awaitable, Callable

from nicegui import events, ui
from nicegui.element import Element

from nova_ui.components.buttons import icon_button, primary_button, quiet_button
from nova_ui.components.chips import fact_chip
from nova_ui.guardrails.limits import MAX_MODEL_CALLS
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.composer import MAX_MESSAGE_CHARS, draft_name, parse_typed


class ComposerBox(Element, component="composer_box.js"):
    """A text box: Enter sends, Shift+Enter breaks the line, `/` opens the tools, arrow up takes the last message back.

    `on_send` gets whatever the browser sent, parsed to a text; an unusable value is dropped.
    """

    def __init__(self, *, label: str, placeholder: str, draft: str, on_send: Callable[[str], Awaitable[None]]) -> None:
        super().__init__()
        self.props.update(
            {"label": label, "placeholder": placeholder, "draft": draft, "longest": MAX_MESSAGE_CHARS, "last": ""}
        )
        self._on_send = on_send
        self.on("send", self._sent)

    async def _sent(self, event: events.GenericEventArguments) -> None:
        text = parse_typed(event.args)
        if text is not None:
            await self._on_send(text)


class Composer(ui.element):
    """Sends through the panel; what was not accepted stays in the box."""

    def __init__(self, panel: ChatPanelPresenter, open_tools: Callable[[], None]) -> None:
        super().__init__("div")
        self._panel = panel
        tr = panel.tr
        with self.classes("nova-composer"):
            self._box = ComposerBox(
                label=tr("Message"),
                placeholder=tr("Ask Nova, or type / for a tool …"),
                draft=draft_name(panel.identity.id),
                on_send=self._send,
            ).mark("composer")
            self._box.on("tools", open_tools)
            with ui.element("div").classes("nova-composer__tail"):
                icon_button("terminal", tr("Tools"), open_tools).mark("tools")
                with fact_chip("") as chip:
                    chip.classes("nova-composer__counter").clear()
                    with chip:
                        self._counter = ui.label().classes("nova-chip__text nova-composer__long")
                        self._short_counter = ui.label().classes("nova-composer__short").props("aria-hidden=true")
                self._chip = chip
                self._send_button = primary_button(tr("Send"), self._submit, icon="keyboard_return").mark("send")
                self._stop_button = quiet_button(tr("Stop"), panel.stop, icon="stop").mark("stop")
        panel.composer_changed.subscribe(lambda _: self.refresh())
        panel.rearranged.subscribe(lambda _: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Show Send or Stop, the counter and the message that arrow up takes back."""
        if self.is_deleted:
            return
        running = self._panel.running
        self._send_button.visible = running is None
        self._stop_button.visible = running is not None
        self._box.props["last"] = self._panel.last_text
        self.count()

    def count(self) -> None:
        """Show how many model calls the last message has used."""
        turn = self._panel.turns[-1] if self._panel.turns else None
        self._chip.visible = turn is not None
        if turn is not None:
            words = self._panel.tr("{used} of {limit} model calls", used=turn.model_calls, limit=MAX_MODEL_CALLS)
            self._counter.text = words
            self._short_counter.text = f"{turn.model_calls} / {MAX_MODEL_CALLS}"
            self._chip.props["title"] = words

    def fill(self, text: str) -> None:
        """Put a text into the box, for a starter that is to be completed."""
        self._box.run_method("put", text)

    def _submit(self) -> None:
        self._box.run_method("submit")

    async def _send(self, text: str) -> None:
        if await self._panel.send_text(text) and not self._box.is_deleted:
            self._box.run_method("clear", text)
