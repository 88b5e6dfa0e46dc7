"""A secret that can be set, replaced and cleared, and is never shown."""

from nicegui import ui

from nova_ui.components.buttons import quiet_button
from nova_ui.domain.json_value import JsonValue
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.directory_words import moment_in
from nova_ui.presenters.object_form import Cleared


class SecretInput(ui.input):
    """Empty, whatever is stored; below it stands whether something is, and since when."""

    def __init__(self, label: str, stored: JsonValue, tr: Translator) -> None:
        super().__init__(label=label, password=True)
        self._tr = tr
        self._is_set = isinstance(stored, dict) and stored.get("set") is True
        self._since = moment_in(stored.get("updated_at")) if isinstance(stored, dict) else None
        self._is_cleared = False
        self.props("outlined dense autocomplete=new-password spellcheck=false bottom-slots")
        if self._is_set:
            with self.add_slot("after"):
                self._clear = quiet_button(tr("Clear"), self._toggle).mark("clear-secret")
        self.on_value_change(lambda: self._set_cleared(value=False) if self.value else None)
        self._show_hint()

    @property
    def entered(self) -> str | Cleared:
        """What is to become of the secret: an empty text leaves it as it is."""
        return Cleared.CLEARED if self._is_cleared else str(self.value or "")

    def _toggle(self) -> None:
        if not self._is_cleared:
            self.set_value("")
        self._set_cleared(value=not self._is_cleared)

    def _set_cleared(self, *, value: bool) -> None:
        self._is_cleared = value
        if self._is_set:
            self._clear.text = self._tr("Keep") if value else self._tr("Clear")
        self._show_hint()

    def _show_hint(self) -> None:
        tr = self._tr
        if self._is_cleared:
            hint = tr("Will be cleared when you save.")
        elif not self._is_set:
            hint = tr("Not set.")
        elif self._since is None:
            hint = tr("Set. Type to replace it, or leave it empty to keep it.")
        else:
            hint = tr("Set on {day}. Type to replace it, or leave it empty to keep it.", day=self._since.date())
        self.props["hint"] = hint
        self.update()
