"""A button that copies an answer as it is shown."""

from nicegui import ui
from nicegui.element import Element

from nova_ui.i18n.translator import Translator


class CopyButton(Element, component="copy_button.js"):
    """Copies all model texts within `source`."""

    def __init__(self, source: ui.element, tr: Translator) -> None:
        super().__init__()
        self.props.update({"label": tr("Copy"), "done": tr("Copied"), "target": source.html_id})
