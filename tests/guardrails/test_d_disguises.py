"""D2 to D4: secrets of more kinds, with what nobody sees between their letters, and as people say them."""

import time

import pytest

from nova_ui.guardrails.refusal import Code
from nova_ui.guardrails.secret_texts import redact_text
from nova_ui.guardrails.secrets_in import check_arguments, mask_live_secrets

LETTERS = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
HEX = "0123456789abcdef0123456789abcdef"
KEY = f"ghp_{LETTERS}"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
PEM = "-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY-----"
# Put together here, so that nobody takes them for found ones.
KINDS = [
    f"gsk_{LETTERS}", f"r8_{LETTERS}", f"ntn_{LETTERS}", f"secret_{LETTERS}", f"xai-{LETTERS}", f"pplx-{LETTERS}",
    f"nvapi-{LETTERS}", f"xkeysib-{HEX}-x1", f"lin_api_{LETTERS}", f"figd_{LETTERS}", f"dapi{HEX}", f"ATATT3x{LETTERS}",
    f"123456789:AA{LETTERS}", f"abc8Q~{LETTERS}", f"dckr_pat_{LETTERS}", f"glsa_{LETTERS}_0a", f"sntrys_{LETTERS}",
    f"NRAK-{LETTERS}", f"dp.pt.{LETTERS}", f"AccountKey={LETTERS}==;EndpointSuffix=core",
]  # fmt: skip
DISGUISED = [
    KEY[:10] + "\u200b" + KEY[10:],
    KEY[:2] + "\u00ad" + KEY[2:],
    KEY[:9] + "\u2060\ufe0f" + KEY[9:],
    "".join(chr(ord(one) + 0xFEE0) for one in KEY),
    JWT[:25] + "\u200d" + JWT[25:],
    PEM.replace("PRIVATE", "PRI\u200bVATE"),
    PEM.replace("-----", "\u2014----"),
    PEM.replace("-----", "----"),
    PEM.lower(),
    "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUVvdwo=",
]
SAID = [
    ("my password is Hunter2!x", "my password is [secret]"),
    ("Mein Passwort ist Hunter2x, danke", "Mein Passwort ist [secret], danke"),
    ("Das Kennwort lautet: nein, das **Passwort** ist **Sommer2024!**", "ist **[secret]**"),
    ("password -> hunter2x9", "password -> [secret]"),
    ("the api key is 9f8e7d6c5b4a", "the api key is [secret]"),
    ("foo --password hunter --user ada", "foo --password [secret] --user ada"),
    ("foo --client-secret 'hunter'", "foo --client-secret '[secret]'"),
    ("<user>ada</user><bind-password>hunter</bind-password>", "<bind-password>[secret]</bind-password>"),
    ("<ns:clientSecret> hunter </ns:clientSecret>", "<ns:clientSecret> [secret]</ns:clientSecret>"),
]


@pytest.mark.parametrize("secret", [*KINDS, *DISGUISED])
def test_d4_more_kinds_of_secrets_and_disguised_ones_are_masked_and_refused(secret: str) -> None:
    masked = mask_live_secrets(f"Use {secret} now")
    refusal = check_arguments({"note": f"Use {secret} now"})

    assert "[secret]" in masked
    assert redact_text(masked) == masked
    for part in (LETTERS[4:24], HEX[:20], "MIIEow", "miieow", "c2lnbmF0dXJl", "FiQ1J"):
        assert part not in masked
    assert refusal is not None
    assert (refusal.code, refusal.reason) == (Code.SECRET_ARGUMENT, "live_secret")


@pytest.mark.parametrize(("text", "shown"), SAID)
def test_d4_what_is_said_to_be_a_secret_is_masked(text: str, shown: str) -> None:
    assert shown in mask_live_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "the password is expired since 2026",
        "Das Passwort ist abgelaufen, der Token ist weg",
        "a secret is nothing for a chat",
        "--password-policy strict --key",
        "<password/> and <password></password>",
        "Gru\u0308\u00dfe \u200f\u05e9\u05dc\u05d5\u05dd\u200f \u2014 \u00bd \uff11",
        "family \U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f",
        "At 10:AA in room 3x, secret_santa and r8_group",
    ],
)
def test_d4_what_only_sounds_so_is_left_to_the_letter(text: str) -> None:
    assert mask_live_secrets(text) == text


@pytest.mark.parametrize(
    ("beginning", "repeated"),
    [("", "--a-"), ("--password ", "-"), ("", "<a_"), ("<password>", "x"), ("", "password is "), ("", "\u2014"),
     ("", "a\u200b"), ("", "1:AA"), ("", "LS0t")],
)  # fmt: skip
def test_i3_hostile_texts_of_these_kinds_take_bounded_time(beginning: str, repeated: str) -> None:
    text = (beginning + repeated * 199_999)[:199_999] + "!"
    began = time.process_time()

    redact_text(text)

    assert time.process_time() - began < 1.5
