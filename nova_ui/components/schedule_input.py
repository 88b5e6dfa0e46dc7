"""Chooses when something comes round: daily at two, every Monday, or an expression of cron's for everything else."""

from nicegui import ui

from nova_ui.i18n.translator import Translator
from nova_ui.presenters.schedule_plan import (
    LAST_DAY,
    RHYTHMS,
    WEEKDAYS,
    Plan,
    Rhythm,
    plan_of,
    read_time,
)
from nova_ui.presenters.schedule_words import plan_words, weekday_name

_DAYS = 28


class ScheduleInput(ui.element):
    """A rhythm and what it needs to be complete; below stands what that comes to."""

    def __init__(self, label: str, expression: str, tr: Translator) -> None:
        super().__init__("fieldset")
        self._tr = tr
        self._first = expression
        plan = plan_of(expression)
        with self.classes("nova-schedule"):
            with ui.element("legend").classes("nova-schedule__label"):
                ui.label(label)
            with ui.element("div").classes("nova-schedule__row"):
                self._draw(plan)
            self._said = ui.label().classes("nova-hint").props("role=status").mark("schedule-said")
            self._problem = ui.label().classes("nova-schedule__problem").props("role=alert")
        self._show()

    @property
    def entered(self) -> str:
        """The schedule as cron has it; what is incomplete is empty."""
        entered = self._read()
        # What was written in another way and means the same was not changed.
        return self._first if plan_of(self._first) == plan_of(entered) else entered

    def _read(self) -> str:
        rhythm = Rhythm(self._rhythm.value or Rhythm.CUSTOM)
        if rhythm is Rhythm.CUSTOM:
            return str(self._cron.value or "").strip()
        time = read_time(str(self._time.value or ""))
        if rhythm is Rhythm.HOURLY:
            hourly = plan_of(f"{str(self._minute.value or '0').removesuffix('.0')} * * * *")
            return hourly.expression if hourly.rhythm is rhythm else ""
        if time is None:
            return ""
        weekday, day = str(self._weekday.value or "MON"), str(self._day.value or "1")
        return Plan(rhythm=rhythm, hour=time[0], minute=time[1], weekday=weekday, day=day).expression

    def show_problem(self, text: str) -> None:
        """Show below what is wrong with it; an empty text takes that away."""
        self._problem.set_text(text)
        self._problem.set_visibility(bool(text))

    def _draw(self, plan: Plan) -> None:
        tr = self._tr
        rhythms = {str(key): tr(word) for key, word in RHYTHMS.items()}
        self._rhythm = ui.select(rhythms, label=tr("How often"), value=str(plan.rhythm)).mark("schedule-rhythm")
        days = {str(day): str(day) for day in range(1, _DAYS + 1)} | {LAST_DAY: tr("last day")}
        self._day = ui.select(days, label=tr("Day"), value=plan.day)
        weekdays = {key: weekday_name(key, tr) for key in WEEKDAYS}
        self._weekday = ui.select(weekdays, label=tr("Weekday"), value=plan.weekday)
        self._time = ui.input(tr("Time"), value=plan.time).props("type=time stack-label").mark("schedule-time")
        self._minute = ui.input(tr("Minute"), value=str(plan.minute)).props("type=number min=0 max=59")
        self._cron = ui.input(tr("As cron has it"), value=plan.text or plan.expression)
        self._cron.props("spellcheck=false input-class=nova-literal").mark("schedule-text")
        for control in (self._rhythm, self._day, self._weekday, self._time, self._minute, self._cron):
            control.props("outlined dense")
            control.on_value_change(self._show)

    def _show(self) -> None:
        rhythm = Rhythm(self._rhythm.value or Rhythm.CUSTOM)
        self._day.set_visibility(rhythm is Rhythm.MONTHLY)
        self._weekday.set_visibility(rhythm is Rhythm.WEEKLY)
        self._time.set_visibility(rhythm not in {Rhythm.HOURLY, Rhythm.CUSTOM})
        self._minute.set_visibility(rhythm is Rhythm.HOURLY)
        self._cron.set_visibility(rhythm is Rhythm.CUSTOM)
        plan = plan_of(self.entered)
        self._said.set_text("" if plan.rhythm is Rhythm.CUSTOM else plan_words(plan, self._tr))
        self.show_problem("")
