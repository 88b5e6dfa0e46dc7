"""Asks once more before something is deleted or lost on a page."""

from nicegui import ui

from nova_ui.components.buttons import danger_button, quiet_button
from nova_ui.components.put_away import put_away
from nova_ui.i18n.translator import Translator


async def ask(title: str, text: str, action: str, tr: Translator) -> bool:
    """Show a dialog and return whether `action` was pressed; the other button has the focus, Esc means no."""
    # under the page itself: whatever was pressed may be drawn anew while the dialog waits
    with ui.context.client.content, ui.dialog(value=True) as dialog, ui.card().classes("nova-ask"):
        dialog.props["aria-label"] = title
        ui.label(title).classes("nova-ask__title")
        ui.label(text).classes("nova-ask__text")
        with ui.element("div").classes("nova-ask__buttons"):
            quiet_button(tr("Cancel"), lambda: dialog.submit(None)).props("autofocus").mark("keep")
            danger_button(action, lambda: dialog.submit("yes")).mark("agree")
    answer = await dialog
    put_away(dialog)
    return bool(answer == "yes")
