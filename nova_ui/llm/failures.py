"""What kind of failure a provider's answer is; its own words are read for that and then dropped."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from math import isfinite
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.errors import FailureKind, ModelError

_OVERLOADED: Final = 529  # not registered, but several providers use it

_BY_STATUS: Final[Mapping[int, FailureKind]] = {
    HTTPStatus.UNAUTHORIZED: FailureKind.CREDENTIALS,
    HTTPStatus.PAYMENT_REQUIRED: FailureKind.QUOTA,
    HTTPStatus.FORBIDDEN: FailureKind.CREDENTIALS,
    HTTPStatus.NOT_FOUND: FailureKind.NO_SUCH_MODEL,
    HTTPStatus.REQUEST_TIMEOUT: FailureKind.TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: FailureKind.TOO_LONG,
    HTTPStatus.TOO_MANY_REQUESTS: FailureKind.RATE_LIMIT,
    HTTPStatus.BAD_GATEWAY: FailureKind.UNAVAILABLE,
    HTTPStatus.SERVICE_UNAVAILABLE: FailureKind.UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT: FailureKind.UNAVAILABLE,
    _OVERLOADED: FailureKind.UNAVAILABLE,
}
_BY_WORD: Final[Mapping[str, FailureKind]] = {
    "insufficient_quota": FailureKind.QUOTA,
    "billing_hard_limit_reached": FailureKind.QUOTA,
    "exceeded your current quota": FailureKind.QUOTA,
    "context_length_exceeded": FailureKind.TOO_LONG,
    "maximum context length": FailureKind.TOO_LONG,
    "context window": FailureKind.TOO_LONG,
    "exceed_context_size": FailureKind.TOO_LONG,
    "prompt is too long": FailureKind.TOO_LONG,
    "model_not_found": FailureKind.NO_SUCH_MODEL,
    "invalid_api_key": FailureKind.CREDENTIALS,
    "rate_limit": FailureKind.RATE_LIMIT,
    "overloaded": FailureKind.UNAVAILABLE,
}
# Words refine only these: a 401 that speaks of a context window is still a 401.
_REFINED: Final[Mapping[int, frozenset[FailureKind]]] = {
    HTTPStatus.BAD_REQUEST: frozenset({FailureKind.TOO_LONG, FailureKind.NO_SUCH_MODEL, FailureKind.CREDENTIALS}),
    HTTPStatus.UNPROCESSABLE_ENTITY: frozenset({FailureKind.TOO_LONG, FailureKind.NO_SUCH_MODEL}),
    HTTPStatus.TOO_MANY_REQUESTS: frozenset({FailureKind.QUOTA}),
}
_MAX_RETRY_AFTER_S: Final = 86_400.0


def failure_of(status: int, headers: Mapping[str, str], body: bytes, now: datetime) -> ModelError:
    """Return the failure that an answer with `status` is; only its kind and waiting time are kept."""
    return ModelError(_kind_of(status, body), retry_after_s=retry_after_s(headers, now))


def failure_of_error_event(error: JsonValue) -> ModelError:
    """Return the failure that an `error` object within a stream or a successful answer is."""
    return ModelError(_kind_in(json.dumps(error)) or FailureKind.SERVER)


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how many seconds the provider asks to wait, or None; `headers` has lower-case names."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return _bounded(milliseconds / 1000)
    value = headers.get("retry-after", "")
    seconds = _number(value)
    if seconds is not None:
        return _bounded(seconds)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return _bounded((moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())


def _kind_of(status: int, body: bytes) -> FailureKind:
    refined = _kind_in(body.decode("utf-8", "replace"))
    if refined is not None and refined in _REFINED.get(status, frozenset()):
        return refined
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return FailureKind.SERVER
    if status >= HTTPStatus.BAD_REQUEST:
        return FailureKind.REJECTED
    return FailureKind.PROTOCOL  # also a redirect: it is not followed, since the key would go along


def _kind_in(text: str) -> FailureKind | None:
    lowered = text.lower()
    return next((kind for word, kind in _BY_WORD.items() if word in lowered), None)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), _MAX_RETRY_AFTER_S)
