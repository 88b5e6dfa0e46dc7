"""Buttons that copy: an answer as it is shown, or what the server has at an address."""

from nicegui import ui
from nicegui.element import Element

from nova_ui.i18n.translator import Translator


class CopyButton(Element, component="copy_button.js"):
    """Copies all model texts within `source`."""

    def __init__(self, source: ui.element, tr: Translator) -> None:
        super().__init__()
        self.props.update({"label": tr("Copy"), "done": tr("Copied"), "target": source.html_id})


class CopyFrom(Element, component="copy_button.js"):
    """Copies what stands at an address of this server, which is fetched only when it is pressed."""

    def __init__(self, address: str, label: str, tr: Translator) -> None:
        super().__init__()
        self.props.update({"label": label, "done": tr("Copied"), "address": address})
