"""Connections: typed settings, secrets that are only ever written, and the refusal of every way around that."""

import hashlib
import json
from collections.abc import Mapping

import pytest

from storage.encryption import UnsealFailed
from storage.nova.application_tables import SECRET_OF, ConnectionRow, secret_place
from storage.nova.tables import IdempotencyRow
from tests.api.site import Site, an_application

SECRET = "hunter2-never-shown"
OIDC = {
    "kind": "oidc",
    "issuer": "https://login.partner.example/realm",
    "client_id": "nova",
    "redirect_uris": ["https://crm.partner.example/callback?from=nova"],
}
SCIM = {"kind": "scim", "base_url": "https://scim.partner.example/v2"}
LDAP = {
    "kind": "ldap",
    "url": "ldaps://dir.partner.example",
    "base_dn": "dc=partner, dc=example",
    "bind_dn": "cn=nova,dc=partner,dc=example",
}
BODIES: dict[str, Mapping[str, object]] = {"oidc": OIDC, "scim": SCIM, "ldap": LDAP}
ADDRESSES = {"oidc": "issuer", "scim": "base_url", "ldap": "url"}
ELSEWHERE = {
    "oidc": "https://login.evil.example/realm",
    "scim": "https://scim.partner.example:8443/v2",
    "ldap": "ldaps://dir.evil.example",
}


async def an_id(site: Site) -> str:
    application = an_application(owner_ids=[site.people["lea"].id])
    key = application.id
    await site.add(application)
    return key


async def put(site: Site, key: str, body: Mapping[str, object], **more: object) -> dict[str, object]:
    answer = await site.call("mara", f"PUT /applications/{key}/connection", body={**body, **more})
    assert answer.status_code == 200, answer.text
    shown: dict[str, object] = answer.json()
    return shown


async def stored(site: Site, key: str, column: str) -> str | None:
    value: str | None = getattr(await site.get(ConnectionRow, key), column)
    return value


@pytest.mark.parametrize("kind", BODIES)
async def test_d3_a_secret_is_set_and_never_read_back(site: Site, kind: str) -> None:
    key, column = await an_id(site), SECRET_OF[kind]

    shown = await put(site, key, BODIES[kind], **{column: SECRET})

    read = await site.call("mara", f"GET /applications/{key}/connection")
    assert read.json() == shown
    assert shown[column] == {"set": True, "updated_at": "2026-03-02T09:00:00Z", "hint": None}
    assert shown["state"] == "untested"
    assert SECRET not in read.text
    sealed = await stored(site, key, column)
    assert sealed is not None
    assert sealed not in read.text
    assert site.encryption.open(sealed, secret_place(column, key)) == SECRET
    with pytest.raises(UnsealFailed):
        site.encryption.open(sealed, secret_place(column, "app_00000000000000000009"))
    with pytest.raises(UnsealFailed):
        site.encryption.open(sealed, secret_place("other", key))


@pytest.mark.parametrize("kind", BODIES)
async def test_d3_the_log_names_the_fields_and_holds_no_value(site: Site, kind: str) -> None:
    key, column = await an_id(site), SECRET_OF[kind]

    await put(site, key, BODIES[kind], **{column: SECRET})

    [entry] = await site.entries("connection.updated")
    changes = entry.details["changes"]
    assert isinstance(changes, list)
    assert {"field": column} in changes
    assert all(isinstance(change, dict) and change.keys() == {"field"} for change in changes)
    assert SECRET not in json.dumps(entry.details)


@pytest.mark.parametrize("kind", BODIES)
async def test_a_secret_left_out_stays_and_null_clears_it(site: Site, kind: str) -> None:
    key, column = await an_id(site), SECRET_OF[kind]
    await put(site, key, BODIES[kind], **{column: SECRET})
    before = await stored(site, key, column)

    await put(site, key, BODIES[kind])
    kept = await stored(site, key, column)
    shown = await put(site, key, BODIES[kind], **{column: None})

    assert kept == before
    assert len(await site.entries("connection.updated")) == 2
    assert await stored(site, key, column) is None
    assert shown[column] == {"set": False, "updated_at": None, "hint": None}


@pytest.mark.parametrize("kind", BODIES)
async def test_a_stored_secret_follows_to_no_other_address(site: Site, kind: str) -> None:
    """Abuse case 50."""
    key, column = await an_id(site), SECRET_OF[kind]
    await put(site, key, BODIES[kind], **{column: SECRET})
    moved = {**BODIES[kind], ADDRESSES[kind]: ELSEWHERE[kind]}

    refused = await site.call("mara", f"PUT /applications/{key}/connection", body=moved)
    unchanged = (await site.call("mara", f"GET /applications/{key}/connection")).json()

    assert (refused.status_code, refused.json()["field"]) == (400, column)
    assert unchanged[ADDRESSES[kind]] == BODIES[kind][ADDRESSES[kind]]
    assert (await put(site, key, moved, **{column: "another"}))[ADDRESSES[kind]] == ELSEWHERE[kind]
    cleared = await put(site, key, BODIES[kind], **{column: None})
    assert cleared[column] == {"set": False, "updated_at": None, "hint": None}


async def test_a_stored_secret_does_not_stay_when_the_way_is_made_less_safe(site: Site) -> None:
    key = await an_id(site)
    await put(site, key, SCIM, bearer_token=SECRET)

    refused = await site.call("mara", f"PUT /applications/{key}/connection", body={**SCIM, "verify_tls": False})

    assert (refused.status_code, refused.json()["field"]) == (400, "bearer_token")


async def test_another_kind_leaves_no_secret_behind(site: Site) -> None:
    key = await an_id(site)
    await put(site, key, OIDC, client_secret=SECRET)

    await put(site, key, SCIM, bearer_token="another")
    assert await stored(site, key, "client_secret") is None
    shown = await put(site, key, {"kind": "none"})

    assert await stored(site, key, "bearer_token") is None
    assert shown["kind"] == "none"
    names = [{change["field"] for change in one.details["changes"]} for one in await site.entries("connection.updated")]  # type: ignore[index,union-attr,call-overload] # JSON of a test
    assert {"kind", "client_secret", "bearer_token"} <= names[1]
    assert {"kind", "bearer_token"} <= names[2]


@pytest.mark.parametrize(
    ("kind", "changed", "field"),
    [
        ("oidc", {"issuer": "http://login.partner.example"}, "issuer"),
        ("oidc", {"issuer": f"https://someone:{SECRET}@login.partner.example"}, "issuer"),
        ("oidc", {"issuer": "https://169.254.169.254/latest"}, "issuer"),
        ("oidc", {"issuer": f"https://login.partner.example/?code={SECRET}"}, "issuer"),
        ("oidc", {"client_id": "no va"}, "client_id"),
        ("oidc", {"redirect_uris": []}, "redirect_uris"),
        ("oidc", {"redirect_uris": ["https://*.partner.example/"]}, "redirect_uris"),
        ("oidc", {"redirect_uris": ["http://crm.partner.example/"]}, "redirect_uris"),
        ("oidc", {"redirect_uris": ["https://a.example/#x"]}, "redirect_uris"),
        ("oidc", {"redirect_uris": ["https://a.example/", "https://a.example/"]}, "redirect_uris"),
        ("oidc", {"grant_types": ["password"]}, "grant_types"),
        ("oidc", {"grant_types": []}, "grant_types"),
        ("oidc", {"token_endpoint_auth_method": "none", "client_secret": SECRET}, "client_secret"),
        ("oidc", {"token_endpoint_auth_method": "none", "grant_types": ["client_credentials"]}, "grant_types"),
        ("oidc", {"client_secret": ""}, "client_secret"),
        ("oidc", {"client_secret": f" {SECRET}"}, "client_secret"),
        ("oidc", {"client_secret": f"{SECRET}\r\nx"}, "client_secret"),
        ("oidc", {"client_secret": "[secret]"}, "client_secret"),
        ("oidc", {"client_secret": [SECRET]}, "client_secret"),
        ("oidc", {"client_secret": {"value": SECRET}}, "client_secret"),
        ("oidc", {"bearer_token": SECRET}, "bearer_token"),
        ("oidc", {"clientSecret": SECRET}, "clientSecret"),
        ("scim", {"base_url": "https://10.0.0.0.1/"}, "base_url"),
        ("scim", {"bearer_token": f"{SECRET} x"}, "bearer_token"),
        ("scim", {"bearer_token": f"{SECRET}ü"}, "bearer_token"),
        ("scim", {"auth": SECRET}, "auth"),
        ("ldap", {"url": "https://dir.partner.example"}, "url"),
        ("ldap", {"url": "ldap://dir.partner.example"}, "start_tls"),
        ("ldap", {"start_tls": True}, "start_tls"),
        ("ldap", {"base_dn": "partner"}, "base_dn"),
        ("ldap", {"bind_dn": "cn=nova)(uid=*"[:7] + ";x"}, "bind_dn"),
        ("ldap", {"user_filter": "(uid=*))(|(uid=*"}, "user_filter"),
        ("ldap", {"bind_dn": None, "bind_password": SECRET}, "bind_dn"),
    ],
)
async def test_bad_settings_name_the_field_and_repeat_no_value(
    site: Site, kind: str, changed: dict[str, object], field: str
) -> None:
    key = await an_id(site)

    answer = await site.call("mara", f"PUT /applications/{key}/connection", body={**BODIES[kind], **changed})

    assert answer.status_code in {400, 422}, answer.text
    assert field in answer.json()["field"].split(".")
    assert SECRET not in answer.text
    assert (await site.call("mara", f"GET /applications/{key}/connection")).json()["kind"] == "none"
    assert SECRET not in str([entry.details for entry in await site.entries()])


@pytest.mark.parametrize("body", [{"kind": SECRET}, {"kind": [SECRET]}, {SECRET: "oidc"}, [SECRET], SECRET])
async def test_what_is_no_connection_at_all_is_refused_and_not_repeated(site: Site, body: object) -> None:
    key = await an_id(site)

    answer = await site.call("mara", f"PUT /applications/{key}/connection", body=body)

    assert answer.status_code in {400, 422}
    assert SECRET not in answer.text


async def test_a_private_address_is_taken_only_where_the_installation_allows_it(site: Site) -> None:
    key = await an_id(site)
    body = {**SCIM, "base_url": "https://10.1.2.3/scim"}

    object.__setattr__(site.nova.connections, "_allow_private", False)
    try:
        refused = await site.call("mara", f"PUT /applications/{key}/connection", body=body)
    finally:
        object.__setattr__(site.nova.connections, "_allow_private", True)

    assert (refused.status_code, refused.json()["field"]) == (400, "base_url")
    await put(site, key, body)


async def test_b6_no_chat_reads_or_changes_a_connection(site: Site) -> None:
    key = await an_id(site)
    calls = [
        await site.call("mara", f"GET /applications/{key}/connection", via="admin"),
        await site.call(
            "mara", f"PUT /applications/{key}/connection", body={**SCIM, "bearer_token": None}, via="admin"
        ),
        await site.call(
            "mara", f"POST /applications/{key}/connection/rotate-secret", body={"secret": SECRET}, via="admin"
        ),
    ]

    assert [(one.status_code, one.json()["code"]) for one in calls] == [(403, "interface_only")] * 3
    assert SECRET not in "".join(one.text for one in calls)


@pytest.mark.parametrize(("who", "status"), [("paul", 403), ("lea", 403), ("sam", 404)])
async def test_only_administrators_see_how_an_application_is_reached(site: Site, who: str, status: int) -> None:
    key = await an_id(site)
    await put(site, key, SCIM, bearer_token=SECRET)

    answers = [
        await site.call(who, f"GET /applications/{key}/connection"),
        await site.call(who, f"PUT /applications/{key}/connection", body=SCIM),
        await site.call(who, f"POST /applications/{key}/connection/rotate-secret", body={"secret": SECRET}),
        await site.call(who, f"POST /applications/{key}/test"),
    ]

    assert [one.status_code for one in answers] == [status] * 4


async def test_an_auditor_sees_the_kind_and_the_state(site: Site) -> None:
    key = await an_id(site)
    await put(site, key, SCIM, bearer_token=SECRET)

    shown = (await site.call("paul", f"GET /applications/{key}")).json()

    assert (shown["connection"], shown["connection_state"]) == ("scim", "untested")
    assert "partner.example" not in json.dumps(shown)


async def test_a_secret_is_rotated_for_the_same_address(site: Site) -> None:
    key = await an_id(site)
    path = f"POST /applications/{key}/connection/rotate-secret"
    without = await site.call("mara", path, body={"secret": SECRET})
    await put(site, key, SCIM, bearer_token="the-old-one")

    answer = await site.call("mara", path, body={"secret": SECRET}, headers={"Idempotency-Key": "k1"})

    assert (without.status_code, without.json()["code"]) == (409, "state_conflict")
    shown = answer.json()
    assert (shown["state"], shown["rotated_at"]) == ("untested", "2026-03-02T09:00:00Z")
    assert SECRET not in answer.text
    sealed = await stored(site, key, "bearer_token")
    assert site.encryption.open(sealed or "", secret_place("bearer_token", key)) == SECRET
    refused, entry = await site.entries("connection.secret_rotated")
    assert (refused.outcome, entry.details) == ("refused", {"changes": [{"field": "bearer_token"}]})


async def test_a_kept_request_does_not_tell_its_secret_by_a_plain_hash(site: Site) -> None:
    key = await an_id(site)
    await put(site, key, SCIM, bearer_token="the-old-one")
    headers = {"Idempotency-Key": "k1"}
    path = f"POST /applications/{key}/connection/rotate-secret"

    await site.call("mara", path, body={"secret": "1234"}, headers=headers)
    other = await site.call("mara", path, body={"secret": "1235"}, headers=headers)

    assert other.json()["code"] == "idempotency_key_used"
    row = await site.get(IdempotencyRow, 1)  # type: ignore[arg-type] # a number
    plain = f"POST /applications/{key}/connection/rotate-secret?\n".encode() + b'{"secret":"1234"}'
    request, _, rights = row.request_digest.partition(".")
    assert request == site.nova.idempotency.digest(plain)
    assert not {request, rights} & {hashlib.sha256(plain).hexdigest(), ""}


async def test_a_lost_race_is_a_412_and_changes_nothing(site: Site) -> None:
    key = await an_id(site)
    first = await site.call("mara", f"GET /applications/{key}/connection")
    tag = {"If-Match": first.headers["etag"]}

    mine = await site.call("mara", f"PUT /applications/{key}/connection", body=SCIM, headers=tag)
    theirs = await site.call("otto", f"PUT /applications/{key}/connection", body=LDAP, headers=tag)

    assert (mine.status_code, theirs.status_code) == (200, 412)
    assert (await site.call("mara", f"GET /applications/{key}/connection")).json()["kind"] == "scim"


async def test_a_changed_connection_is_a_changed_application(site: Site) -> None:
    key = await an_id(site)
    before = (await site.call("mara", f"GET /applications/{key}")).headers["etag"]

    await put(site, key, SCIM)

    assert (await site.call("mara", f"GET /applications/{key}")).headers["etag"] != before
