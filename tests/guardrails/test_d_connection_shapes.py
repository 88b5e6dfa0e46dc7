"""Secrets of connections as real systems write them: by the shape of a value and by its place (rule D3)."""

import json

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.guardrails.redaction import redact

WORD = "hunter2"
TOKEN = "q9X2mLk8ZpT4vR7wq9X2mLk8"
KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----"
PICTURE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA"
LINK = "otpauth://totp/Nova:ada?secret=JBSWY3DPEHPK3PXP&issuer=Nova"
PARTS = (WORD, TOKEN, "MIIEvQ", "iVBORw", "JBSWY3")

SHAPES: dict[str, JsonValue] = {
    "PEM under key": {"key": KEY},
    "PEM with its line breaks escaped": {"key": KEY.replace("\n", "\\n")},
    "PEM on one line": {"certificate": {"key": KEY.replace("\n", " ")}},
    "PEM that was cut off": {"key": KEY[:60]},
    "bind password as an array in a free map": {"config": {"bindCredential": [WORD], "vendor": ["ad"]}},
    "bind password in camel case": {"config": {"bindPassword": [WORD, WORD]}},
    "bind password in snake case": {"config": {"bind_password": [WORD]}},
    "name and value": {"properties": [{"name": "client_secret", "value": WORD}]},
    "key and value, capitalised": {"properties": [{"Key": "bindPassword", "Value": WORD}]},
    "name and values": {"properties": [{"name": "bearer_token", "values": [WORD]}]},
    "setting and value": {"properties": [{"setting": "bearerToken", "value": WORD}]},
    "option and value": {"properties": [{"option": "bind-password", "value": WORD}]},
    "pairs as lists": {"properties": [["bind_password", WORD]]},
    "object as a JSON string": {"details": json.dumps({"connection": {"client_secret": WORD}})},
    "object as a JSON string in a JSON string": {"details": json.dumps({"a": json.dumps({"bind_password": WORD})})},
    "object as JSON within a sentence": {"message": f"updated: {json.dumps({'client_secret': WORD})}"},
    "seed in a link": {"value": LINK},
    "seed in a link within a sentence": {"note": f"Scan {LINK} now"},
    "QR code by its name": {"qr_code": PICTURE},
    "QR code beside its link": {"image": PICTURE, "url": LINK},
    "token in a URL": {"link": f"https://x.example/callback?access_token={TOKEN}"},
    "token in a fragment": {"link": f"https://x.example/callback#id_token={TOKEN}"},
    "token in a path": {"link": f"https://x.example/reset/{TOKEN}"},
    "user and password": {"base_url": f"https://svc:{WORD}@scim.example/v2"},
    "user and password of a directory": {"url": f"ldaps://nova:{WORD}@dir.example"},
    "user and password within a sentence": {"message": f"calling https://svc:{WORD}@scim.example failed"},
    "token in the place of the user": {"url": f"https://{TOKEN}@code.example/repository"},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_d3_a_secret_of_a_connection_is_hidden_in_every_shape(shape: str) -> None:
    """Abuse case 45."""
    shown = json.dumps(redact(SHAPES[shape]))

    assert [part for part in PARTS if part in shown] == []
    assert "[secret]" in shown


def test_d3_a_connection_as_nova_shows_it_stays_readable() -> None:
    shown: JsonObject = {
        "kind": "oidc",
        "state": "ok",
        "test_code": "credentials",
        "client_secret": {"set": True, "updated_at": "2026-03-02T09:00:00Z", "hint": None},
        "bind_password": {"set": False, "updated_at": None, "hint": None},
        "token_endpoint_auth_method": "client_secret_basic",
        "redirect_uris": ["https://crm.example/callback"],
        "bind_dn": "cn=nova,ou=services,dc=example",
        "user_filter": "(objectClass=inetOrgPerson)",
        "base_url": "https://git@code.example/scim",
        "rotated_at": None,
    }

    assert redact(shown) == shown


def test_d3_what_was_hidden_once_is_hidden_under_a_harmless_name_too() -> None:
    shown = json.dumps(redact({"config": {"bindPassword": [TOKEN]}, "note": f"it was {TOKEN}"}))

    assert TOKEN not in shown
