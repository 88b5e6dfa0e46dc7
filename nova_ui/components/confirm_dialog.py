"""Asks once more before something is deleted on a page."""

from nicegui import ui

from nova_ui.components.buttons import danger_button, quiet_button
from nova_ui.i18n.translator import Translator


async def ask(title: str, text: str, action: str, tr: Translator) -> bool:
    """Show a dialog and return whether `action` was pressed; the other button has the focus."""
    with ui.dialog(value=True) as dialog, ui.card().classes("nova-dialog"):
        ui.label(title).classes("nova-dialog__title")
        ui.label(text).classes("nova-dialog__text")
        with ui.element("div").classes("nova-dialog__buttons"):
            quiet_button(tr("Cancel"), lambda: dialog.submit(None)).props("autofocus")
            danger_button(action, lambda: dialog.submit("yes"))
    answer = await dialog
    dialog.delete()
    return bool(answer == "yes")
