"""A rule over identities, with a button that tells whom it finds before anything is kept."""

from nicegui import ui

from nova_ui.components.buttons import quiet_button
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import NovaCalls
from nova_ui.presenters.rule_check import Broken, check_rule


class RuleInput(ui.textarea):
    """The text; what the check found stands below it until the text changes."""

    def __init__(self, nova: NovaCalls, label: str, value: str, tr: Translator) -> None:
        super().__init__(label=label, value=value)
        self._nova = nova
        self._tr = tr
        self._number = 0
        self.props("outlined dense autogrow spellcheck=false autocapitalize=off input-class=nova-literal")
        self.props["hint"] = tr('Such as: department eq "Sales" and user_type eq "employee"')
        with ui.element("div").classes("nova-rule"):
            quiet_button(tr("Check rule"), self.check, icon="rule").mark("check-rule")
            self._found = ui.element("div").classes("nova-rule__found").props("role=status")
        self.on_value_change(self._forget)

    async def check(self) -> None:
        """Show whom the rule finds, or where it breaks; an answer that was overtaken is dropped."""
        self._number += 1
        number, rule = self._number, str(self.value or "")
        told = await check_rule(self._nova, rule, self._tr)
        if number != self._number or self.is_deleted:
            return
        self._found.clear()
        if isinstance(told, Broken):
            self.show_problem(told.text)
            return
        self.show_problem("")
        with self._found:
            ui.label(told.text).classes("nova-rule__count").mark("rule-count")
            if told.names:
                with ui.element("ul").classes("nova-rule__names"):
                    for name in told.names:
                        with ui.element("li"):
                            ui.label(name)
                if told.is_cut:
                    ui.label(self._tr("These are the first by name.")).classes("nova-hint")

    def show_problem(self, text: str) -> None:
        """Show under the field what is wrong with it; an empty text takes that away."""
        self.props["error"] = bool(text)
        self.props["error-message"] = text
        self.update()

    def _forget(self) -> None:
        self._number += 1
        self._found.clear()
        self.show_problem("")
