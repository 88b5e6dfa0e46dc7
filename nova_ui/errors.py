"""All exceptions: each carries a message id and its values, not a finished sentence.

A guardrail's no is a value (`guardrails.refusal.Refusal`), not one of these.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import ClassVar

from pydantic import JsonValue


class NovaUiError(Exception):
    """Base of all. `key` is the message id of the catalogue, `params` its named values."""

    key: ClassVar[str] = "Something went wrong."

    def __init__(self, **params: JsonValue) -> None:
        super().__init__(self.key)
        self.params: Mapping[str, JsonValue] = params


class ConfigurationError(NovaUiError):
    """Stops the start; `reason` is an English sentence for the log and names the setting, tool or file."""

    key = "The configuration is not usable."

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class NovaProblem(NovaUiError):
    """A problem object (RFC 9457) that a Nova endpoint answers with, on both sides of the interface.

    `code` is stable. `detail` is an English sentence that a model can act on; `field` names the offending field.
    """

    key = "Nova could not do this."
    status: ClassVar[int] = 500
    default_code: ClassVar[str] = "internal"

    def __init__(
        self,
        detail: str = "",
        *,
        code: str | None = None,
        field: str | None = None,
        extra: dict[str, JsonValue] | None = None,
    ) -> None:
        super().__init__(detail=detail, field=field)
        self.detail = detail
        self.code = code or self.default_code
        self.field = field
        self.extra: dict[str, JsonValue] = extra or {}

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class NovaInvalid(NovaProblem):
    """The request is not valid (400, or 422 where the body's fields are wrong)."""

    key = "Nova did not accept the values."
    status = 400
    default_code = "validation_failed"


class NovaUnauthenticated(NovaProblem):
    """Nobody is signed in, or the session has ended (401)."""

    key = "You are no longer signed in."
    status = 401
    default_code = "session_ended"


class NovaForbidden(NovaProblem):
    """The identity may not do this (403)."""

    key = "You are not permitted to do this."
    status = 403
    default_code = "forbidden"


class NovaNotFound(NovaProblem):
    """No such object, or no right to see it (404)."""

    key = "There is no such object, or you may not see it."
    status = 404
    default_code = "not_found"


class NovaConflict(NovaProblem):
    """The object's state does not allow it (409)."""

    key = "The current state does not allow this."
    status = 409
    default_code = "conflict"


class NovaPreconditionFailed(NovaProblem):
    """The object has changed meanwhile (412)."""

    key = "The object has changed meanwhile."
    status = 412
    default_code = "precondition_failed"


class NovaTooLarge(NovaProblem):
    """The body is larger than allowed (413)."""

    key = "The request is too large."
    status = 413
    default_code = "too_large"


class NovaTooMany(NovaProblem):
    """Too many attempts (429); `extra["retry_after"]` is in seconds."""

    key = "Too many attempts. Please wait a moment."
    status = 429
    default_code = "too_many_attempts"


class NovaUnavailable(NovaProblem):
    """Nova could not answer, or answered with an error of its own (5xx); the outcome of a write is unknown."""

    key = "Nova could not be reached."
    status = 503
    default_code = "unavailable"


class NovaUnsaved(NovaUnavailable):
    """The database could not take it, and nothing was changed (503); `code` says whether it is busy, full or away."""

    key = "Nova's database can't be used at the moment, so nothing was changed."
    default_code = "database_unavailable"


class InnerCallRefused(NovaUiError):
    """An inner call of a flow did not pass the gate; the flow stops."""

    key = "A step of this flow is not allowed."

    def __init__(self, *, tool_name: str, code: str, reason: str) -> None:
        super().__init__(tool_name=tool_name, code=code, reason=reason)
        self.tool_name = tool_name
        self.code = code
        self.reason = reason


class SignInError(NovaUiError):
    """Somebody is not, or no longer, signed in."""

    key = "Please sign in."


class SignInFailed(SignInError):
    """Name and password do not belong together; never says which of the two was wrong."""

    key = "Name or password is not correct."


class SignInThrottled(SignInError):
    """Too many failed attempts; `retry_after_s` in seconds."""

    key = "Too many attempts. Please try again in {retry_after_s} seconds."

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(retry_after_s=retry_after_s)
        self.retry_after_s = retry_after_s


class SecondStepNeeded(SignInError):
    """The password was right, but the sign-in policy asks for more; `steps` are the values of its steps in order."""

    key = "One more step is needed to sign in."

    def __init__(self, steps: Sequence[str]) -> None:
        super().__init__(steps=list(steps))
        self.steps = tuple(steps)


class FailureKind(StrEnum):
    """How a provider failed."""

    RATE_LIMIT = "rate_limit"
    QUOTA = "quota"
    CREDENTIALS = "credentials"
    NO_SUCH_MODEL = "no_such_model"
    TOO_LONG = "too_long"
    REJECTED = "rejected"
    UNAVAILABLE = "unavailable"
    SERVER = "server"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    PROXY = "proxy"
    TLS = "tls"
    PROTOCOL = "protocol"
    CUT_OFF = "cut_off"
    TOO_MUCH = "too_much"


RETRYABLE: frozenset[FailureKind] = frozenset(
    {FailureKind.RATE_LIMIT, FailureKind.UNAVAILABLE, FailureKind.SERVER, FailureKind.CONNECTION}
)


class ModelError(NovaUiError):
    """A provider failed. Its own words are never kept: they may echo keys.

    `arrived` tells whether any event had been delivered before; `retry_after_s` is what the provider asked for.
    """

    key = "The model could not answer."

    def __init__(self, kind: FailureKind, *, arrived: bool = False, retry_after_s: float | None = None) -> None:
        super().__init__(kind=kind.value)
        self.kind = kind
        self.arrived = arrived
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        return f"model failed: {self.kind}"


class BudgetUsedUp(NovaUiError):
    """A budget has no room for a request to a model; `params` are those of the notice (rule E6)."""

    key = "The AI budget is used up."


class AssistantRuleBroken(NovaUiError):
    """An assistant that no way may create; `rule` is B3 or B4, `reason` a stable word."""

    key = "This assistant can't be stored."

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(rule=rule, reason=reason)
        self.rule = rule
        self.reason = reason
