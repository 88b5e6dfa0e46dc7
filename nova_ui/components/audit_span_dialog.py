"""Asks for a span of days."""

from nicegui import ui

from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.put_away import put_away
from nova_ui.i18n.translator import Translator


async def ask_span(since: str, until: str, tr: Translator) -> tuple[str, str] | None:
    """Show a dialog for a first and a last day, either of them open; return what was typed, None if nothing was."""
    title = tr("Entries of which days?")
    # under the page itself: whatever was pressed may be drawn anew while the dialog waits
    with ui.context.client.content, ui.dialog(value=True) as dialog, ui.card().classes("nova-ask"):
        dialog.props["aria-label"] = title
        ui.label(title).classes("nova-ask__title")
        with ui.element("div").classes("nova-ask__pair"):
            first = ui.input(tr("First day"), value=since).props("type=date stack-label autofocus").mark("first-day")
            last = ui.input(tr("Last day"), value=until).props("type=date stack-label").mark("last-day")
        with ui.element("div").classes("nova-ask__buttons"):
            quiet_button(tr("Cancel"), lambda: dialog.submit(None))
            primary_button(tr("Show"), lambda: dialog.submit((first.value, last.value))).mark("show-days")
    answer = await dialog
    put_away(dialog)
    if not isinstance(answer, tuple):
        return None
    given = tuple(day if isinstance(day, str) else "" for day in answer)
    return (given[0], given[1]) if any(given) else None
