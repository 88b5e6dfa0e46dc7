"""Which calls need the person's confirmation: the one place that says so (rules C1, C15)."""

from typing import Protocol

from nova_ui.domain.tool import ToolKind


class Kinded(Protocol):
    """A tool, or a line of a tool list."""

    @property
    def kind(self) -> ToolKind:
        """What it does to Nova."""


def needs_confirmation(tool: Kinded, *, every_change: bool = False) -> bool:
    """Whether a call of `tool` runs only once the person has confirmed exactly that call.

    Destructive tools always wait; with `every_change`, which an administrator can demand of an assistant, so does
    every other tool that changes something.
    """
    return tool.kind is ToolKind.DESTRUCTIVE or (every_change and tool.kind is not ToolKind.READ)
