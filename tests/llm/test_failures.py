"""Which failure an error answer is; nothing of its text is kept."""

from datetime import UTC, datetime

import pytest

from nova_ui.errors import FailureKind
from nova_ui.llm.failures import failure_of, retry_after_s
from tests.llm.peer import answer_to, head
from tests.llm.requests import a_request

NOON = datetime(2026, 1, 5, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, b"", FailureKind.REJECTED),
        (400, b'{"error": {"code": "context_length_exceeded"}}', FailureKind.TOO_LONG),
        (400, b"this model's maximum context length is 8192 tokens", FailureKind.TOO_LONG),
        (401, b"a context window of a 401", FailureKind.CREDENTIALS),
        (402, b"", FailureKind.QUOTA),
        (403, b"", FailureKind.CREDENTIALS),
        (404, b"<html>", FailureKind.NO_SUCH_MODEL),
        (408, b"", FailureKind.TIMEOUT),
        (413, b"", FailureKind.TOO_LONG),
        (422, b"", FailureKind.REJECTED),
        (429, b"", FailureKind.RATE_LIMIT),
        (429, b'{"error": {"type": "insufficient_quota"}}', FailureKind.QUOTA),
        (500, b"", FailureKind.SERVER),
        (502, b"", FailureKind.UNAVAILABLE),
        (503, b"", FailureKind.UNAVAILABLE),
        (504, b"", FailureKind.UNAVAILABLE),
        (529, b"", FailureKind.UNAVAILABLE),
        (302, b"", FailureKind.PROTOCOL),
        (418, b"", FailureKind.REJECTED),
        (599, b"", FailureKind.SERVER),
    ],
)
def test_a_status_is_a_kind(status: int, body: bytes, kind: FailureKind) -> None:
    assert failure_of(status, {}, body, NOON).kind is kind


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "1"}, 1.0),
        ({"retry-after": "Mon, 05 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 05 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e30"}, 86_400.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
    ],
)
def test_the_waiting_time_is_a_number_of_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, NOON) == seconds


async def test_a_provider_s_words_do_not_get_out() -> None:
    """Abuse case 48."""
    sent = head("401 Unauthorized", "application/json", Retry_After="3") + b'{"error": "Bad key sk-live-1234"}'

    _, failure = await answer_to(sent, a_request())

    assert failure is not None
    assert (failure.kind, failure.retry_after_s, failure.arrived) == (FailureKind.CREDENTIALS, 3.0, False)
    assert "1234" not in f"{failure!r} {failure} {failure.params} {failure.__cause__} {failure.args}"


async def test_an_endless_error_page_is_read_only_so_far() -> None:
    _, failure = await answer_to(head("503 Busy", "text/html") + b"x" * 300_000, a_request())

    assert failure is not None
    assert failure.kind is FailureKind.UNAVAILABLE
