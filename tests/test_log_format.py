"""One event, one line that nobody else wrote: no break, terminal code or turned text, and no words of an exception."""

import logging
import os
import sys

import pytest

from nova_ui.log_format import EventFormatter
from tests.fakes.canaries import a_canary, forms_of

HOSTILE = "a\r\n2026-01-01 00:00:00,000 INFO nova sign_in.ok\x1b[2K\x1b[31m\u202egnp\u2028b\x00\x9b\u200b"


def _line(message: str = "event", *args: object, error: BaseException | None = None, **extra: object) -> str:
    info = None if error is None else (type(error), error, error.__traceback__)
    record = logging.LogRecord("nova", logging.INFO, __file__, 1, message, args, info)
    record.__dict__.update(extra)
    return EventFormatter().format(record)


@pytest.mark.parametrize(
    "line",
    [
        _line(HOSTILE),
        _line("of %s", HOSTILE),
        _line("of %(a)s", {"a": HOSTILE}),
        _line(name_of_somebody=HOSTILE),
        _line(ids=[HOSTILE], more={HOSTILE: HOSTILE}),
        _line(user_agent=HOSTILE.encode()),
        _line(error=ValueError(HOSTILE)),
        _line(error=OSError(2, HOSTILE, HOSTILE)),
    ],
    ids=["message", "argument", "named argument", "value", "values", "bytes", "exception", "error of the system"],
)
def test_no_text_of_others_begins_a_line_or_moves_the_cursor(line: str) -> None:
    first, *further = line.split("\n")

    assert " INFO nova " in first
    assert all(one.startswith("    ") for one in further)
    assert all(one.isprintable() for one in (first, *further))


def test_a_line_tells_its_moment_in_utc() -> None:
    record = logging.LogRecord("nova", logging.INFO, __file__, 1, "event", (), None)
    record.created, record.msecs = 1_798_761_599.5, 500.0

    assert EventFormatter().format(record) == "2026-12-31T23:59:59.500Z INFO nova event"


def test_an_exception_tells_its_type_and_place_and_what_the_system_says_and_no_other_words() -> None:
    secret = a_canary(plain=True)

    def fails() -> None:
        try:
            os.environ[secret]
        except KeyError as cause:
            raise RuntimeError(f"could not use {secret}") from cause

    with pytest.raises(RuntimeError) as caught:
        fails()
    line = _line(error=caught.value)
    of_the_system = _line(error=ConnectionRefusedError(111, "Connection refused"))

    assert not any(form in line.encode() for form in forms_of(secret))
    assert line.index("builtins.KeyError") < line.index("builtins.RuntimeError")
    assert f"{__file__}" in line
    assert "in fails" in line
    assert of_the_system.endswith("builtins.ConnectionRefusedError: Connection refused")


def test_an_extra_value_is_bounded() -> None:
    assert len(_line(model="x" * 100_000)) < 2_000


def test_a_stack_and_an_exception_without_end_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = ValueError("a"), ValueError("b")
    one.__cause__, other.__cause__ = other, one

    assert _line(error=one).count("ValueError") == 2
    logger = logging.getLogger("tests.stack")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(EventFormatter())
    logger.addHandler(handler)
    logger.warning("seen", stack_info=True)
    assert "test_a_stack_and_an_exception" in capsys.readouterr().err
