"""Asks for another title of a chat."""

from nicegui import ui

from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.put_away import put_away
from nova_ui.i18n.translator import Translator

MAX_TITLE_CHARS = 200


async def ask_title(present: str, tr: Translator) -> str:
    """Show a dialog with the present title; return what was typed without outer blanks, nothing on Cancel or Esc."""
    heading = tr("Rename chat")
    # under the page itself: whatever was pressed may be drawn anew while the dialog waits
    with ui.context.client.content, ui.dialog(value=True) as dialog, ui.card().classes("nova-ask"):
        dialog.props["aria-label"] = heading
        ui.label(heading).classes("nova-ask__title")
        title = ui.input(tr("Title"), value=present).mark("chat-title")
        title.props(f"autofocus maxlength={MAX_TITLE_CHARS}").on("keydown.enter", lambda: dialog.submit(title.value))
        with ui.element("div").classes("nova-ask__buttons"):
            quiet_button(tr("Cancel"), lambda: dialog.submit(None))
            rename = primary_button(tr("Rename"), lambda: dialog.submit(title.value)).mark("rename")
            rename.bind_enabled_from(title, "value", lambda value: bool(str(value or "").strip()))
    answer = await dialog
    put_away(dialog)
    return answer.strip() if isinstance(answer, str) else ""
