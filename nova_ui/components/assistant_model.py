"""Which model an assistant asks, how freely it may answer, and by which sign people know it."""

from typing import Final

from nicegui import events, ui

from nova_ui.domain.ai_profile import MAX_TEMPERATURES, ProviderKind
from nova_ui.domain.assistant_icons import ASSISTANT_ICONS
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_draft import AssistantDraft
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.presenters.model_choices import DEFAULT, model_choices

_STEP: Final = 0.1


class AssistantModel(ui.element):
    """Draws model, temperature and icon of the draft; choices go into the draft at once."""

    def __init__(self, presenter: AssistantsAdminPresenter, draft: AssistantDraft, tr: Translator) -> None:
        super().__init__("div")
        self.classes("nova-edit__part")
        self._presenter = presenter
        self._draft = draft
        self._tr = tr
        with self:
            options = dict(model_choices(presenter.ai_configuration, draft.model, tr))
            model = ui.select(options, label=tr("Model"), value=draft.model or DEFAULT).mark("model")
            model.classes("nova-edit__wide").on_value_change(self._model_chosen)
            with ui.element("div").classes("nova-edit__pair"):
                value = draft.temperature
                self._temperature = ui.number(tr("Temperature"), value=value, min=0, step=_STEP, precision=2)
                self._temperature.on_value_change(self._warmed).mark("temperature").props("clearable")
                self._draw_icons()
        self._show()

    def _draw_icons(self) -> None:
        tr = self._tr
        with ui.element("div").classes("nova-icon-choice"):
            self._icon = ui.button(tr("Icon"), icon=self._draft.icon, color=None)
            self._icon.classes("nova-button nova-button--quiet").props("aria-haspopup=menu").mark("icon")
            with self._icon, ui.menu().props("auto-close") as menu, ui.element("div").classes("nova-icons"):
                menu.props["aria-label"] = tr("Icon")
                for name in ASSISTANT_ICONS:
                    self._draw_icon(name)

    def _draw_icon(self, name: str) -> None:
        one = ui.button(icon=name, color=None, on_click=lambda: self._icon_chosen(name)).mark(f"icon-{name}")
        one.classes("nova-button nova-button--icon").props["aria-label"] = name.replace("_", " ")
        one.props("v-close-popup")

    def _show(self) -> None:
        """Show whether the chosen model takes a temperature, and how high."""
        most = self._most()
        self._temperature.set_enabled(most is not None or self._draft.temperature is not None)
        self._temperature.props["hint"] = (
            self._tr("This model takes no temperature: its answers are not drawn by lot.")
            if most is None
            else self._tr("From 0 (always alike) to {most} (free); empty: as the profile says.", most=most)
        )
        if most is not None:
            self._temperature.max = most

    def _most(self) -> float | None:
        configuration = self._presenter.ai_configuration
        chosen = self._draft.model or text_at(configuration, "default_profile")
        key = chosen.partition("/")[0]
        kinds = {text_at(one, "key"): text_at(one, "kind") for one in rows_in(configuration, "profiles")}
        kind = kinds.get(key, ProviderKind.OPENAI.value if "environment" in kinds else ProviderKind.BUILT_IN.value)
        return MAX_TEMPERATURES.get(ProviderKind(kind))

    def _model_chosen(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        self._draft.model = event.value or None
        self._show()

    def _warmed(self, event: events.ValueChangeEventArguments[float | None]) -> None:
        self._draft.temperature = None if event.value is None else float(event.value)

    def _icon_chosen(self, name: str) -> None:
        self._draft.icon = name
        self._icon.props["icon"] = name
