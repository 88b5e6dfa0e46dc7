"""The form of one assistant: names, audience, prompt, starters."""

from typing import Final

from nicegui import events, ui

from nova_ui.components.facts import heading
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.identity import Language, Role
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_draft import AssistantDraft
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter

AUDIENCE_WORDS: Final = {
    AudienceKind.ADMINISTRATORS: mark("Administrators only"),
    AudienceKind.ROLES: mark("Certain roles"),
    AudienceKind.EVERYONE: mark("Everyone"),
}
ROLE_CHOICES: Final = {
    Role.ADMINISTRATOR: mark("Administrators"),
    Role.AUDITOR: mark("Auditors"),
    Role.MANAGER: mark("Managers"),
}
NAME_WORDS: Final = {Language.ENGLISH: mark("Name (English)"), Language.GERMAN: mark("Name (German)")}
DESCRIPTION_WORDS: Final = {
    Language.ENGLISH: mark("Description (English)"),
    Language.GERMAN: mark("Description (German)"),
}
STARTER_WORDS: Final = {
    Language.ENGLISH: mark("Prompt starters (English), one a line"),
    Language.GERMAN: mark("Prompt starters (German), one a line"),
}


class AssistantForm(ui.element):
    """Draws the presenter's draft; what is typed goes into the draft at once, and to Nova when it is stored."""

    def __init__(self, presenter: AssistantsAdminPresenter, draft: AssistantDraft, tr: Translator) -> None:
        super().__init__("div")
        self.classes("nova-form")
        self._presenter = presenter
        self._draft = draft
        self._tr = tr
        with self:
            if draft.is_preset:
                NoticeLine(
                    tr("The preset Admin Chat always has all tools and is always for administrators only."),
                    next_step=tr("Its names, description, prompt and starters can be changed."),
                )
            self._draw_key()
            with ui.element("div").classes("nova-form__pair"):
                for language in Language:
                    self._field(NAME_WORDS[language], draft.names, language)
            with ui.element("div").classes("nova-form__pair"):
                for language in Language:
                    self._field(DESCRIPTION_WORDS[language], draft.descriptions, language)
            self._draw_audience()
            heading(tr("What the model is told"))
            prompt = ui.textarea(tr("Prompt"), value=draft.prompt, on_change=self._prompted).props("autogrow")
            prompt.classes("nova-form__wide")
            with ui.element("div").classes("nova-form__pair"):
                for language in Language:
                    self._field(STARTER_WORDS[language], draft.starters, language, lines=True)

    def _draw_key(self) -> None:
        if not self._draft.is_new:
            return
        key = ui.input(self._tr("Key, such as helpdesk"), value=self._draft.key, on_change=self._keyed)
        key.props("maxlength=32").classes("nova-form__wide")
        key.props["hint"] = self._tr("Small letters and digits. It stands in the audit log and can't be changed later.")

    def _draw_audience(self) -> None:
        with ui.element("div").classes("nova-form__pair"):
            options = {kind.value: self._tr(words) for kind, words in AUDIENCE_WORDS.items()}
            audience = ui.select(options, label=self._tr("Open to"), value=self._draft.audience.value)
            audience.on_value_change(self._opened_to)
            audience.set_enabled(not self._draft.is_preset)
            enabled = ui.switch(self._tr("Switched on"), value=self._draft.enabled, on_change=self._switched)
            enabled.set_enabled(not self._draft.is_preset)
        with ui.element("div").classes("nova-row") as self._roles:
            for role, words in ROLE_CHOICES.items():
                box = ui.checkbox(self._tr(words), value=role in self._draft.audience_roles)
                box.on_value_change(lambda event, role=role: self._role_ticked(role, ticked=event.value is True))
        self._roles.visible = self._draft.audience is AudienceKind.ROLES

    def _field(self, words: str, texts: dict[Language, str], language: Language, *, lines: bool = False) -> None:
        def typed(event: events.ValueChangeEventArguments[str | None]) -> None:
            texts[language] = event.value if isinstance(event.value, str) else ""

        if lines:
            ui.textarea(self._tr(words), value=texts[language], on_change=typed).props("autogrow")
        else:
            ui.input(self._tr(words), value=texts[language], on_change=typed)

    def _keyed(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        self._draft.key = event.value if isinstance(event.value, str) else ""

    def _prompted(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        self._draft.prompt = event.value if isinstance(event.value, str) else ""

    def _switched(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        self._draft.enabled = event.value is True

    def _opened_to(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        self._draft.audience = AudienceKind(str(event.value))  # a select takes only what it offers
        self._roles.visible = self._draft.audience is AudienceKind.ROLES
        self._presenter.tools_changed.emit(None)

    def _role_ticked(self, role: Role, *, ticked: bool) -> None:
        if ticked:
            self._draft.audience_roles.add(role)
        else:
            self._draft.audience_roles.discard(role)
