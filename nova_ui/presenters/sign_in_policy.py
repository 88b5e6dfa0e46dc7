"""The sign-in policy, one identity held against it, and the administrators: state and actions of the page."""

import copy
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.errors import NovaUiError
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fresh_sign_in import EnteredAgain, enter_again
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.presenters.own_credentials import credential_words
from nova_ui.reactive import Event

RULES: Final = ("mfa", "methods", "password", "lockout", "session", "networks")
_GETS_IN: Final = mark("With the right password {name} gets in.")
_AFTER: Final = mark("With the right password {name} gets in after: {steps}.")
_STEPS: Final = {
    "code": mark("a code of the app"),
    "new_password": mark("a new password, since the old one is too old"),
    "enrol": mark("setting up a second factor"),
}
_STANDS_AGAINST: Final = {
    "not_active": mark("{name} is not active."),
    "no_password": mark("{name} has no password."),
    "locked": mark("{name} is locked after too many failed attempts."),
    "network": mark("The policy allows no sign-in from there."),
    "method": mark("The policy does not allow this method."),
    "second_factor_off": mark("The policy asks for no second factor."),
    "no_second_factor": mark("{name} has no such second factor."),
}


class SignInPolicyPresenter:
    """`draft` is the policy as it is being edited; a refusal leaves it as it is."""

    def __init__(self, nova: NovaCalls, tr: Translator) -> None:
        self.tr = tr
        self.draft: JsonObject = {}
        self.administrators: tuple[JsonObject, ...] = ()
        self.loaded: Event[None] = Event()
        self.administrators_changed: Event[None] = Event()
        self._nova = nova
        self._etag: str | None = None

    async def load(self) -> None:
        """Read the policy and the administrators."""
        answer = await self._nova.call("GET /sign-in-policy")
        self.draft = {name: copy.deepcopy(answer.object.get(name)) for name in RULES}
        self._etag = answer.etag
        self.loaded.emit(None)
        await self.load_administrators()

    async def load_administrators(self) -> None:
        """Read the administrators."""
        items = (await self._nova.call("GET /administrators")).object.get("items")
        rows = items if isinstance(items, list) else []
        self.administrators = tuple(one for one in rows if isinstance(one, dict))
        self.administrators_changed.emit(None)

    def part(self, name: str) -> JsonObject:
        """Return one part of the draft, to be edited in place."""
        value = self.draft.get(name)
        return value if isinstance(value, dict) else {}

    async def save(self) -> str:
        """Store the draft; return what went wrong, or nothing."""
        mfa = self.part("mfa")
        if mfa.get("requirement") != "required_for":
            mfa["required_for"] = []
        try:
            answer = await self._nova.call("PUT /sign-in-policy", body=self.draft, if_match=self._etag)
        except NovaUiError as error:
            detail = getattr(error, "detail", "")
            field = getattr(error, "field", None)
            words = credential_words(error, self.tr) if field is None else self.tr(mark("Please check the values."))
            return f"{words} {detail if field is not None else ''}".strip()
        self._etag = answer.etag
        return ""

    async def evaluate(self, identity_id: str, network: str) -> str:
        """Say in words whether somebody would get in."""
        body: JsonObject = {"identity_id": identity_id, "network": network.strip() or None}
        try:
            answer = (await self._nova.call("POST /sign-in-policy/evaluate", body=body)).object
        except NovaUiError:
            return self.tr(mark("Please check the values."))
        identity, steps = answer.get("identity"), answer.get("steps")
        name = str(identity.get("display_name")) if isinstance(identity, dict) else ""
        rule = answer.get("rule")
        if isinstance(rule, str):
            return self.tr(_STANDS_AGAINST[rule], name=name)
        words = [self.tr(_STEPS[str(step)]) for step in steps] if isinstance(steps, list) else []
        return self.tr(_AFTER, name=name, steps=", ".join(words)) if words else self.tr(_GETS_IN, name=name)

    async def confirm_sign_in(self, password: str, code: str) -> EnteredAgain:
        """Enter the password again."""
        try:
            return await enter_again(self._nova, password, code)
        except NovaUiError as error:
            return EnteredAgain(problem=credential_words(error, self.tr))

    async def add(self, identity_id: str) -> str:
        """Make somebody an administrator; return what went wrong, or nothing."""
        return await self._try("PUT /administrators/{identity_id}", {"identity_id": identity_id}, None)

    async def remove(self, identity_id: str) -> str:
        """Take the role away; return what went wrong, or nothing."""
        return await self._try("DELETE /administrators/{identity_id}", {"identity_id": identity_id}, None)

    def in_words(self) -> list[str]:
        """Say what the draft means."""
        tr, password = self.tr, self.part("password")
        lockout, session = self.part("lockout"), self.part("session")
        words = [
            tr(mark("A password has at least {min_chars} characters."), min_chars=_text(password, "min_length")),
            tr(
                mark("After {attempts} failures within {minutes} minutes a name has to wait."),
                attempts=_text(lockout, "attempts"),
                minutes=_text(lockout, "minutes"),
            ),
            tr(
                mark("A session ends after {minutes} minutes without use, and after {hours} hours in any case."),
                minutes=_text(session, "idle_minutes"),
                hours=_text(session, "max_hours"),
            ),
        ]
        if self.draft.get("networks"):
            words.append(tr(mark("Signing in is possible from the listed networks only.")))
        if self.part("mfa").get("requirement") in {"required", "required_for"}:
            words.append(tr(mark("Who needs a second factor and has none sets it up right after the password.")))
        return words

    async def _try(self, endpoint: str, path: dict[str, str], body: JsonObject | None) -> str:
        try:
            await self._nova.call(endpoint, path=path, body=body)
        except NovaUiError as error:
            return credential_words(error, self.tr)
        return ""


def _text(part: JsonObject, name: str) -> str:
    value: JsonValue = part.get(name)
    return str(value)
