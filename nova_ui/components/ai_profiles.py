"""The profiles of model providers: where data goes, whether a key is set, what a test found out."""

from collections.abc import Callable
from typing import Final

from nicegui import ui

from nova_ui.components.action_dialog import ActionDialogs
from nova_ui.components.badges import BAD, GOOD, PLAIN, Badge
from nova_ui.components.buttons import quiet_button
from nova_ui.components.facts import Facts
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.llm.port import Mode
from nova_ui.presenters.actions import Action
from nova_ui.presenters.ai_configuration import AiConfigurationPresenter
from nova_ui.presenters.ai_places import mode_sentence
from nova_ui.presenters.ai_profile_actions import EXAMPLE_ADDRESSES, KINDS
from nova_ui.presenters.ai_trial_words import trial_sentences
from nova_ui.presenters.assistant_words import MODE_TONES, MODE_WORDS
from nova_ui.presenters.directory_words import text_of_field
from nova_ui.presenters.fields import Field, Shown, refs_at, rows_in, text_at
from nova_ui.presenters.problem_sentences import problem_told
from nova_ui.presenters.turn_parts import moment_of
from nova_ui.presenters.visible import value_text

_KEY: Final = Field(name="api_key", shown=Shown.SECRET)
_NAMES: Final = {"built_in": mark("Built-in model"), "environment": mark("From the server's environment (NOVA_AI_…)")}


class AiProfiles(ui.element):
    """Draws a panel for each profile, anew whenever something changes."""

    def __init__(self, presenter: AiConfigurationPresenter, tr: Translator, dialogs: ActionDialogs) -> None:
        super().__init__("div")
        self.classes("nova-stack")
        self._presenter = presenter
        self._tr = tr
        self._dialogs = dialogs
        presenter.changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        self.clear()
        with self:
            for profile in self._presenter.profiles:
                self._draw_profile(profile)

    def _draw_profile(self, profile: JsonObject) -> None:
        tr, key, mode = self._tr, text_at(profile, "key"), Mode(text_at(profile, "mode"))
        with ui.element("section").classes("nova-panel nova-stack nova-stack--close").mark(f"profile-{key}"):
            with ui.element("div").classes("nova-part__head"):
                name = _NAMES.get(text_at(profile, "source"))
                title = ui.label(tr(name) if name else text_at(profile, "name")).classes("nova-part__title")
                title.props("role=heading aria-level=2")
                Badge(tr(MODE_WORDS[mode]), MODE_TONES[mode])
                if profile.get("is_default") is True:
                    Badge(tr("default"), PLAIN)
                with ui.element("div").classes("nova-part__buttons"):
                    self._draw_buttons(profile, key)
            self._draw_facts(profile)
            self._draw_trial(key, profile)

    def _draw_buttons(self, profile: JsonObject, key: str) -> None:
        tr, presenter = self._tr, self._presenter
        if text_at(profile, "source") != "built_in":
            test = quiet_button(tr("Test connection"), lambda: presenter.try_profile(key), icon="network_check")
            test.mark(f"test-{key}").set_enabled(key not in presenter.trying)
        for action in presenter.actions_for(profile):
            quiet_button(tr(action.label), self._opener(action, profile), icon=action.icon).mark(f"{action.key}-{key}")

    def _opener(self, action: Action, profile: JsonObject) -> Callable[[], object]:
        return lambda: self._dialogs.open(action, profile)

    def _draw_facts(self, profile: JsonObject) -> None:
        tr = self._tr
        if text_at(profile, "source") == "built_in":
            ui.label(tr("Understands set phrases, without a language model. Nothing leaves this server.")).classes(
                "nova-hint"
            )
            ui.label(tr("Temperature and the like are not supported: it always answers the same.")).classes("nova-hint")
            return
        facts = Facts()
        facts.add(tr("Kind"), tr(KINDS.get(text_at(profile, "kind"), text_at(profile, "kind"))))
        facts.add(tr("Address"), value_text(text_at(profile, "base_url")))
        facts.add(tr("Data"), mode_sentence(profile, tr))
        models = profile.get("models")
        facts.add(tr("Models"), ", ".join(str(one) for one in (models if isinstance(models, list) else [])))
        facts.add(tr("Key"), text_of_field(_KEY, profile, tr))
        self._draw_way(facts, profile)
        users = tuple(refs_at(profile, "used_by").values())
        facts.add(tr("Named by"), tr.listed(users) if users else tr("no assistant"))

    def _draw_way(self, facts: Facts, profile: JsonObject) -> None:
        """Say how the address is reached, and what is sent besides, without any value that is secret."""
        tr = self._tr
        if proxy := text_at(profile, "proxy_url"):
            facts.add(tr("Proxy"), value_text(proxy))
        for one in rows_in(profile, "certificates"):
            until = tr.day(moment_of(text_at(one, "expires_at")))
            facts.add(
                tr("Trusted certificate"),
                tr("{subject}, until {until}", subject=value_text(text_at(one, "subject")), until=until),
            )
        names = profile.get("header_names")
        if isinstance(names, list) and names:
            facts.add(tr("More headers"), ", ".join(value_text(str(one)) for one in names))
        parameters = profile.get("parameters")
        present = parameters.items() if isinstance(parameters, dict) else ()
        given = [f"{name} {value}" for name, value in present if value is not None]
        if given:
            facts.add(tr("Parameters"), ", ".join(given))

    def _draw_trial(self, key: str, profile: JsonObject) -> None:
        tr, presenter = self._tr, self._presenter
        if key in presenter.trying:
            ui.label(tr("Asking the model …")).classes("nova-hint").props("role=status")
        if key in presenter.problems:
            told = problem_told(presenter.problems[key], tr)
            NoticeLine(told.text, "error", next_step=told.next_step)
        trial = presenter.trials.get(key)
        if trial is None:
            return
        with ui.element("div").classes("nova-stack").props("role=status"):
            for words, is_good in trial_sentences(trial, profile, tr):
                with ui.element("div").classes("nova-row"):
                    Badge(tr("yes") if is_good else tr("no"), GOOD if is_good else BAD)
                    ui.label(words)
            total = trial.get("total_ms")
            if isinstance(total, int):
                words = tr("{model}: {time} in all", model=text_at(trial, "model"), time=tr.seconds(total))
                ui.label(words).classes("nova-hint")


def draw_examples(tr: Translator) -> None:
    """Show how addresses look, by kind of provider."""
    with ui.element("section").classes("nova-panel nova-stack nova-stack--close"):
        title = ui.label(tr("Example addresses")).classes("nova-part__title")
        title.props("role=heading aria-level=2")
        facts = Facts()
        for kind, address in EXAMPLE_ADDRESSES.items():
            facts.add(tr(KINDS[kind]), address)
        ui.label(tr("Local models usually listen at http://127.0.0.1 with a port of their own.")).classes("nova-hint")
