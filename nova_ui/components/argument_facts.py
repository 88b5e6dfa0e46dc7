"""The arguments of a call, each with its exact value and the names of the ids in it."""

from collections.abc import Iterable

from nicegui import ui

from nova_ui.components.facts import Facts
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.argument_words import ArgumentLine


class ArgumentFacts(Facts):
    """A value that is not given is told from one that is empty."""

    def __init__(self, lines: Iterable[ArgumentLine], tr: Translator) -> None:
        super().__init__(literal=True)
        for line in lines:
            with self.line(line.label):
                if line.value:
                    ui.label(line.value).classes("nova-facts__text")
                else:
                    ui.label(tr("not given")).classes("nova-facts__absent")
                if line.names:
                    ui.label(line.names).classes("nova-facts__name")
