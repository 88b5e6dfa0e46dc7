"""The form of one assistant: names, audience, prompt, starters."""

from collections.abc import Callable
from typing import Final

from nicegui import events, ui

from nova_ui.components.assistant_audience import AssistantAudience
from nova_ui.components.assistant_model import AssistantModel
from nova_ui.components.assistant_prompt import AssistantPrompt, PromptReader
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.identity import Language
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_draft import MAX_KEY_CHARS, AssistantDraft, key_from
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.presenters.model_choices import DEFAULT, model_choices

Typed = events.ValueChangeEventArguments[str | None]

NAME_WORDS: Final = {Language.ENGLISH: mark("Name (English)"), Language.GERMAN: mark("Name (German)")}
DESCRIPTION_WORDS: Final = {
    Language.ENGLISH: mark("Description (English)"),
    Language.GERMAN: mark("Description (German)"),
}
STARTER_WORDS: Final = {
    Language.ENGLISH: mark("Prompt starters (English), one a line"),
    Language.GERMAN: mark("Prompt starters (German), one a line"),
}
MAX_LINE_CHARS: Final = 200


class AssistantForm(ui.element):
    """Draws the presenter's draft; what is typed goes into the draft at once, and to Nova when it is stored."""

    def __init__(
        self, presenter: AssistantsAdminPresenter, draft: AssistantDraft, reader: PromptReader, tr: Translator
    ) -> None:
        super().__init__("div")
        self.classes("nova-edit")
        self._presenter = presenter
        self._draft = draft
        self._tr = tr
        self._suggested = ""
        with self:
            if draft.is_preset:
                NoticeLine(
                    tr("The preset Admin Chat always has all tools and is always for administrators only."),
                    next_step=tr("Its names, description, prompt and starters can be changed."),
                )
            with ui.element("div").classes("nova-edit__pair"):
                for language in Language:
                    name = self._line(NAME_WORDS[language], draft.names, language)
                    name.on_value_change(self._named)
                    if draft.is_new and language is self._tr.language:
                        name.props("autofocus")
            self._draw_key()
            with ui.element("div").classes("nova-edit__pair"):
                for language in Language:
                    about = self._lines(DESCRIPTION_WORDS[language], draft.descriptions, language)
                    about.props(f"maxlength={MAX_LINE_CHARS}")
            AssistantAudience(presenter, draft, tr)
            AssistantModel(presenter, draft, tr)
            self._draw_stand_ins()
            self._draw_confirming()
            AssistantPrompt(draft, reader, tr)
            with ui.element("div").classes("nova-edit__pair"):
                for language in Language:
                    self._lines(STARTER_WORDS[language], draft.starters, language)

    def _draw_key(self) -> None:
        if not self._draft.is_new:
            return
        self._key = ui.input(self._tr("Key"), value=self._draft.key, on_change=self._keyed).mark("assistant-key")
        self._key.props(f"maxlength={MAX_KEY_CHARS}").classes("nova-edit__wide nova-edit__key")
        self._key.props["hint"] = self._tr(
            "Small letters, digits, - and _. It stands in the audit log and can't be changed later."
        )

    def _draw_stand_ins(self) -> None:
        """Let an order of its own be chosen: the models in the order in which they were chosen, or nobody."""
        tr = self._tr
        with ui.element("div").classes("nova-edit__pair"):
            own = ui.switch(
                tr("When its model does not answer: an order of its own"), value=self._draft.fall_back is not None
            )
            choices = model_choices(self._presenter.ai_configuration, None, tr)
            options = {name: words for name, words in choices.items() if name != DEFAULT}
            options |= {name: name for name in self._draft.fall_back or () if name not in options}
            order = ui.select(
                options, label=tr("Asked instead, in this order"), value=[*(self._draft.fall_back or ())], multiple=True
            )
            order.props("use-chips").mark("stand-ins")
            own.mark("own-order")

            def chosen() -> None:
                self._draft.fall_back = list(order.value or ()) if own.value is True else None

            own.on_value_change(chosen)
            order.on_value_change(chosen)
            order.props["hint"] = tr("Taken as it is, also where a model is external: you decide where the data goes.")
            order.bind_visibility_from(own, "value")

    def _draw_confirming(self) -> None:
        tr = self._tr
        with ui.element("div").classes("nova-stack"):
            asks = ui.switch(tr("Ask before every change"), value=self._draft.ask_before_changes)
            asks.on_value_change(self._asking).mark("ask-before-changes")
            ui.label(
                tr(
                    "Nothing that changes data runs before the person has confirmed it on a card; without this only "
                    "destructive tools wait."
                )
            ).classes("nova-hint")
        with ui.element("div").classes("nova-edit__pair"):
            button = ui.switch(tr("Confirm with the button only, not in words"), value=self._draft.button_only)
            button.on_value_change(self._button_demanded).mark("button-only")
            options = self._on_cards()
            self._names = names = ui.select(
                options,
                label=tr("The object's name must be typed for"),
                value=[name for name in options if name in self._draft.type_name_for],
                multiple=True,
                clearable=True,
            )
            names.on_value_change(self._names_demanded).props("use-chips").mark("type-name-for")

    def _on_cards(self) -> dict[str, str]:
        return {tool.name: self._tr(tool.title) for tool in self._presenter.tools_on_cards}

    def _asking(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        self._presenter.ask_before_changes(asks=event.value is True)
        options = self._on_cards()
        self._names.set_options(options, value=[name for name in options if name in self._draft.type_name_for])

    def _button_demanded(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        self._draft.button_only = event.value is True

    def _names_demanded(self, event: events.ValueChangeEventArguments[list[str] | None]) -> None:
        self._draft.type_name_for = set(event.value or ())

    def _line(self, words: str, texts: dict[Language, str], language: Language) -> ui.input:
        field = ui.input(self._tr(words), value=texts[language], on_change=_into(texts, language))
        return field.props(f"maxlength={MAX_LINE_CHARS}").mark(f"name-{language.value}")

    def _lines(self, words: str, texts: dict[Language, str], language: Language) -> ui.textarea:
        return ui.textarea(self._tr(words), value=texts[language], on_change=_into(texts, language)).props("autogrow")

    def _named(self) -> None:
        """Suggest a key as long as nobody has typed one."""
        if self._draft.is_new and self._draft.key == self._suggested:
            names = self._draft.names
            self._suggested = key_from(names[Language.ENGLISH] or next(iter(names.values()), ""))
            self._draft.key = self._suggested
            self._key.value = self._suggested

    def _keyed(self, event: Typed) -> None:
        self._draft.key = event.value if isinstance(event.value, str) else ""


def _into(texts: dict[Language, str], language: Language) -> Callable[[Typed], None]:
    def typed(event: Typed) -> None:
        texts[language] = event.value if isinstance(event.value, str) else ""

    return typed
