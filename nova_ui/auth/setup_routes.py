"""The first start, as a page: create the administrator, or load the sample organisation."""

import hmac
from dataclasses import dataclass, field, replace
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from nova_ui.auth.door import Door
from nova_ui.auth.forms import FormRefused
from nova_ui.auth.from_here import whence_of
from nova_ui.auth.guard import SETUP, SIGN_IN
from nova_ui.auth.markup import Html, tag
from nova_ui.auth.password_rules import find_fault
from nova_ui.auth.plain_page import Field, Look, alert, plain_page
from nova_ui.auth.setup import MAX_DISPLAY_NAME_CHARS, USER_NAME, NewAdministrator, SetupClosed, is_local
from nova_ui.domain.identity import Role
from nova_ui.domain.sample_sign_ins import SIGN_INS
from nova_ui.domain.sign_in_policy import MIN_PASSWORD_CHARS, PasswordRule
from nova_ui.domain.text import mark

ADMINISTRATOR: Final = "administrator"
SAMPLE: Final = "sample"
NOTHING_WRONG: Final = ("", "")
_NO_NAME: Final = mark("Please enter your name, at most {max_chars} characters.")
_BAD_USER_NAME: Final = mark("A user name has 2 to 64 letters, digits, dots, hyphens, plus or at signs, and no spaces.")
_NOT_REPEATED: Final = mark("The two passwords differ.")
_BAD_CODE: Final = mark("The setup code is not correct. The server shows it where it was started.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong in a form: the field's name, and the message with its values."""

    name: str
    message: str
    values: dict[str, int] = field(default_factory=dict)


def setup_routes(door: Door) -> APIRouter:
    """Return the routes of `/setup`."""
    router = APIRouter(include_in_schema=False)
    pages = _SetupPages(door)
    router.add_api_route(SETUP, pages.show, methods=["GET"])
    router.add_api_route(SETUP, pages.set_up, methods=["POST"])
    return router


def check_administrator(fields: dict[str, str], rule: PasswordRule) -> Fault | None:
    """Say what is wrong with the form of the first administrator, or None."""
    if not 1 <= len(_one_line(fields.get("display_name", ""))) <= MAX_DISPLAY_NAME_CHARS:
        return Fault(name="display_name", message=_NO_NAME, values={"max_chars": MAX_DISPLAY_NAME_CHARS})
    if not USER_NAME.fullmatch(fields.get("user_name", "").strip()):
        return Fault(name="user_name", message=_BAD_USER_NAME)
    fault = check_password(fields, rule)
    if fault is None and fields.get("password") != fields.get("repeated"):
        return Fault(name="repeated", message=_NOT_REPEATED)
    return fault


def check_password(fields: dict[str, str], rule: PasswordRule) -> Fault | None:
    """Say what is wrong with the chosen password, or None."""
    names = [fields.get("user_name", ""), fields.get("display_name", "")]
    fault = find_fault(fields.get("password", ""), rule, names)
    return None if fault is None else Fault(name="password", message=fault.message, values=fault.values)


class _SetupPages:
    def __init__(self, door: Door) -> None:
        self._door = door

    async def show(self, request: Request) -> Response:
        """Show both ways to begin."""
        if not await self._door.setup.is_open():
            return self._door.go(SIGN_IN)
        return self._page(request)

    async def set_up(self, request: Request) -> Response:
        """Do what was chosen, once."""
        if not await self._door.setup.is_open():
            return self._door.go(SIGN_IN)
        try:
            fields = await self._door.forms.read(request)
        except FormRefused as refused:
            return self._page(request, problem=self._door.look_of(request).tr(refused.key), status=403)
        choice = SAMPLE if fields.get("choice") == SAMPLE else ADMINISTRATOR
        if not is_local(request) and not self._knows_code(fields):
            return self._faulty(request, choice, fields, Fault(name="code", message=_BAD_CODE), status=403)
        rule = self._door.policies.initial.password  # none is stored before there is an administrator
        fault = check_password(fields, rule) if choice == SAMPLE else check_administrator(fields, rule)
        if fault is not None:
            return self._faulty(request, choice, fields, fault, status=422)
        try:
            return await (self._load_sample if choice == SAMPLE else self._create)(request, fields)
        except SetupClosed:
            return self._door.go(SIGN_IN)

    async def _create(self, request: Request, fields: dict[str, str]) -> Response:
        new = NewAdministrator(
            user_name=fields["user_name"].strip(),
            display_name=_one_line(fields["display_name"]),
            password=fields["password"],
            language=self._door.language_of(request),
        )
        identity_id = await self._door.setup.create_administrator(new)
        token, _ = await self._door.sessions.start(identity_id, whence_of(request))
        return await self._door.let_in(request, token, "/")

    async def _load_sample(self, request: Request, fields: dict[str, str]) -> Response:
        await self._door.setup.load_sample(fields["password"])
        look = self._door.look_of(request)
        tr = look.tr
        words_of = {
            Role.ADMINISTRATOR: tr("Administrator"),
            Role.AUDITOR: tr("Auditor"),
            Role.MANAGER: tr("Manager"),
            Role.USER: tr("User"),
        }
        people = [tag("li", tag("code", name), f": {words_of[role]}") for name, role in SIGN_INS.items()]
        words = tag("p", tr("The sample organisation is loaded. These four sign in with the password you chose:"))
        way_on = tag("a", tr("Sign in"), href=f"{look.prefix}{SIGN_IN}", class_="door__button")
        return plain_page(look, tr("Ready"), words, tag("ul", *people), way_on)

    def _knows_code(self, fields: dict[str, str]) -> bool:
        sent = fields.get("code", "").strip().upper()
        return hmac.compare_digest(sent.encode(), self._door.setup.code.encode())

    def _faulty(self, request: Request, choice: str, fields: dict[str, str], fault: Fault, *, status: int) -> Response:
        problem = self._door.look_of(request).tr(fault.message, **fault.values)
        wrong = (choice, fault.name)
        return self._page(request, problem=problem, fields=fields, wrong=wrong, status=status)

    def _page(
        self,
        request: Request,
        *,
        problem: str = "",
        fields: dict[str, str] | None = None,
        wrong: tuple[str, str] = NOTHING_WRONG,
        status: int = 200,
    ) -> Response:
        look = self._door.look_of(request)
        tr = look.tr
        parts: list[Html] = [tag("p", tr("Nova AI has no administrator yet. Choose how to begin."))]
        if problem:
            parts.append(alert(problem))
        code = [] if is_local(request) else [_code_field(look)]
        own = _marked([*_administrator_fields(look, fields or {}), *code], ADMINISTRATOR, wrong)
        sample = _marked([_password_field(look, tr("Password of the four sign-ins")), *code], SAMPLE, wrong)
        create = self._door.form_of(
            request, own, tr("Create administrator"), key=ADMINISTRATOR, hidden={"choice": ADMINISTRATOR}
        )
        load = self._door.form_of(
            request, sample, tr("Load sample organisation"), key=SAMPLE, hidden={"choice": SAMPLE}
        )
        about = tag("p", tr("120 made-up people with groups, roles and requests, to look around. Not for real use."))
        parts.append(tag("section", tag("h2", tr("Start with your own organisation")), create))
        parts.append(tag("section", tag("h2", tr("Look around with a sample organisation")), about, load))
        return self._door.finish(request, plain_page(look, tr("Set up Nova AI"), *parts, status=status, is_wide=True))


def _administrator_fields(look: Look, fields: dict[str, str]) -> list[Field]:
    tr = look.tr
    return [
        Field(
            name="display_name",
            label=tr("Your name"),
            value=fields.get("display_name", ""),
            autocomplete="name",
            is_first=True,
        ),
        Field(name="user_name", label=tr("User name"), value=fields.get("user_name", ""), autocomplete="username"),
        _password_field(look, tr("Password")),
        Field(name="repeated", label=tr("Repeat password"), kind="password", autocomplete="new-password"),
    ]


def _password_field(look: Look, label: str) -> Field:
    hint = look.tr("At least {min_chars} characters.", min_chars=MIN_PASSWORD_CHARS)
    return Field(name="password", label=label, kind="password", autocomplete="new-password", hint=hint)


def _code_field(look: Look) -> Field:
    hint = look.tr("The server shows it where it was started.")
    return Field(name="code", label=look.tr("Setup code"), autocomplete="one-time-code", hint=hint)


def _marked(fields: list[Field], choice: str, wrong: tuple[str, str]) -> list[Field]:
    """Return the fields with the wrong one marked and in focus; without a wrong one the first keeps the focus."""
    if wrong == NOTHING_WRONG:
        return fields
    return [replace(one, is_wrong=(choice, one.name) == wrong, is_first=(choice, one.name) == wrong) for one in fields]


def _one_line(text: str) -> str:
    return " ".join(text.split())
