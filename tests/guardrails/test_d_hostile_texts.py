"""D, I3: no text holds the server up while it is searched for secrets, however it is made."""

import time

import pytest

from nova_ui.guardrails.secret_texts import redact_text

CHARS = 199_999
# Processor time on a slow machine. What is read anew from each of its beginnings takes many times as long.
ENOUGH_S = 1.5


@pytest.mark.parametrize(
    ("beginning", "repeated"),
    [
        ("", "pbkdf2_"),
        ("", "eyJ-eyJ_"),
        ("", "eyJaaaaa-"),
        ("-----BEGIN ", "PRIVATE KEY "),
        ("-----BEGIN PRIVATE KEY-----" + "-----END ", "PRIVATE KEY "),
    ],
)
def test_i3_a_hostile_text_is_searched_for_secrets_in_bounded_time(beginning: str, repeated: str) -> None:
    text = (beginning + repeated * CHARS)[:CHARS] + "!"
    began = time.process_time()

    redact_text(text)

    assert time.process_time() - began < ENOUGH_S


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("eyJhbGciOi.eyJzdWIi.c2ln", "[secret]"),
        ("-eyJhbGciOi.eyJzdWIi.", "-[secret]"),
        ("x eyJaaaaa-eyJhbGciOi.eyJzdWIi.c2ln.a.b y", "x [secret] y"),
        ("eyJhbGciOi.eyJzdWIi", "eyJhbGciOi.eyJzdWIi"),
        ("://a/reset/abcdefghij012345:0", "://a/reset/[secret]:[secret]"),
        ("eyJhbGciOi-AKIAABCDEFGHIJKLMNOP", "eyJhbGciOi-[secret]"),
    ],
)
def test_d3_what_is_bounded_still_finds_its_secrets(text: str, shown: str) -> None:
    assert redact_text(text) == shown
