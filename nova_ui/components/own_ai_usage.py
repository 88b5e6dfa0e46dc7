"""One's own usage of models: a part of the own settings, and one quiet line in the chat."""

from nicegui import background_tasks, ui

from nova_ui.components.facts import heading
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.own_ai_usage import OwnAiUsagePresenter, share_of


class OwnAiUsage(ui.element):
    """What was used this month, and how much of each budget."""

    def __init__(self, presenter: OwnAiUsagePresenter) -> None:
        super().__init__("section")
        self._presenter = presenter
        self.classes("nova-panel nova-stack").mark("own-ai-usage")
        with self:
            heading(presenter.tr("AI usage"))
            self._lines = ui.element("div").classes("nova-stack")
        presenter.changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        presenter = self._presenter
        self._lines.clear()
        with self._lines:
            ui.label(presenter.month_words())
            for budget in presenter.budgets:
                with ui.element("div"):
                    ui.label(presenter.budget_words(budget))
                    bar = ui.linear_progress(min(1.0, share_of(budget)), show_value=False, color="primary")
                    bar.props["aria-label"] = presenter.budget_words(budget)
                    ui.label(presenter.begins_anew(budget)).classes("nova-hint")
            if not presenter.budgets:
                ui.label(presenter.tr("No budget is set for you.")).classes("nova-hint")


class BudgetLine(ui.element):
    """Above the composer, and seen only when most of a budget is used; looked up when a chat opens and a turn ends."""

    def __init__(self, panel: ChatPanelPresenter, presenter: OwnAiUsagePresenter) -> None:
        super().__init__("div")
        self._panel = panel
        self._presenter = presenter
        self._was_running = False
        with self.classes("nova-elsewhere nova-budget-line").props("role=status").mark("budget-line"):
            self._words = ui.label().classes("nova-elsewhere__text")
        self.visible = False
        presenter.changed.subscribe(lambda _: self._show())
        panel.rearranged.subscribe(lambda _: self._look())
        panel.composer_changed.subscribe(lambda _: self._turn_changed())

    def _turn_changed(self) -> None:
        is_running = self._panel.running is not None
        if self._was_running and not is_running:
            self._look()
        self._was_running = is_running

    def _look(self) -> None:
        if not self.is_deleted:
            background_tasks.create(self._presenter.load(), context=self, name="look at the budget")

    def _show(self) -> None:
        if self.is_deleted:
            return
        assistant = self._panel.assistant
        self._words.text = self._presenter.warning("" if assistant is None else assistant.key)
        self.visible = bool(self._words.text)
