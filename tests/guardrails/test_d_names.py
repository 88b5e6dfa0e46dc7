"""D1 to D4 by tables: names of secrets in two languages and every case style, and names that only look like them."""

import json
from collections.abc import Callable, Iterator

import pytest
from pydantic import create_model

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import ToolArguments
from nova_ui.guardrails.redaction import SECRET_PLACEHOLDER, redact, redact_text
from nova_ui.guardrails.secret_names import SecretFields, is_secret_name
from nova_ui.guardrails.secret_schema import find_in_schema
from nova_ui.guardrails.secrets_in import check_arguments, mask_live_secrets

VALUE = "q7Zr2vN8xK4mT1wB"

# Each as its words; styles are made of them.
SECRETS = [
    "password", "new password", "old password", "user password", "password hash", "passwd", "pass phrase", "passphrase",
    "client secret", "shared secret", "secret", "webhook secret", "secret key", "private key", "api key", "access key",
    "encryption key", "signing key", "access token", "refresh token", "id token", "bearer token", "session token",
    "csrf token", "token", "bind password", "bind credential", "credentials", "one time password", "otp", "totp secret",
    "recovery code", "recovery codes", "backup codes", "session cookie", "cookie", "set cookie", "connection string",
    "authorization", "proxy authorization", "smtp password", "database password", "ldap bind password", "pin", "psk",
    "jwt", "seed phrase", "security answer", "key tab",
    "passwort", "neues passwort", "kennwort", "altes kennwort", "benutzer kennwort", "geheimnis", "client geheimnis",
    "zugangsdaten", "anmeldedaten", "api schlüssel", "privater schlüssel", "geheimer schlüssel", "zugriffsschlüssel",
    "zugriffstoken", "einmalcode", "wiederherstellungscodes", "sicherungscodes", "verbindungszeichenfolge",
    "sicherheitsantwort", "sitzungscookie", "dienstkonto passwort",
]  # fmt: skip

# Names that hold such a word and are about something else; with a value that is no secret.
LOOK_ALIKES: dict[str, JsonValue] = {
    "token_count": 12, "prompt_tokens": 1200, "maxTokens": 800, "password_policy": "at least 12", "secretary": "Weiss",
    "access_token_lifespan": 300, "revoke_tokens": True, "password_changed_at": "2026-01-01", "token_type": "opaque",
    "passwordLength": 12, "PASSWORD_MIN_LENGTH": 12, "token-endpoint": "https://a.example/token", "keyboard": "German",
    "token_endpoint_auth_method": "client_secret_basic", "has_password": True, "secret_updated_at": "2026-01-01",
    "api_key_id": "key_1", "session_id": "ses_1", "mfa_methods": ["totp"], "passport": "none kept", "compass": "north",
    "pinned": True, "opinion": "good", "stands_for": "x", "cookie_consent": "given", "key": "helpdesk",
    "application_key": "crm", "primary_key": "id", "keyword": "vpn", "public_key": "ssh-ed25519 AAAA", "bypass": "off",
    "Passwortrichtlinie": "streng", "Kennwortlänge": 12, "Passwort geändert am": "2026-01-01", "Sekretariat": "EG 12",
    "Schlüsselwort": "vpn", "Tokenanzahl": 5, "Geheimhaltungsstufe": "intern", "totp_enabled": True,
    "password_expired": False, "recovery_codes_count": 8, "cookie_lifetime": 60, "credential_type": "public-key",
}  # fmt: skip


def _styles(words: str) -> Iterator[str]:
    parts = words.split()
    yield "_".join(parts)
    yield "-".join(parts)
    yield "_".join(parts).upper()
    yield ".".join(parts)
    yield " ".join(parts)
    yield " ".join(part.capitalize() for part in parts)
    yield "-".join(part.capitalize() for part in parts)
    yield "".join(part.capitalize() for part in parts)
    yield parts[0] + "".join(part.capitalize() for part in parts[1:])
    yield "x_" + "_".join(parts)
    yield "_".join(parts) + "_2"


ALL_NAMES = sorted({(words, name) for words in SECRETS for name in _styles(words)})

WRAPS: dict[str, Callable[[str], JsonValue]] = {
    "flat": lambda name: {name: VALUE},
    "in a list": lambda name: [[{"a": [{name: [VALUE, VALUE]}]}]],
    "an object of its own": lambda name: {name: {"current": VALUE, "parts": [VALUE]}},
    "JSON in a text": lambda name: {"details": json.dumps({"a": {name: VALUE}})},
    "JSON in JSON in a text": lambda name: {"details": json.dumps({"a": json.dumps({name: VALUE})})},
    "name and value": lambda name: {"changes": [{"field": name, "old": VALUE, "new": f"{VALUE}2"}]},
    "cut JSON in a text": lambda name: {"log": "…" + json.dumps({"a": 1, name: f"{VALUE} and more"})[:-6]},
    "JSON cut at its beginning": lambda name: {"log": json.dumps({"a": {"b": 1}, name: VALUE})[9:]},
    "JSON in a sentence": lambda name: {"log": f"sent {json.dumps({name: VALUE})} to them"},
}


@pytest.mark.parametrize("words", SECRETS)
def test_d3_a_name_is_known_in_every_case_style(words: str) -> None:
    """Abuse case 45."""
    assert [name for name in _styles(words) if not is_secret_name(name)] == []


@pytest.mark.parametrize("wrap", WRAPS)
def test_d3_a_value_under_such_a_name_is_hidden_however_it_is_wrapped(wrap: str) -> None:
    """Abuse cases 45 and 46."""
    shown = [name for _, name in ALL_NAMES if VALUE in json.dumps(redact(WRAPS[wrap](name)), ensure_ascii=False)]

    assert shown == []


@pytest.mark.parametrize("left", range(4, len(VALUE)))
def test_d3_of_a_value_that_was_cut_in_its_middle_nothing_is_left(left: int) -> None:
    """Abuse case 47."""
    texts = {name: json.dumps({"a": 1, name: VALUE}, ensure_ascii=False) for _, name in ALL_NAMES}
    cut = {name: text[: text.index(VALUE) + left] for name, text in texts.items()}

    assert [name for name, text in cut.items() if VALUE[:left] in json.dumps(redact({"log": text}))] == []


def test_d2_and_d4_no_such_name_goes_in_with_a_value_or_to_be_cleared() -> None:
    """Abuse cases 43 and 44."""
    values: list[JsonValue] = [VALUE, "", None, [], {}]
    passed = [name for _, name in ALL_NAMES for value in values if check_arguments({"change": [{name: value}]}) is None]

    assert passed == []


def test_d1_a_tool_with_such_a_parameter_does_not_start() -> None:
    """Abuse case 43."""
    names = sorted({name for _, name in ALL_NAMES if name.isidentifier() and not name.startswith("_")})
    models = {name: create_model("Arguments", __base__=ToolArguments, **{name: (str, "")}) for name in names}  # type: ignore[call-overload]  # made by name
    started = [name for name, one in models.items() if not [*find_in_schema(one.model_json_schema(), SecretFields())]]

    assert started == []


@pytest.mark.parametrize("sign", ["=", ": ", ":=", " = ", "%3D"])
def test_d4_what_is_typed_behind_such_a_name_is_masked(sign: str) -> None:
    names = [name for _, name in ALL_NAMES if " " not in name and not name[-1].isdigit()]
    seen = [name for name in names if VALUE in mask_live_secrets(f"please use {name}{sign}{VALUE} today")]

    assert seen == []


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_d3_what_only_looks_like_such_a_name_is_shown(name: str) -> None:
    value = LOOK_ALIKES[name]

    assert redact({"a": [{name: value}]}) == {"a": [{name: value}]}
    assert redact({"a": json.dumps({name: value})}) == {"a": json.dumps({name: value})}
    assert SECRET_PLACEHOLDER not in redact_text(f"the {name} is what they asked for")


@pytest.mark.parametrize("name", [name for name in LOOK_ALIKES if name != "key"])
def test_d2_what_only_looks_like_such_a_name_may_go_in(name: str) -> None:
    assert check_arguments({"change": {name: LOOK_ALIKES[name]}}) is None
