"""Dialogs that were answered."""

from nicegui import ui


def put_away(dialog: ui.dialog) -> None:
    """Take an answered dialog off its page; one whose page was left meanwhile has gone with it."""
    if not dialog.is_deleted:
        dialog.delete()
