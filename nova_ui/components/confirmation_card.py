"""The card *Confirmation required*: what would be executed, what is now, and the two answers (rules C2, C8, C13)."""

from nicegui import background_tasks, events, ui

from nova_ui.components.argument_facts import ArgumentFacts
from nova_ui.components.badges import Badge
from nova_ui.components.buttons import danger_button, quiet_button
from nova_ui.components.countdown import Countdown
from nova_ui.components.expiry import wait_until_over
from nova_ui.components.facts import Facts, heading
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.confirmation import ConfirmationWords
from nova_ui.presenters.turn_parts import Card


class ConfirmationCard(ui.element):
    """Keeps its place and its size when it becomes void; only its foot changes."""

    def __init__(self, card: Card, panel: ChatPanelPresenter) -> None:
        super().__init__("section")
        self._card = card
        self._panel = panel
        self._words = ConfirmationWords(card, panel.tr, panel.names)
        self._typed = ""
        panel.expire(card)  # one of a stored chat may be long over
        self.classes("nova-confirmation").mark("confirmation")
        with self:
            self._head()
            with ui.element("div").classes("nova-confirmation__body"):
                with ui.element("div").classes("nova-confirmation__part"):
                    self._action()
                with ui.element("div").classes("nova-confirmation__part"):
                    self._object()
            self._foot = ui.element("div").classes("nova-confirmation__foot")
        self._draw_foot()
        self._mark_void()
        self._end_subscription = card.changed.subscribe(lambda _: self._changed())
        if card.closed is None:
            left_s = self._words.seconds_left(panel.doors.clock.now())
            background_tasks.create(wait_until_over(self, left_s, lambda: panel.expire(card)))

    def take_focus(self) -> None:
        """Move the focus to the heading, where Enter does nothing."""
        self._heading.run_method("focus")

    def _head(self) -> None:
        tr = self._panel.tr
        with ui.element("div").classes("nova-confirmation__head"):
            ui.icon("warning_amber").classes("nova-confirmation__sign")
            self._heading = ui.label(tr("Confirmation required")).classes("nova-confirmation__heading")
            self._heading.props("role=heading aria-level=2 tabindex=-1")
            self.props["aria-labelledby"] = self._heading.html_id
            self._validity = ui.element("span").classes("nova-chip nova-confirmation__validity")
            if self._card.closed is None:
                with self._validity:
                    Countdown(
                        tr("valid for this reply only · {time}"),  # the browser fills the time in
                        seconds=self._words.seconds_left(self._panel.doors.clock.now()),
                        over=tr("expired"),
                    )

    def _action(self) -> None:
        tr = self._panel.tr
        heading(tr("Action"), 3)
        ui.label(self._words.action).classes("nova-confirmation__action")
        heading(tr("Arguments"), 3)
        if self._words.arguments:
            ArgumentFacts(self._words.arguments, tr)
        else:
            ui.label(tr("none")).classes("nova-confirmation__none")

    def _object(self) -> None:
        tr = self._panel.tr
        heading(tr("Current state"), 3)
        state = self._words.state
        if state is None:
            ui.label(tr("No current state is available.")).classes("nova-confirmation__none")
        else:
            facts = Facts()
            for line in state:
                if line.tone is None:
                    facts.add(line.label, line.value)
                else:
                    with facts.line(line.label):
                        Badge(line.value, line.tone)
        self._changes()
        self._effects()

    def _changes(self) -> None:
        if not self._words.changes:
            return
        tr = self._panel.tr
        heading(tr("What changes"), 3)
        facts = Facts()
        for change in self._words.changes:
            with facts.line(change.label):
                ui.label(change.before).classes("nova-change__before")
                ui.label("→").classes("nova-change__arrow").props["aria-label"] = tr("becomes")
                ui.label(change.after).classes("nova-change__after")

    def _effects(self) -> None:
        if not self._words.effects:
            return
        heading(self._panel.tr("Goes with it"), 3)
        with ui.element("ul").classes("nova-confirmation__effects"):
            for effect in self._words.effects:
                with ui.element("li"):
                    ui.label(f"{effect.text}, {effect.result}" if effect.result else effect.text)
                    if effect.names:
                        ui.label(effect.names).classes("nova-confirmation__names")

    def _draw_foot(self) -> None:
        tr, card = self._panel.tr, self._card
        self._foot.clear()
        with self._foot:
            if card.closed is not None:
                ui.icon("check_circle" if card.closed.value == "executed" else "block")
                ui.label(self._words.void).classes("nova-confirmation__void").props("role=status")
                return
            self._draw_name()
            confirm = danger_button(tr("Confirm and execute"), lambda: self._panel.confirm(card, self._typed))
            confirm.mark("confirm")
            cancel = quiet_button(tr("Cancel"), lambda: self._panel.cancel(card)).mark("cancel")
            confirm.enabled = cancel.enabled = not card.is_pending
            hint = tr("being executed …") if card.is_pending else self._words.other_way
            ui.label(hint).classes("nova-confirmation__hint")

    def _draw_name(self) -> None:
        name = self._words.name_to_type
        if name is None:
            return
        typed = ui.input(self._panel.tr("Type the name to confirm: {name}", name=name), value=self._typed)
        typed.on_value_change(self._name_typed).mark("confirm-name").classes("nova-confirmation__name")
        typed.props("autocomplete=off")

    def _name_typed(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        self._typed = event.value or ""

    def _changed(self) -> None:
        if self.is_deleted:
            self._end_subscription()
            return
        self._mark_void()
        self._draw_foot()

    def _mark_void(self) -> None:
        if self._card.closed is not None:
            self.classes(f"nova-confirmation--void nova-confirmation--{self._card.closed.value}")
            self._validity.visible = False
