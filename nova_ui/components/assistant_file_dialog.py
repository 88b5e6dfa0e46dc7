"""Asks for the file of an assistant."""

from nicegui import events, ui

from nova_ui.components.buttons import quiet_button
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_file import MAX_FILE_BYTES


class AssistantFileDialog(ui.dialog):
    """Awaited, it is the content of the chosen file, or None."""

    def __init__(self, tr: Translator) -> None:
        super().__init__()
        with self, ui.card().classes("nova-dialog"):
            ui.label(tr("Import an assistant")).classes("nova-part__title").props("role=heading aria-level=2")
            ui.label(tr("Choose a file that “Export” has made here or in another Nova."))
            upload = ui.upload(
                label=tr("File (JSON)"),
                auto_upload=True,
                max_files=1,
                max_file_size=MAX_FILE_BYTES,
                on_upload=self._read,
            )
            upload.props("accept=.json flat bordered").classes("nova-stretch").mark("assistant-file")
            upload.on_rejected(lambda: ui.notify(tr("The file is too long."), type="negative", position="top"))
            with ui.element("div").classes("nova-dialog__buttons"):
                quiet_button(tr("Cancel"), lambda: self.submit(None))

    async def _read(self, event: events.UploadEventArguments) -> None:
        self.submit(await event.file.read())
