"""One's own password and second factor on the page of own settings."""

from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.qr_code import QrCode, qr_code_of
from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem, NovaUiError
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fresh_sign_in import EnteredAgain, enter_again
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.presenters.problem_words import Told, told
from nova_ui.reactive import Event

_NOT_TAKEN: Final = mark("The sign-in policy does not take this password: too short, easy to guess, or used before.")
_CODES: Final = {
    "fresh_sign_in_required": mark("Please enter your password again first."),
    "sign_in_failed": mark("Password or code is not correct."),
    "second_step_required": mark("Please enter a code of your authenticator app as well."),
    "wrong_password": mark("The current password is not correct."),
    "wrong_code": mark("The code is not correct. Enter the one that the app shows now."),
    "password_refused": mark(
        "The sign-in policy does not take this password: too short, easy to guess, or used before."
    ),
    "validation_failed": mark(
        "The sign-in policy does not take this password: too short, easy to guess, or used before."
    ),
    "too_many_attempts": mark("Too many attempts. Please wait a moment."),
    "self_lockout": mark("By this you could no longer sign in yourself, so nothing was stored."),
    "last_administrator": mark("This is the last administrator, so nothing was done."),
    "state_conflict": mark("The current state does not allow this."),
    "precondition_failed": mark("Somebody else has changed this meanwhile, so nothing was done."),
}


def credential_words(error: NovaUiError, tr: Translator) -> str:
    """Say what went wrong with a password, a code or a right that needs them."""
    known = _CODES.get(error.code) if isinstance(error, NovaProblem) else None
    return tr(known) if known else told(error, tr).text


@dataclass(frozen=True, slots=True, kw_only=True)
class NewApp:
    """What is shown once while an app is set up."""

    key: str
    picture: QrCode


class CredentialsPresenter:
    """State and actions; secrets pass through and are kept no longer than they are shown."""

    def __init__(self, nova: NovaCalls, tr: Translator) -> None:
        self.tr = tr
        self.methods: tuple[str, ...] = ()
        self.may_enrol = False
        self.is_required = False
        self.codes_left = 0
        self.min_password_chars = 0
        self.changed: Event[None] = Event()
        self._nova = nova

    async def load(self) -> None:
        """Read which factors there are."""
        try:
            answer = (await self._nova.call("GET /me/mfa")).object
        except NovaUiError:
            return
        methods = answer.get("mfa_methods")
        self.methods = tuple(str(one) for one in methods) if isinstance(methods, list) else ()
        self.may_enrol = answer.get("may_enrol") is True
        self.is_required = answer.get("required") is True
        self.codes_left = _number(answer, "recovery_codes_left")
        self.min_password_chars = _number(answer, "min_password_length")
        self.changed.emit(None)

    async def confirm_sign_in(self, password: str, code: str) -> EnteredAgain:
        """Enter the password again."""
        try:
            return await enter_again(self._nova, password, code)
        except NovaUiError as error:
            return EnteredAgain(problem=credential_words(error, self.tr))

    async def change_password(self, current: str, new: str, repeated: str) -> str:
        """Replace the password; return what went wrong, or nothing."""
        if new != repeated:
            return self.tr(mark("The two passwords differ."))
        return await self._try("POST /me/password", {"current_password": current, "new_password": new})

    async def begin(self) -> NewApp | Told:
        """Begin to set an app up."""
        try:
            answer = (await self._nova.call("POST /me/mfa/totp")).object
        except NovaUiError as error:
            return Told(text=credential_words(error, self.tr))
        seed = str(answer.get("totp_secret"))
        groups = " ".join(seed[start : start + 4] for start in range(0, len(seed), 4))
        return NewApp(key=groups, picture=qr_code_of(str(answer.get("totp_link"))))

    async def confirm_app(self, code: str) -> tuple[str, ...] | Told:
        """Let the app count; return the recovery codes."""
        return await self._codes("POST /me/mfa/totp/confirm", {"one_time_code": code})

    async def new_codes(self) -> tuple[str, ...] | Told:
        """Replace the recovery codes."""
        return await self._codes("POST /me/mfa/recovery-codes", None)

    async def remove(self) -> str:
        """Do without a second factor; return what went wrong, or nothing."""
        problem = await self._try("DELETE /me/mfa/totp", None)
        await self.load()
        return problem

    async def _codes(self, endpoint: str, body: JsonObject | None) -> tuple[str, ...] | Told:
        try:
            answer = (await self._nova.call(endpoint, body=body)).object
        except NovaUiError as error:
            return Told(text=credential_words(error, self.tr))
        codes = answer.get("recovery_codes")
        await self.load()
        return tuple(str(one) for one in codes) if isinstance(codes, list) else ()

    async def _try(self, endpoint: str, body: JsonObject | None) -> str:
        try:
            await self._nova.call(endpoint, body=body)
        except NovaUiError as error:
            return credential_words(error, self.tr)
        return ""


def _number(answer: JsonObject, name: str) -> int:
    value = answer.get(name)
    return value if isinstance(value, int) else 0
