"""D: secrets stay out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_ui.domain.json_value import JsonValue
from nova_ui.errors import NovaConflict
from nova_ui.guardrails.outcome import Failed, Ran, Refused
from nova_ui.guardrails.redaction import SECRET_PLACEHOLDER, redact, redact_object, redact_text
from nova_ui.guardrails.refusal import Code
from nova_ui.guardrails.secret_names import is_secret_name
from nova_ui.guardrails.secrets_in import check_arguments, mask_live_secrets
from tests.builders import a_raw_call, a_reading_tool, a_writing_tool
from tests.guardrails.doors import Counted, a_turnstile

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
LIVE = [
    PEM,
    JWT,
    "sk-abcdef1234567890",
    "sk-ant-api03-abcdefghijklmnop",
    "sk_live_abcdefgh12345678",
    "ghp_0123456789abcdefghij0123456789abcdef",
    "github_pat_11ABCDEFG0abcdefghijkl_mnop",
    "glpat-abcdefghij0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "xoxb-123456789012-abcdefABCDEF",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    "otpauth://totp/Nova:ada?secret=JBSWY3DPEHPK3PXP&issuer=Nova",
    "enc:v1:k1:AbCdEf-_012345",
    "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$aGFzaA",
    "https://ada:hunter2@nova.example/feed",
    "https://nova.example/reset/abcdefghij0123456789",
    "https://nova.example/cb?access_token=abcdef",
    "Authorization: Bearer abc",
    "Bearer abcdef0123456789",
    "Basic YWRhOmh1bnRlcjI=",
    "Basic dXNlcjpwYXNz",
    "https://hooks.slack.com/services/T0000/B0000/abcdefghijkl",
]
SECRET_NAMES = [
    "password",
    "clientSecret",
    "client-secret",
    "CLIENT_SECRET",
    "API_KEY",
    "apikey",
    "api_key_value",
    "newSigningKeyCurrent",
    "accessToken",
    "refresh_token",
    "passphrase",
    "privateKey",
    "Passwort",
    "neues_kennwort",
    "Client-Geheimnis",
    "API-Schlüssel",
    "recovery_codes",
    "einmalcode",
    "otpkey",
    "bindPassword",
    "X-Api-Key",
    "Set-Cookie",
    "connectionString",
    "pin",
    "keytab",
    "key_data",
    "answer",
    "password2",
    "passwordHash",
]
LOOK_ALIKES: dict[str, JsonValue] = {
    "token_count": 12,
    "tokens": 1200,
    "password_policy": "at least 12 characters",
    "secretary": "Ms. Weiss",
    "revoke_tokens": True,
    "access_token_lifespan": 300,
    "token_endpoint_auth_method": "client_secret_basic",
    "password_changed_at": "2026-01-01",
    "password_last_changed": "2026-01-01",
    "token_endpoint_base": "https://nova.example",
    "log": "token_count=12&url=https://nova.example/a1, string: abc123",
    "application_key": "crm",
    "key": "helpdesk",
    "api_key_id": "key_1",
    "session_id": "ses_1",
    "methods": ["pwd", "otp"],
    "Passwortrichtlinie": "streng",
    "pass_rate": "93 %",
    "d": "north",
    "code": "state_conflict",
    "next_cursor": "abc",
    "mfa_methods": ["totp"],
    "note": "The basic information is in the task-force wiki, see section 2: tokens.",
    "action": "identity.password_reset_sent",
    "photo": "data:image/png;base64,AAAA",
    "client_secret": {"set": True, "updated_at": "2026-01-01T00:00:00Z", "hint": None},
}


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_d3_a_secret_name_hides_its_value_in_any_case_style_english_and_german(name: str) -> None:
    """Abuse case 45."""
    assert is_secret_name(name)
    assert redact({name: "hunter2"}) == {name: SECRET_PLACEHOLDER}
    assert redact({"deep": [{name: ["hunter2", "hunter3"]}]}) == {
        "deep": [{name: [SECRET_PLACEHOLDER, SECRET_PLACEHOLDER]}]
    }


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_d3_names_that_only_look_secret_pass(name: str) -> None:
    assert redact({name: LOOK_ALIKES[name]}) == {name: LOOK_ALIKES[name]}


@pytest.mark.parametrize("secret", LIVE)
def test_d3_a_value_that_looks_secret_is_hidden_under_any_name(secret: str) -> None:
    """Abuse case 45."""
    values: list[JsonValue] = [{"value": secret}, [f"before {secret} after"], {secret: 1}, json.dumps({"x": [secret]})]
    for value in values:
        text = json.dumps(redact(value))

        assert SECRET_PLACEHOLDER in text
        for part in ("hunter2", "MIIEow", "c2lnbmF0dXJl", "abcdefghij01234", "JBSWY3DPEHPK3PXP", "AbCdEf", "aGFzaA"):
            assert part not in text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"name": "client_secret", "value": "x"}, {"name": "client_secret", "value": "[secret]"}),
        ({"Key": "bindCredential", "Value": ["x"]}, {"Key": "bindCredential", "Value": ["[secret]"]}),
        (
            {"field": "bind_password", "before": "a", "after": "b"},
            {"field": "bind_password", "before": "[secret]", "after": "[secret]"},
        ),
        ([["Authorization", "x"], ["Accept", "y"]], [["Authorization", "[secret]"], ["Accept", "y"]]),
        ({"log": '{"password": "x", "a": 1}'}, {"log": '{"password": "[secret]", "a": 1}'}),
        ({"log": 'sent {"password": "x y", "a": 1}'}, {"log": 'sent {"password": "[secret]", "a": 1}'}),
        ({"log": r'"{\"password\": \"x y\"}"'}, {"log": r'"{\"password\": \"[secret]\"}"'}),
        ({"log": "password=x&b=1"}, {"log": "password=[secret]&b=1"}),
        ({"log": '{"credentials": {"x": "y"}}'}, {"log": '{"credentials": {"x": "[secret]"}}'}),
        ({"secret": {"set": True, "value": "x"}}, {"secret": {"set": True, "value": "[secret]"}}),
        ({"secret": {"set": "x"}}, {"secret": {"set": "[secret]"}}),
        ({"secret": {"updated_at": "x"}}, {"secret": {"updated_at": "[secret]"}}),
        ({"secret": {"set": True, "hint": "x"}}, {"secret": {"set": True, "hint": "[secret]"}}),
        ({"googleurl": {"img": "data:image/png;base64,AA"}}, {"googleurl": {"img": "[secret]"}}),
        ({"img": "data:image/png;base64,AA", "v": "otpauth://x"}, {"img": "[secret]", "v": "[secret]"}),
        ({"kty": "RSA", "n": "public", "d": "private"}, {"kty": "RSA", "n": "public", "d": "[secret]"}),
        ({"credentials": {"value": "y", "age": 3}}, {"credentials": {"value": "[secret]", "age": 3}}),
        ({"pin": 1234}, {"pin": "[secret]"}),
        ({"password": None, "secret": "", "token": False}, {"password": None, "secret": "", "token": False}),
    ],
)  # fmt: skip
def test_d3_secrets_are_found_by_their_place(value: JsonValue, expected: JsonValue) -> None:
    """Abuse case 45."""
    assert redact(value) == expected


def test_d3_a_field_that_nova_marks_is_hidden_and_no_other_field_of_that_kind() -> None:
    assert redact({"shade": "blue", "size": "l"}, frozenset({"shade"})) == {"shade": "[secret]", "size": "l"}


def test_d3_a_secret_hidden_in_one_place_is_hidden_wherever_it_stands() -> None:
    """Abuse case 46."""
    value: JsonValue = {"client_secret": "s3cr3t-value", "note": "it was s3cr3t-value", "list": ["s3cr3t-value"]}

    assert redact(value) == {"client_secret": "[secret]", "note": "it was [secret]", "list": ["[secret]"]}


async def test_d3_a_result_reaches_the_model_and_the_history_without_secrets() -> None:
    turnstile = a_turnstile(a_reading_tool(run=Counted(answer={"api_key": "abc", "log": f"x {JWT}"})))

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Ran)
    for text in (outcome.content, outcome.text):
        assert '{"api_key":"[secret]","log":"x [secret]"}' in text


async def test_d3_a_secret_that_a_citation_marker_parts_is_hidden_as_well() -> None:
    turnstile = a_turnstile(a_reading_tool(run=Counted(answer="ghp_0123456789【1】abcdefghij0123456789")))

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert outcome.text == "[secret]"


async def test_d3_an_endpoints_error_is_told_without_secrets() -> None:
    error = NovaConflict(f"The token {JWT} is used already.")

    outcome = await a_turnstile(a_writing_tool(run=Counted(error=error))).pass_call(a_raw_call("update_group"))

    assert isinstance(outcome, Failed)
    assert JWT not in outcome.content
    assert "The token [secret] is used already." in outcome.content


@pytest.mark.parametrize("name", [*SECRET_NAMES, "remove_client_secret"])
@pytest.mark.parametrize("value", ["hunter2", "", None, SECRET_PLACEHOLDER, [], {}])
def test_d2_a_secret_is_neither_set_nor_cleared(name: str, value: JsonValue) -> None:
    """Abuse cases 43 and 44."""
    arguments_with_it: list[dict[str, JsonValue]] = [
        {name: value},
        {"change": {name: value}},
        {"items": [{name: value}]},
    ]
    for arguments in arguments_with_it:
        refusal = check_arguments(arguments)

        assert refusal is not None
        assert (refusal.code, refusal.reason) == (Code.SECRET_ARGUMENT, "secret_field")
        assert "hunter2" not in refusal.advice


@pytest.mark.parametrize(
    "arguments",
    [
        {"note": json.dumps({"client_secret": None})},
        {"note": json.dumps(json.dumps({"a": [{"password": ""}]}))},
        {"remove_fields": ["client_secret"]},
        {"clear": "password"},
        {"columns": ["name", "client_secret"]},
        {"changes": [{"op": "remove", "path": "/client_secret"}]},
        {"changes": [{"name": "bind_password", "value": "x"}]},
        {"note": SECRET_PLACEHOLDER},
        {"note": "password=hunter2"},
        {"labels": {"ghp_0123456789abcdefghij": "x"}},
        {"pin": 1234},
        {"tokens": "x"},
        {"note": "[" * 90 + "]" * 90},
        {"fields": '["password"]'},
        {"fields": '"password"'},
        {"note": '{"a":' * 90 + "1" + "}" * 90},
    ],
)
def test_d2_indirect_ways_to_touch_a_secret_are_refused(arguments: dict[str, JsonValue]) -> None:
    """Abuse case 44."""
    refusal = check_arguments(arguments)

    assert refusal is not None
    assert refusal.code is Code.SECRET_ARGUMENT


def test_d2_a_field_that_nova_marks_is_refused_by_its_own_name() -> None:
    assert check_arguments({"a": {"shade": "blue"}}, secret_fields=frozenset({"shade"})) is not None
    assert check_arguments({"a": {"shade": "blue"}}) is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"revoke_tokens": True},
        {"access_token_lifespan": 300},
        {"token_count": 5},
        {"max_tokens": 5},
        {"q": "password"},
        {"display_name": "Password Team"},
        {"action": "identity.password_reset_sent"},
        {"columns": ["name", "password_changed_at"]},
        {"note": "Please see the password policy: it has changed."},
        {"note": "[1, 2]"},
        {"note": "{not json"},
        {"change": {"name": "Sales"}},
        {"change": {"name": "client_secret"}},
        {"op": "replace", "note": "client_secret"},
        {"fields": ["The password"]},
        {"revoke_token": True},
    ],
)
def test_d2_look_alikes_pass(arguments: dict[str, JsonValue]) -> None:
    assert check_arguments(arguments) is None


def test_d2_a_declared_flag_passes_with_its_default() -> None:
    assert check_arguments({"revoke_token": None}, frozenset({"revoke_token"})) is None
    assert check_arguments({"revoke_token": None}) is not None


@pytest.mark.parametrize("secret", LIVE)
async def test_d4_a_live_secret_is_refused_as_an_argument_and_not_repeated(secret: str) -> None:
    run = Counted()
    turnstile = a_turnstile(a_writing_tool(run=run))

    outcome = await turnstile.pass_call(a_raw_call("update_group", {"group_id": "grp_1", "note": f"Set {secret}"}))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.SECRET_ARGUMENT, "live_secret")
    assert secret not in outcome.content
    assert run.runs == 0


@pytest.mark.parametrize("secret", LIVE)
def test_d4_a_live_secret_is_masked_in_what_is_typed(secret: str) -> None:
    masked = mask_live_secrets(f"Use this:\n{secret}\nthanks")

    assert SECRET_PLACEHOLDER in masked
    assert masked.startswith("Use this:\n")
    for part in ("hunter2", "MIIEow", "c2lnbmF0dXJl", "abcdefghij01234", "JBSWY3DPEHPK3PXP"):
        assert part not in masked


@pytest.mark.parametrize(
    "text",
    [
        "How many tokens did we use? Token count: 12",
        "Show the password policy: is it strict?",
        "Lösche die Gruppe desk-1234 und task-force-2026-report",
        "Who is the secretary of Tim Vogt?",
        "Basic access for everybody, bearer of news",
        "Passwort: bitte ändern",
    ],
)
def test_d4_ordinary_words_are_left_as_typed(text: str) -> None:
    assert mask_live_secrets(text) == text


planted = st.text(alphabet="ABCDEFGHJKLMNPQRSTUVWXYZ", min_size=12, max_size=20).map(lambda text: f"zq7{text}9x")
shells = st.sampled_from(
    [
        lambda secret: {"password": secret},
        lambda secret: {"name": "apiKey", "value": secret},
        lambda secret: f"https://ada:{secret}@host/",
        lambda secret: json.dumps({"client-secret": secret}),
        lambda secret: json.dumps({"a": json.dumps({"Kennwort": [secret]})}),
        lambda secret: f"access_token={secret}; path=/",
        lambda secret: f"Authorization: Bearer {secret}",
        lambda secret: {"private_key": {"value": [secret]}},
        lambda secret: f"sk-{secret}",
        lambda secret: f"-----BEGIN PRIVATE KEY-----\n{secret}\n-----END PRIVATE KEY-----",
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@given(secret=planted, shell=shells, around=st.lists(json_values, max_size=3), deep=st.integers(0, 5))
def test_d3_redaction_leaves_no_planted_secret(secret: str, shell: object, around: list[JsonValue], deep: int) -> None:
    value: JsonValue = shell(secret)  # type: ignore[operator]  # sampled from functions
    for _ in range(deep):
        value = {"inner": [*around, value]}

    assert secret not in json.dumps(redact(value), ensure_ascii=False)


@given(value=json_values)
def test_d3_redaction_is_stable(value: JsonValue) -> None:
    once = redact(value)

    assert redact(once) == once


@given(text=st.text() | st.sampled_from(LIVE).flatmap(lambda secret: st.text(max_size=9).map(lambda t: t + secret + t)))
def test_d3_redacting_a_text_twice_changes_nothing(text: str) -> None:
    once = redact_text(text)

    assert redact_text(once) == once


def test_d3_an_object_stays_an_object() -> None:
    assert redact_object({"password": "x"}) == {"password": "[secret]"}
