"""Asks for the password again, before what a stolen session must not do."""

import json
from typing import Final, Protocol

from nicegui import ui

from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fresh_sign_in import EnteredAgain

_NOT_RENEWED: Final = mark("The session could not be renewed. Please load the page again and repeat this.")
_RENEW_S: Final = 15.0
_RENEW: Final = """
return fetch((window.path_prefix || "") + "/session-renewal", {
  method: "POST", redirect: "error", body: new URLSearchParams({renewal: %s}),
}).then((answer) => answer.ok, () => false)
"""


class FreshSignIn(Protocol):
    """Who enters the password again, and in which language."""

    tr: Translator

    async def confirm_sign_in(self, password: str, code: str) -> EnteredAgain:
        """Enter it."""


class SecretDialog(ui.dialog):
    """A dialog that a press beside it does not close, since what it shows is shown once; `body` is its place."""

    def __init__(self, title: str) -> None:
        super().__init__(value=True)
        self.props("persistent")
        self.props["aria-label"] = title
        with self, ui.card().classes("nova-ask") as self.body:
            ui.label(title).classes("nova-ask__title").props("role=heading aria-level=2")


def secret_field(label: str, autocomplete: str) -> ui.input:
    """Draw a field whose text is not shown; `autocomplete` tells password managers what it is."""
    field = ui.input(label, password=True, password_toggle_button=True)
    return field.props(f"autocomplete={autocomplete} maxlength=256").classes("nova-stretch")


async def renewed(ticket: str) -> bool:
    """Have this page's browser fetch the new token of its session, which alone counts from then on."""
    try:
        return await ui.run_javascript(_RENEW % json.dumps(ticket), timeout=_RENEW_S) is True
    except TimeoutError:  # the browser is gone, or away
        return False


async def ask_fresh_sign_in(person: FreshSignIn, *, asks_code: bool) -> bool:
    """Ask for the password and, where there is one, a code; return whether it was entered rightly."""
    tr = person.tr
    with ui.context.client.content, SecretDialog(tr("Enter your password again")) as dialog, dialog.body:
        ui.label(tr("For what you are about to do, a session alone is not enough. This holds for five minutes."))
        password = secret_field(tr("Password"), "current-password").mark("fresh-password")
        code = ui.input(tr("Code")).props("autocomplete=one-time-code maxlength=32").mark("fresh-code")
        code.visible = asks_code
        problem = ui.label().classes("nova-problem").props("role=alert")

        async def enter() -> None:
            entered = await person.confirm_sign_in(str(password.value or ""), str(code.value or ""))
            if dialog.is_deleted:
                return
            if entered.problem:
                problem.text = entered.problem
                code.visible = True
                return
            if not await renewed(entered.renewal):
                problem.text = tr(_NOT_RENEWED)
                return
            dialog.submit("fresh")

        with ui.element("div").classes("nova-dialog__buttons"):
            quiet_button(tr("Cancel"), lambda: dialog.submit(None))
            primary_button(tr("Continue"), enter).mark("fresh-continue")
    answer = await dialog
    if not dialog.is_deleted:  # with its page
        dialog.delete()
    return bool(answer == "fresh")
