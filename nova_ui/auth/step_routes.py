"""What signing in asks for after the password: a code, a new password, a second factor. Plain pages, one address."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from nova_ui.auth.cookies import PENDING_COOKIE
from nova_ui.auth.door import Door
from nova_ui.auth.forms import FormRefused
from nova_ui.auth.from_here import whence_of
from nova_ui.auth.guard import SIGN_IN, SIGN_IN_STEP, safe_next
from nova_ui.auth.markup import Html, tag
from nova_ui.auth.plain_page import Field, alert, plain_page, wait_in_words
from nova_ui.auth.second_factor import CodeProblem, Enrolment
from nova_ui.auth.steps import Pending
from nova_ui.domain.qr_code import qr_code_of
from nova_ui.domain.sign_in_policy import Method, Step
from nova_ui.domain.text import mark
from nova_ui.errors import SignInFailed, SignInThrottled
from nova_ui.i18n.translator import Translator

_PENDING_FIELD: Final = "sign_in"
_CODE_WRONG: Final = mark("The code is not correct. Enter the one that the app shows now.")
_CODE_USED: Final = mark("This code was used already. Wait for the next one.")
_NOT_BEGUN: Final = mark("This took too long, or too many codes were wrong. Set the app up with the new picture.")
_NOT_REPEATED: Final = mark("The two passwords differ.")
_OVER: Final = mark("This sign-in took too long, or too many codes were wrong. Please begin again.")
_WORDS: Final = {
    CodeProblem.WRONG: _CODE_WRONG,
    CodeProblem.USED: _CODE_USED,
    CodeProblem.NOT_BEGUN: _NOT_BEGUN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Refused:
    """What is wrong with a form: the sentence, and the field."""

    sentence: str
    field: str
    status: int = 422


def step_routes(door: Door) -> APIRouter:
    """Return the routes of `/sign-in/step`."""
    router = APIRouter(include_in_schema=False)
    pages = _StepPages(door)
    router.add_api_route(SIGN_IN_STEP, pages.show, methods=["GET"])
    router.add_api_route(SIGN_IN_STEP, pages.go_on, methods=["POST"])
    return router


class _StepPages:
    def __init__(self, door: Door) -> None:
        self._door = door

    async def show(self, request: Request) -> Response:
        """Show what comes next, or begin again."""
        pending = await self._pending(request)
        if pending is None or not pending.steps:
            return self._begin_again(request)
        return await self._page(request, pending, safe_next(request.query_params.get("next")))

    async def go_on(self, request: Request) -> Response:
        """Take the form of the step that comes next; of a form from another tab's sign-in nothing."""
        pending = await self._pending(request)
        if pending is None or not pending.steps:
            return self._over(request)
        target = safe_next(request.query_params.get("next"))
        try:
            fields = await self._door.forms.read(request)
        except FormRefused as refused:
            words = self._door.look_of(request).tr(refused.key)
            return await self._page(request, pending, target, _Refused(sentence=words, field="", status=403))
        target = safe_next(fields.get("next"))
        if fields.get(_PENDING_FIELD) != pending.id:
            return await self._page(request, pending, target)
        match pending.steps[0]:
            case Step.CODE:
                return await self._enter_code(request, pending, fields, target)
            case Step.NEW_PASSWORD:
                return await self._set_password(request, pending, fields, target)
            case Step.ENROL:
                return await self._enrol(request, pending, fields, target)

    async def _enter_code(self, request: Request, pending: Pending, fields: dict[str, str], target: str) -> Response:
        tr = self._door.look_of(request).tr
        try:
            problem = await self._door.steps.enter_code(pending, fields.get("code", ""), whence_of(request))
        except SignInThrottled as throttled:
            words = wait_in_words(tr, throttled.retry_after_s)
            response = await self._page(request, pending, target, _Refused(sentence=words, field="code", status=429))
            response.headers["Retry-After"] = str(throttled.retry_after_s)
            return response
        if problem is None:
            return await self._next(request, pending.id, target)
        if await self._pending(request) is None:
            return self._over(request)
        refused = _Refused(sentence=tr(_WORDS[problem]), field="code", status=401)
        return await self._page(request, pending, target, refused)

    async def _set_password(self, request: Request, pending: Pending, fields: dict[str, str], target: str) -> Response:
        tr = self._door.look_of(request).tr
        password = fields.get("password", "")
        if password != fields.get("repeated"):
            return await self._page(request, pending, target, _Refused(sentence=tr(_NOT_REPEATED), field="repeated"))
        fault = await self._door.steps.set_password(pending, password, whence_of(request))
        if fault is not None:
            words = tr(fault.message, **fault.values)
            return await self._page(request, pending, target, _Refused(sentence=words, field="password"))
        return await self._next(request, pending.id, target)

    async def _enrol(self, request: Request, pending: Pending, fields: dict[str, str], target: str) -> Response:
        tr = self._door.look_of(request).tr
        outcome = await self._door.steps.confirm_enrolment(pending, fields.get("code", ""), whence_of(request))
        if isinstance(outcome, CodeProblem):
            refused = _Refused(sentence=tr(_WORDS[outcome]), field="code", status=401)
            return await self._page(request, pending, target, refused)
        response = await self._next(request, pending.id, target)
        page = self._codes_page(request, outcome, str(response.headers["location"]))
        for name, value in response.raw_headers:
            if name == b"set-cookie":
                page.raw_headers.append((name, value))
        return page

    async def _next(self, request: Request, pending_id: str, target: str) -> Response:
        """Go to the next step, or in."""
        pending = await self._pending(request)
        if pending is None or pending.id != pending_id:
            return self._over(request)
        if pending.steps:
            return self._door.go(SIGN_IN_STEP + _query(target))
        try:
            token, _ = await self._door.steps.finish(pending.id, self._token_of(request), whence_of(request))
        except SignInFailed:
            return self._over(request)
        response = await self._door.let_in(request, token, target)
        self._door.cookies.clear_pending(response, request)
        return response

    async def _pending(self, request: Request) -> Pending | None:
        return await self._door.steps.find(self._token_of(request), whence_of(request).ip)

    def _token_of(self, request: Request) -> str:
        return self._door.cookies.read(request, PENDING_COOKIE) or ""

    def _begin_again(self, request: Request) -> Response:
        response = self._door.go(SIGN_IN)
        self._door.cookies.clear_pending(response, request)
        return response

    def _over(self, request: Request) -> Response:
        look = self._door.look_of(request)
        way = tag("a", look.tr("Sign in"), href=f"{look.prefix}{SIGN_IN}", class_="door__button")
        response = plain_page(look, look.tr("Sign in"), alert(look.tr(_OVER)), way, status=401)
        self._door.cookies.clear_pending(response, request)
        return response

    async def _page(self, request: Request, pending: Pending, target: str, refused: _Refused | None = None) -> Response:
        query = {} if target == "/" else {"next": target}
        look = self._door.look_of(request, query)
        tr, step = look.tr, pending.steps[0]
        parts: list[Html] = [alert(refused.sentence)] if refused else []
        fields, button = _fields(tr, pending, refused.field if refused else "")
        match step:
            case Step.CODE:
                parts.append(tag("p", _code_words(tr, pending)))
            case Step.NEW_PASSWORD:
                parts.append(tag("p", tr("Your password is too old. Choose a new one; you are signed out elsewhere.")))
            case Step.ENROL:
                parts.extend(_enrolment(tr, await self._door.steps.enrolment(pending)))
        hidden = {_PENDING_FIELD: pending.id, **query}
        parts.append(self._door.form_of(request, fields, button, key=step.value, query=query, hidden=hidden))
        parts.append(tag("p", tag("a", tr("Begin again"), href=f"{look.prefix}{SIGN_IN}")))
        status = refused.status if refused else 200
        return self._door.finish(request, plain_page(look, _title(tr, step), *parts, status=status))

    def _codes_page(self, request: Request, codes: list[str], place: str) -> Response:
        look = self._door.look_of(request)
        tr = look.tr
        about = tr(
            "Keep these recovery codes where you find them without your app. Each signs you in once. "
            "They are shown only now."
        )
        rows = tag("ul", *(tag("li", tag("code", code)) for code in codes), class_="door__codes")
        way = tag("a", tr("Continue"), href=place, class_="door__button")
        return plain_page(look, tr("Recovery codes"), tag("p", about), rows, way)


def _query(target: str) -> str:
    return "" if target == "/" else "?" + urlencode({"next": target})


def _title(tr: Translator, step: Step) -> str:
    match step:
        case Step.CODE:
            return tr("Second step")
        case Step.NEW_PASSWORD:
            return tr("New password")
        case Step.ENROL:
            return tr("Set up the second factor")


def _code_words(tr: Translator, pending: Pending) -> str:
    if Method.RECOVERY_CODE in pending.policy.methods:
        return tr("Enter the code that your authenticator app shows now, or one of your recovery codes.")
    return tr("Enter the code that your authenticator app shows now.")


def _fields(tr: Translator, pending: Pending, wrong: str) -> tuple[list[Field], str]:
    code = Field(name="code", label=tr("Code"), autocomplete="one-time-code", is_first=True, is_wrong=wrong == "code")
    match pending.steps[0]:
        case Step.CODE:
            return [code], tr("Continue")
        case Step.ENROL:
            return [code], tr("Confirm")
        case Step.NEW_PASSWORD:
            hint = tr("At least {min_chars} characters.", min_chars=pending.policy.password.min_length)
            return [
                Field(
                    name="password",
                    label=tr("New password"),
                    kind="password",
                    autocomplete="new-password",
                    hint=hint,
                    is_first=wrong != "repeated",
                    is_wrong=wrong == "password",
                ),
                Field(
                    name="repeated",
                    label=tr("Repeat password"),
                    kind="password",
                    autocomplete="new-password",
                    is_first=wrong == "repeated",
                    is_wrong=wrong == "repeated",
                ),
            ], tr("Set new password")


def _enrolment(tr: Translator, enrolment: Enrolment) -> list[Html]:
    qr = qr_code_of(enrolment.link)
    picture = tag(
        "svg",
        tag("path", d=qr.path, fill="#000"),
        viewBox=f"0 0 {qr.size} {qr.size}",
        role="img",
        aria_label=tr("QR code for the authenticator app"),
        shape_rendering="crispEdges",
        class_="door__qr",
    )
    about = tr("Signing in needs a second factor. Scan the picture with an authenticator app, then enter its code.")
    key = tag("p", tr("Or enter this key by hand:"), " ", tag("code", grouped(enrolment.seed)))
    return [tag("p", about), picture, key]


def grouped(seed: str) -> str:
    """Return a key in groups of four, as it can be typed."""
    return " ".join(seed[start : start + 4] for start in range(0, len(seed), 4))
