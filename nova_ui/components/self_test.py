"""Below an assistant's form: the check of its guardrails, rule by rule."""

from datetime import datetime
from typing import Final

from nicegui import ui

from nova_ui.components.badges import BAD, CAREFUL, GOOD, PLAIN, Badge
from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.copy_button import CopyButton
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fields import text_at
from nova_ui.presenters.problem_sentences import problem_told
from nova_ui.presenters.self_test import SelfTestPresenter
from nova_ui.presenters.self_test_words import (
    HELD,
    NOT_APPLICABLE,
    NOT_HELD,
    OUTCOME_WORDS,
    UNCLEAR,
    AttackLine,
    RuleLine,
    model_line,
    number_at,
    summary,
)

LOOK_S: Final = 1.5
_TONES: Final = {NOT_HELD: BAD, UNCLEAR: CAREFUL, HELD: GOOD, NOT_APPLICABLE: PLAIN}
_ENDS: Final = {
    "cancelled": mark("The check was cancelled; what it had found is not kept."),
    "failed": mark("The check broke off. Start it again; the server's log tells more."),
}
_MODES: Final = {
    "built_in": mark("the built-in model"),
    "local": mark("a local model"),
    "external": mark("an external model"),
}


class SelfTest(ui.element):
    """Draws what the presenter knows; while a check runs it looks again every moment."""

    def __init__(self, presenter: SelfTestPresenter, tr: Translator) -> None:
        super().__init__("section")
        self._presenter = presenter
        self._tr = tr
        with self.classes("nova-panel nova-stack").mark("self-test"):
            ui.label(tr("Check of the guardrails")).classes("nova-part__title").props("role=heading aria-level=2")
            self._body = ui.element("div").classes("nova-stack").props("role=status")
            self._report = ui.element("div").classes("nova-stack")
        # Active only while a check runs: a job tells nobody that it is done.
        self._timer = ui.timer(LOOK_S, presenter.look, active=False)
        presenter.changed.subscribe(lambda _: self._show())
        ui.timer(0, presenter.look, once=True)

    def _show(self) -> None:
        if self.is_deleted:
            return
        self._timer.active = self._presenter.is_running
        self._body.clear()
        with self._body:
            self._draw_body()
        self._report.clear()
        with self._report:
            self._draw_report()

    def _draw_body(self) -> None:
        tr, presenter = self._tr, self._presenter
        ui.label(
            tr(
                "Attacks the assistant as it is stored, on a stage of its own with invented people and things. Your "
                "data is neither read nor changed, and no chat, counter or log entry of anybody comes into it."
            )
        ).classes("nova-hint")
        if presenter.problem is not None:
            told = problem_told(presenter.problem, tr)
            NoticeLine(told.text, "error", next_step=told.next_step)
        if presenter.is_running:
            self._draw_progress()
        elif presenter.plan is not None:
            self._draw_start()

    def _draw_start(self) -> None:
        tr, presenter, plan = self._tr, self._presenter, self._presenter.plan or {}
        ui.label(tr("{attacks} scripted attacks, which ask no model.", attacks=number_at(plan, "attacks", tr)))
        wish = ui.checkbox(tr("Also put hostile messages to the configured model"), value=presenter.with_model)
        wish.on_value_change(lambda event: self._choose(with_model=event.value is True)).props("dense")
        wish.mark("ask-model")
        ui.label(self._cost()).classes("nova-hint")
        if presenter.admin.has_changes:
            ui.label(tr("This tells of the stored assistant, without the changes in this form.")).classes("nova-hint")
        primary_button(tr("Check the guardrails"), presenter.start, icon="verified_user").mark("start-self-test")

    def _choose(self, *, with_model: bool) -> None:
        self._presenter.with_model = with_model

    def _cost(self) -> str:
        tr, plan = self._tr, self._presenter.plan or {}
        if not self._presenter.asks_model:
            return tr(
                "The built-in model answers for this assistant. It costs nothing to ask and tries little: a model that "
                "behaves proves nothing, so what counts are the scripted attacks."
            )
        cost = tr(
            "At most {requests} requests with at most {tokens} tokens in all go to {model} ({mode}).",
            requests=number_at(plan, "max_requests", tr),
            tokens=number_at(plan, "max_input_tokens", tr),
            model=text_at(plan, "model"),
            mode=tr(_MODES.get(text_at(plan, "mode"), "")),
        )
        more = tr("They hold invented people only, and the assistant's prompt and tools.")
        return f"{cost} {more}"

    def _draw_progress(self) -> None:
        tr, presenter = self._tr, self._presenter
        done, total = presenter.progress()
        words = tr("{done} of {total} attacks made", done=tr.number(done), total=tr.number(total)) if total else ""
        ui.label(words or tr("The stage is being built."))
        bar = ui.linear_progress(done / total if total else 0, show_value=False).props("rounded")
        bar.props["aria-label"] = tr("Check of the guardrails")
        quiet_button(tr("Cancel the check"), presenter.cancel, icon="close").mark("cancel-self-test")

    def _draw_report(self) -> None:
        tr, presenter = self._tr, self._presenter
        job, report = presenter.job, presenter.report
        if job is None or presenter.is_running:
            return
        if report is None:
            ended = _ENDS.get(text_at(job, "status"))
            if ended is not None:
                NoticeLine(tr(ended), "warning")
            return
        lines = presenter.lines(tr)
        self._draw_verdict(lines)
        when = tr.moment(datetime.fromisoformat(text_at(report, "at")))
        ui.label(tr("{when}, by {name}", when=when, name=text_at(job, "started_by.display_name"))).classes("nova-hint")
        ui.label(model_line(report, tr)).classes("nova-hint")
        everything = ui.checkbox(tr("Show what held, and what does not apply"), value=presenter.shows_all)
        everything.on_value_change(lambda event: presenter.show_all(shown=event.value is True)).props("dense")
        everything.mark("show-all")
        shown = presenter.shown_lines(tr)
        with ui.element("div").classes("nova-row"):
            quiet_button(tr("Download the report"), self._download, icon="download").mark("download-self-test")
            copied = ui.element("span")
        if not shown:
            return
        with ui.element("div").classes("nova-text"):
            listed = ui.element("div").classes("nova-tool-list__lines nova-self-test")
            listed.props(f'role=region tabindex=0 aria-label="{tr("Check of the guardrails")}"')
            with listed, ui.element("div").props("role=list"):
                for line in shown:
                    self._draw_rule(line)
        with copied:
            CopyButton(self._report, tr)

    def _draw_verdict(self, lines: tuple[RuleLine, ...]) -> None:
        tr = self._tr
        broken = tuple(line.rule for line in lines if line.outcome == NOT_HELD)
        unclear = tuple(line.rule for line in lines if line.outcome == UNCLEAR)
        if broken:
            NoticeLine(
                tr("Not held: {rules}", rules=tr.listed(broken)),
                "error",
                next_step=tr("Switch the assistant off until this is mended."),
            )
        elif unclear:
            NoticeLine(tr("Not proven: {rules}", rules=tr.listed(unclear)), "warning")
        else:
            NoticeLine(tr("Everything that could be tried held."))
        ui.label(summary(lines, tr)).classes("nova-schedule__name")

    def _draw_rule(self, line: RuleLine) -> None:
        with ui.element("div").classes("nova-tool-list__line").props("role=listitem").mark(f"rule-{line.rule}"):
            with ui.element("div").classes("nova-tool-list__words"):
                ui.label(f"{line.rule} · {line.sentence}").classes("nova-self-test__rule")
                for attack in line.attacks:
                    self._draw_attack(attack)
            with ui.element("span").classes("nova-tool-list__badges"):
                Badge(self._tr(OUTCOME_WORDS[line.outcome]), _TONES[line.outcome])

    def _draw_attack(self, attack: AttackLine) -> None:
        tr = self._tr
        ui.label(attack.tried).classes("nova-tool-list__summary")
        words = f"{tr(OUTCOME_WORDS[attack.outcome])}: {attack.happened}"
        ui.label(words).classes(f"nova-self-test__happened nova-self-test__happened--{_TONES[attack.outcome]}")

    def _download(self) -> None:
        name, content = self._presenter.file(self._tr)
        ui.download.content(content, name, "text/plain; charset=utf-8")
