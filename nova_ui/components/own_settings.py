"""Language and theme of the person itself."""

from nicegui import ui

from nova_ui.components.facts import heading
from nova_ui.components.notices import show_told
from nova_ui.presenters.own_settings import LANGUAGES, THEMES, OwnSettingsPresenter


class OwnSettings(ui.element):
    """Two choices that hold from the moment they are made."""

    def __init__(self, presenter: OwnSettingsPresenter) -> None:
        super().__init__("section")
        tr = presenter.tr
        self.classes("nova-panel nova-stack")
        with self:
            heading(tr("Language and appearance"))
            ui.select(
                dict(LANGUAGES),
                label=tr("Language"),
                value=presenter.identity.language.value,
                on_change=lambda change: presenter.choose_language(change.value),
            ).classes("nova-stretch").mark("language")
            ui.select(
                {key: tr(words) for key, words in THEMES.items()},
                label=tr("Appearance"),
                value=presenter.theme,
                on_change=lambda change: presenter.choose_theme(change.value),
            ).classes("nova-stretch").mark("theme")
        presenter.told.subscribe(show_told)
        presenter.saved.subscribe(lambda _: ui.navigate.reload())
