"""What is sent where, for administrators: each assistant, how far its data may go, and to which models."""

from nicegui import ui

from nova_ui.components.badges import PLAIN, Badge
from nova_ui.components.facts import heading
from nova_ui.components.places_dialog import draw_lines, draw_places
from nova_ui.domain.json_value import JsonObject
from nova_ui.i18n.translator import Translator
from nova_ui.llm.port import Mode
from nova_ui.presenters.ai_places import AiPlacesPresenter, name_in, places_in
from nova_ui.presenters.assistant_words import MODE_TONES, SHORT_MODE_WORDS
from nova_ui.presenters.data_places import NEVER_SENT, sent_lines
from nova_ui.presenters.fields import text_at


class AiPlaces(ui.element):
    """A panel with a line for each assistant that opens to its models, and what is sent to any of them."""

    def __init__(self, presenter: AiPlacesPresenter, tr: Translator) -> None:
        super().__init__("section")
        self._tr = tr
        self._presenter = presenter
        self.classes("nova-panel nova-stack").mark("what-is-sent-where")
        with self:
            title = ui.label(tr("What is sent where")).classes("nova-part__title")
            title.props("role=heading aria-level=2")
            self._users = ui.element("div")
            self._draw_words()
        presenter.changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        self._users.clear()
        with self._users:
            for user in self._presenter.users:
                self._draw_user(user)

    def _draw_user(self, user: JsonObject) -> None:
        tr, places, mode = self._tr, places_in(user), Mode(text_at(user, "mode"))
        with ui.element("details").classes("nova-call").mark(f"places-{text_at(user, 'key')}"):
            with ui.element("summary").classes("nova-call__line"):
                ui.label(name_in(user, tr)).classes("nova-call__title")
                Badge(tr(SHORT_MODE_WORDS[mode]), MODE_TONES[mode])
                if text_at(user, "type") == "ai_routine":
                    Badge(tr("AI routine assistant"), PLAIN)
                if user.get("enabled") is False:
                    Badge(tr("switched off"), PLAIN)
                ui.label(", ".join(dict.fromkeys(tr(one.model) for one in places))).classes("nova-call__arguments")
                ui.icon("chevron_right").classes("nova-call__arrow")
            with ui.element("div").classes("nova-call__body"):
                draw_places(places, tr)

    def _draw_words(self) -> None:
        tr = self._tr
        ui.label(tr("The built-in model runs in this server; nothing leaves it.")).classes("nova-hint")
        heading(tr("What is sent to any other model"), 3)
        draw_lines(sent_lines(tr))
        ui.label(
            tr("“You” is whoever chats; of an AI routine assistant, whose rights it uses. Its task goes with it.")
        ).classes("nova-hint")
        heading(tr("What is never sent"), 3)
        draw_lines(map(tr, NEVER_SENT))
        ui.label(tr("A profile's key goes to its own address and nowhere else.")).classes("nova-hint")
        words = tr("Local means an address of this computer or of a private network; any other counts as external.")
        ui.label(words).classes("nova-hint")
