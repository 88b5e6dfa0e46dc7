"""What the model of an assistant is told: the prompt with its variables, and what becomes of it for oneself."""

from collections.abc import Callable
from typing import Final

from nicegui import events, ui

from nova_ui.components.buttons import quiet_button
from nova_ui.components.facts import data_block
from nova_ui.domain.prompt_template import VARIABLES
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_draft import AssistantDraft
from nova_ui.presenters.assistant_preview import PromptPreview

MAX_PROMPT_CHARS: Final = 20_000
PromptReader = Callable[[str], PromptPreview]
_MEANINGS: Final = {
    "name": mark("the name of whoever asks"),
    "language": mark("the language in which they read"),
    "date": mark("today"),
}


class AssistantPrompt(ui.element):
    """Draws the prompt of the draft; the preview is drawn when somebody asks for it, with what is typed by then."""

    def __init__(self, draft: AssistantDraft, reader: PromptReader, tr: Translator) -> None:
        super().__init__("div")
        self.classes("nova-edit__part")
        self._draft = draft
        self._reader = reader
        self._tr = tr
        with self:
            prompt = ui.textarea(tr("What the model is told (prompt)"), value=draft.prompt, on_change=self._prompted)
            prompt.classes("nova-edit__wide").props(f"autogrow maxlength={MAX_PROMPT_CHARS}").mark("prompt")
            known = "; ".join(f"{{{name}}}: {tr(_MEANINGS[name])}" for name in VARIABLES)
            hint = tr("Variables: {known}. A brace itself is doubled.", known=known)
            ui.label(hint).classes("nova-hint")
            seen = tr("Whoever chats with the assistant can read it under “What the model saw”.")
            ui.label(seen).classes("nova-hint")
            quiet_button(tr("Preview the whole prompt"), self._preview, icon="visibility").mark("preview-prompt")
            self._shown = ui.element("div").classes("nova-stack").props("role=status")

    def _prompted(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        self._draft.prompt = event.value if isinstance(event.value, str) else ""
        self._shown.clear()

    def _preview(self) -> None:
        tr = self._tr
        self._shown.clear()
        told = self._reader(self._draft.prompt)
        with self._shown:
            ui.label(tr("As the model would read it if you asked now:")).classes("nova-hint")
            data_block(told.own or "–").mark("prompt-preview")
            ui.label(tr("Before it stands what every assistant is told:")).classes("nova-hint")
            data_block(told.rules)
