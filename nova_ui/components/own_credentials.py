"""The person's password and second factor, each with what is asked before it changes."""

from nicegui import ui

from nova_ui.components.buttons import danger_button, primary_button, quiet_button
from nova_ui.components.facts import heading
from nova_ui.components.fresh_sign_in import SecretDialog, ask_fresh_sign_in, secret_field
from nova_ui.components.put_away import put_away
from nova_ui.presenters.own_credentials import CredentialsPresenter, NewApp
from nova_ui.presenters.problem_words import Told


class OwnPassword(ui.element):
    """Three fields and a button; every other session ends."""

    def __init__(self, presenter: CredentialsPresenter) -> None:
        super().__init__("section")
        tr = presenter.tr
        self._presenter = presenter
        self.classes("nova-panel nova-stack").mark("own-password")
        with self:
            heading(tr("Password"))
            self._current = secret_field(tr("Current password"), "current-password").mark("current-password")
            self._new = secret_field(tr("New password"), "new-password").mark("new-password")
            self._repeated = secret_field(tr("Repeat password"), "new-password").mark("repeated-password")
            self._problem = ui.label().classes("nova-problem").props("role=alert")
            primary_button(tr("Change password"), self._change).mark("change-password")
        presenter.changed.subscribe(lambda _: self._hint())

    def _hint(self) -> None:
        if not self.is_deleted:
            tr, chars = self._presenter.tr, self._presenter.min_password_chars
            self._new.props["hint"] = tr("At least {min_chars} characters.", min_chars=chars)

    async def _change(self) -> None:
        fields = (self._current, self._new, self._repeated)
        problem = await self._presenter.change_password(*(str(one.value or "") for one in fields))
        if self.is_deleted:
            return
        self._problem.text = problem
        if not problem:
            for one in fields:
                one.value = ""
            ui.notify(
                self._presenter.tr("Password changed. You are signed out everywhere else."),
                type="positive",
                position="top",
            )


class OwnSecondFactor(ui.element):
    """Set up, replace or remove the authenticator app; new recovery codes."""

    def __init__(self, presenter: CredentialsPresenter) -> None:
        super().__init__("section")
        self._presenter = presenter
        self.classes("nova-panel nova-stack").mark("own-factor")
        presenter.changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        tr, presenter = self._presenter.tr, self._presenter
        self.clear()
        with self:
            heading(tr("Second factor"))
            if "totp" not in presenter.methods:
                ui.label(
                    tr("Besides the password, signing in can ask for a code of an app on your phone.")
                    if presenter.may_enrol
                    else tr("The sign-in policy asks for no second factor.")
                )
                if presenter.may_enrol:
                    primary_button(tr("Set up authenticator app"), self._set_up).mark("set-up-app")
                return
            ui.label(
                tr.plural(
                    "Your authenticator app is set up. One recovery code is left.",
                    "Your authenticator app is set up. {count} recovery codes are left.",
                    presenter.codes_left,
                )
            )
            with ui.element("div").classes("nova-row"):
                quiet_button(tr("New recovery codes"), self._new_codes).mark("new-codes")
                quiet_button(tr("Replace app"), self._set_up).mark("replace-app")
                if not presenter.is_required:
                    danger_button(tr("Remove app"), self._remove).mark("remove-app")

    async def _set_up(self) -> None:
        if not await self._is_fresh():
            return
        begun = await self._presenter.begin()
        if isinstance(begun, Told):
            ui.notify(begun.text, type="warning", position="top")
            return
        with ui.context.client.content:
            dialog = _AppDialog(self._presenter, begun)
        await dialog
        codes = dialog.codes
        put_away(dialog)
        if codes:
            await self._show_codes(codes)

    async def _new_codes(self) -> None:
        if not await self._is_fresh():
            return
        codes = await self._presenter.new_codes()
        if isinstance(codes, Told):
            ui.notify(codes.text, type="warning", position="top")
            return
        await self._show_codes(codes)

    async def _remove(self) -> None:
        if not await self._is_fresh():
            return
        problem = await self._presenter.remove()
        if problem:
            ui.notify(problem, type="warning", position="top")

    async def _is_fresh(self) -> bool:
        presenter = self._presenter
        return await ask_fresh_sign_in(presenter, asks_code="totp" in presenter.methods)

    async def _show_codes(self, codes: tuple[str, ...]) -> None:
        tr = self._presenter.tr
        with ui.context.client.content, SecretDialog(tr("Recovery codes")) as dialog, dialog.body:
            ui.label(
                tr(
                    "Keep these recovery codes where you find them without your app. Each signs you in once. "
                    "They are shown only now."
                )
            )
            with ui.element("div").classes("nova-codes").mark("recovery-codes"):
                for code in codes:
                    ui.label(code).classes("nova-code")
            primary_button(tr("I have kept them"), lambda: dialog.submit("done")).mark("codes-kept")
        await dialog
        put_away(dialog)


class _AppDialog(SecretDialog):
    """The picture, the key, and the field for the first code."""

    def __init__(self, presenter: CredentialsPresenter, app: NewApp) -> None:
        super().__init__(presenter.tr("Set up the second factor"))
        tr = presenter.tr
        self._presenter = presenter
        self.codes: tuple[str, ...] = ()
        with self.body:
            ui.label(tr("Scan the picture with an authenticator app, then enter the code that it shows."))
            svg = ui.element("svg").classes("nova-qr")
            svg.props["viewBox"] = f"0 0 {app.picture.size} {app.picture.size}"
            svg.props["role"] = "img"
            svg.props["aria-label"] = tr("QR code for the authenticator app")
            with svg:
                path = ui.element("path")
                path.props["d"] = app.picture.path
            ui.label(tr("Or enter this key by hand:"))
            ui.label(app.key).classes("nova-code").mark("app-key")
            self._code = ui.input(tr("Code")).props("autocomplete=one-time-code inputmode=numeric maxlength=10")
            self._code.mark("app-code")
            self._problem = ui.label().classes("nova-problem").props("role=alert")
            with ui.element("div").classes("nova-dialog__buttons"):
                quiet_button(tr("Cancel"), lambda: self.submit(None))
                primary_button(tr("Confirm"), self._confirm).mark("confirm-app")

    async def _confirm(self) -> None:
        outcome = await self._presenter.confirm_app(str(self._code.value or ""))
        if self.is_deleted:
            return
        if isinstance(outcome, Told):
            self._problem.text = outcome.text
            return
        self.codes = outcome
        self.submit("done")
