"""Below an assistant's tool list: what it allows in words, the smallest list, and what it could do for somebody."""

from typing import Final

from nicegui import events, ui

from nova_ui.components.badges import BAD, CAREFUL, GOOD, Badge
from nova_ui.components.buttons import quiet_button
from nova_ui.components.notices import NoticeLine
from nova_ui.components.object_select import ObjectSelect
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_insight import VERDICT_WORDS, AssistantInsightPresenter, ToolVerdict
from nova_ui.presenters.fields import text_at, texts_at
from nova_ui.presenters.problem_sentences import problem_told
from nova_ui.presenters.tool_allowance import allowance_sentences, too_many

_TONES: Final = {"allowed": GOOD, "needs_confirmation": CAREFUL, "refused": BAD}


class AssistantInsight(ui.element):
    """Draws what the presenter knows about the assistant in the form."""

    def __init__(self, presenter: AssistantInsightPresenter, tr: Translator) -> None:
        super().__init__("section")
        self._presenter = presenter
        self._tr = tr
        self._titles = {tool.name: tr(tool.title) for tool in presenter.admin.tools}
        with self.classes("nova-tool-list"):
            with ui.element("section").classes("nova-panel"):
                self._heading(tr("What this list allows"))
                self._allows = ui.element("div").classes("nova-stack").props("role=status").mark("allows")
            with ui.element("section").classes("nova-panel"):
                self._heading(tr("The smallest list for the prompt starters"))
                self._smallest = ui.element("div").classes("nova-stack")
            with ui.element("section").classes("nova-panel"):
                self._heading(tr("What could this assistant do for somebody?"))
                self._draw_question()
                self._forecast = ui.element("div").classes("nova-stack").props("role=status")
        self._show()
        presenter.admin.tools_changed.subscribe(lambda _: self._show_allowance())
        presenter.admin.draft_changed.subscribe(lambda _: self._show())
        presenter.changed.subscribe(lambda _: self._show())

    def _heading(self, words: str) -> None:
        ui.label(words).classes("nova-part__title").props("role=heading aria-level=2")

    def _show(self) -> None:
        if self.is_deleted:
            return
        self._show_allowance()
        self._smallest.clear()
        with self._smallest:
            self._draw_smallest()
        self._forecast.clear()
        with self._forecast:
            self._draw_forecast()

    def _show_allowance(self) -> None:
        if self.is_deleted:
            return
        admin, tr = self._presenter.admin, self._tr
        released = [tool for tool in admin.tools if admin.is_released(tool.name)]
        self._allows.clear()
        with self._allows:
            asks = admin.draft is not None and admin.draft.ask_before_changes
            for words in allowance_sentences(released, tr, every_change=asks):
                ui.label(words)
            warning = too_many(len(released), tr)
            is_preset = admin.draft is not None and admin.draft.is_preset
            if warning is not None and not is_preset:
                NoticeLine(warning, "warning", next_step=tr("Short lists are safer: release what is needed."))

    def _draw_smallest(self) -> None:
        tr, presenter = self._tr, self._presenter
        ui.label(tr("Computed from the stored prompt starters, as the built-in model understands them.")).classes(
            "nova-hint"
        )
        quiet_button(tr("Propose a list"), presenter.find_smallest, icon="compress").mark("find-smallest")
        proposal = presenter.proposal
        if proposal is None:
            return
        names = texts_at(proposal, "tool_names")
        for words, lacking in presenter.lacking():
            text = tr("“{starter}” needs what is not released: {tools}", starter=words, tools=tr.listed(lacking))
            NoticeLine(text, "warning", next_step=tr("Release it, or take the starter out."))
        if not names:
            ui.label(tr("No prompt starter is there that the built-in model understands."))
        else:
            ui.label(
                tr.plural(
                    "{count} tool is needed: {tools}",
                    "{count} tools are needed: {tools}",
                    len(names),
                    tools=tr.listed(names),
                )
            )
        for words in presenter.unclear_starters():
            ui.label(tr("Not clear what this needs: “{starter}”", starter=words)).classes("nova-hint")
        draft = presenter.admin.draft
        if names and draft is not None and not draft.is_preset:
            quiet_button(tr("Tick only these tools"), presenter.take_proposal, icon="checklist").mark("take-smallest")
            ui.label(tr("Nothing is stored before you press “Save”.")).classes("nova-hint")

    def _draw_question(self) -> None:
        tr, presenter = self._tr, self._presenter
        person = ObjectSelect(
            presenter.admin.nova,
            "person",
            label=tr("Identity"),
            chosen={},
            several=False,
            hint=tr("Type two letters to search"),
        )
        person.on_value_change(self._person_chosen).classes("nova-edit__wide").mark("foresee-for")
        unlisted = ui.checkbox(tr("Show tools that are not on the list too"), value=presenter.shows_unlisted)
        unlisted.on_value_change(lambda event: presenter.show_unlisted(shown=event.value is True)).props("dense")

    async def _person_chosen(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        if isinstance(event.value, str):
            await self._presenter.foresee(event.value)

    def _draw_forecast(self) -> None:
        tr, presenter = self._tr, self._presenter
        if presenter.problem is not None:
            told = problem_told(presenter.problem, tr)
            NoticeLine(told.text, "error", next_step=told.next_step)
        if presenter.forecast is None:
            return
        counts = [f"{presenter.count(verdict)} {tr(words)}" for verdict, words in VERDICT_WORDS.items()]
        name = text_at(presenter.forecast, "identity.display_name")
        ui.label(tr("{name}: {counts}", name=name, counts=" · ".join(counts))).classes("nova-schedule__name")
        if not presenter.is_stored:
            ui.label(tr("This tells of the stored assistant, without the changes in this form.")).classes("nova-hint")
        with ui.element("div").classes("nova-tool-list__lines nova-forecast").props("role=list"):
            for one in presenter.verdicts():
                self._draw_verdict(one)

    def _draw_verdict(self, one: ToolVerdict) -> None:
        tr = self._tr
        with ui.element("div").classes("nova-tool-list__line").props("role=listitem").mark(f"verdict-{one.tool}"):
            with ui.element("div").classes("nova-tool-list__words"):
                ui.label(one.tool).classes("nova-tool-list__name")
                words = tr(one.why) if one.why else self._titles.get(one.tool, "")
                ui.label(words).classes("nova-tool-list__summary")
            with ui.element("span").classes("nova-tool-list__badges"):
                if one.rule:
                    Badge(one.rule)
                Badge(tr(VERDICT_WORDS[one.verdict]), _TONES[one.verdict])
