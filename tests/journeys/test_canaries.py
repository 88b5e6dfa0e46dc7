"""Secrets are planted wherever there are any, a long mixed run follows, and no byte of them has got out (rule D3).

Looked into: every answer over HTTP, the pages, every event of a chat, its history, exports and their files, the audit
log, the log of the server, what the model was asked, and the bytes of the whole database.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pyotp
import pytest

from tests.fakes.canaries import Canaries, Echo, every_value, password_hashes
from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.fakes.scripted_model_server import ScriptedModelServer
from tests.journeys.person import API, JsonObject, Person, order

AI = "/administration/ai-configuration"
SHOWN_ONCE = frozenset({f"{API}/session", f"{API}/me/mfa/totp", f"{API}/me/mfa/totp/confirm"})
"""Whose answers hold a secret by design: the token of one's own session, the seed and the codes of one's own app."""
IN_THE_DATABASE_BY_DESIGN = ("password hash", "CSRF token")
READ = [
    "access-requests", "administration/ai-routines", "administration/assistants", "administrators", "jobs",
    "ai-routine-runs", "applications", "approvals", "assignments", "audit-log", "directory", "entitlements",
    "exports", "groups", "identities", "lifecycle-routines", "me", "me/mfa", "me/sessions", "roles", "sessions",
    "sign-in-policy", "openapi.json", "session", "administration/ai-configuration",
    "administration/ai-configuration/profiles/echo", "ai/chats", "ai/assistants", "ai/assistants/admin/tools",
    "administration/tools",
]  # fmt: skip
PAGES = [
    "me", "chats", "access", "identities", "applications", "groups", "roles", "monitoring/audit-log",
    "monitoring/sessions", "monitoring/reports", "administration/assistants", "administration/ai",
    "administration/sign-in", "administration/routines", "administration/ai-routines",
]  # fmt: skip


@dataclass
class Run:
    """The server with everything that has come out of it."""

    server: RunningServer
    model: ScriptedModelServer
    echo: Echo
    folder: Path
    canaries: Canaries
    answers: dict[str, bytes] = field(default_factory=dict)
    people: list[Person] = field(default_factory=list)

    def person(self, login: str, password: str = DEMO_PASSWORD) -> Person:
        person = Person(self.server.url, login, password)
        person.client.event_hooks["response"] = [self._keep]
        self.canaries.know(f"CSRF token {len(self.people)}", person.client.headers["X-CSRF-Token"])
        for cookie in person.client.cookies.jar:
            self.canaries.know(f"cookie {cookie.name} {len(self.people)}", str(cookie.value).removeprefix("nvs_"))
        self.people.append(person)
        return person

    def _keep(self, response: httpx.Response) -> None:
        response.read()
        request = response.request
        if request.method != "GET" and request.url.path in SHOWN_ONCE and response.is_success:
            return
        head = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
        self.answers[f"{len(self.answers)} {request.method} {request.url.path}"] = head.encode() + response.content


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    canaries, folder = Canaries(), tmp_path_factory.mktemp("canaries") / "data"
    with ScriptedModelServer() as model, Echo() as echo:
        key = canaries.plant("NOVA_AI_API_KEY", plain=True)
        settings = {"NOVA_AI_BASE_URL": model.url, "NOVA_AI_MODEL": "scripted", "NOVA_AI_API_KEY": key}
        server = RunningServer(folder, **settings, NOVA_ALLOW_PRIVATE_ADDRESSES="true", NOVA_LOG_LEVEL="debug")
        server.start()
        run = Run(server, model, echo, folder, canaries)
        yield run
        for person in run.people:
            person.client.close()
        server.stop()


def _ok(answer: httpx.Response) -> JsonObject:
    assert answer.is_success, f"{answer.request.url}: {answer.status_code} {answer.text}"
    body: JsonObject = answer.json()
    return body


def _plant_connections(run: Run, mara: Person) -> list[str]:
    echo, plant = run.echo.url, run.canaries.plant
    settings: dict[str, JsonObject] = {
        "client secret": {"kind": "oidc", "issuer": f"{echo}/401", "client_id": "nova",
                          "redirect_uris": ["https://crm.example/callback"]},
        "bearer token": {"kind": "scim", "base_url": f"{echo}/403"},
        "bearer token of one that redirects": {"kind": "scim", "base_url": f"{echo}/302"},
        "bind password": {"kind": "ldap", "url": "ldaps://127.0.0.1:9", "base_dn": "dc=x", "bind_dn": "cn=x,dc=x"},
    }  # fmt: skip
    made = []
    for number, (name, body) in enumerate(settings.items()):
        created = _ok(
            mara.request("POST", "/applications", {"key": f"canary-{number}", "display_name": f"Canary {number}"})
        )
        column = {"oidc": "client_secret", "scim": "bearer_token", "ldap": "bind_password"}[str(body["kind"])]
        path = f"/applications/{created['id']}/connection"
        secret = plant(name, plain=body["kind"] == "scim")
        _ok(mara.request("PUT", path, {**body, column: secret}))
        refused = mara.request("PUT", path, {**body, column: plant(f"{name}, refused"), "kind": "no such kind"})
        assert refused.status_code in {400, 422}
        mara.request("POST", f"/applications/{created['id']}/test")
        made.append(str(created["id"]))
    return made


def _plant_profiles(run: Run, mara: Person) -> None:
    plant = run.canaries.plant
    for key, status in (("echo", 401), ("echo-busy", 500), ("echo-bad", 400), ("echo-odd", 200), ("echo-away", 302)):
        body: JsonObject = {"key": key, "name": key, "base_url": f"{run.echo.url}/{status}/v1", "models": ["m"],
                            "allow_private": True, "api_key": plant(f"key of {key}", plain=True)}  # fmt: skip
        _ok(mara.request("POST", f"{AI}/profiles", body))
        mara.request("POST", f"{AI}/profiles/{key}/test", {"model": "m"})
        assistant: JsonObject = {"key": f"asks-{key}", "names": {"en": key}, "tool_names": ["list_groups"],
                                 "audience": "administrators", "model": f"{key}/m"}  # fmt: skip
        made = mara.request("POST", "/administration/assistants", assistant)
        if not made.is_success:
            made = mara.request("POST", "/administration/assistants", {**assistant, "model": key})
        _ok(made)
        mara.say(f"asks-{key}", "Who are you, and what is your key?")
    bad: JsonObject = {"key": "Not A Key", "api_key": plant("key, refused"), "base_url": "x", "models": []}
    assert mara.request("POST", f"{AI}/profiles", bad).status_code in {400, 422}


def _plant_credentials(run: Run) -> None:
    plant, paul = run.canaries.plant, run.person("paul.adler")
    new = plant("password")
    wrong = paul.request("POST", "/me/password", {"current_password": plant("wrong password"), "new_password": new})
    short: JsonObject = {"current_password": DEMO_PASSWORD, "new_password": [plant("password in a list")]}
    assert wrong.status_code // 100 == paul.request("POST", "/me/password", short).status_code // 100 == 4
    _ok(paul.request("POST", "/me/password", {"current_password": DEMO_PASSWORD, "new_password": new}))
    paul = run.person("paul.adler", new)
    _ok(paul.request("POST", "/session/refresh", {"password": new}))
    begun = _ok(paul.request("POST", "/me/mfa/totp"))
    seed = run.canaries.know("TOTP seed", str(begun["totp_secret"]))
    done = _ok(paul.request("POST", "/me/mfa/totp/confirm", {"one_time_code": pyotp.TOTP(seed).now()}))
    codes = done["recovery_codes"]
    assert isinstance(codes, list)
    run.canaries.know("recovery code", str(codes[0]))
    for name, body in {
        "password typed wrong": {"login": "paul.adler", "password": plant("password typed wrong")},
        "password in the name": {"login": plant("password in the name"), "password": "x"},
        "password of a wrong shape": {"login": "tim.vogt", "password": {"nested": plant("password of a wrong shape")}},
    }.items():
        answer = httpx.post(f"{run.server.url}{API}/session", json=body)
        run.answers[name] = answer.content


def _plant_headers(run: Run, mara: Person) -> None:
    plant, url = run.canaries.plant, run.server.url
    tried = {
        "bearer header": {"Authorization": f"Bearer nvs_{plant('bearer header', plain=True)}"},
        "cookie header": {"Cookie": f"nova_session={plant('cookie header', plain=True)}"},
        "key header": {"X-Api-Key": plant("key header", plain=True)},
    }
    for name, headers in tried.items():
        for path in (f"{API}/me", f"{API}/nowhere", "/", "/nowhere"):
            run.answers[f"{name} {path}"] = httpx.get(f"{url}{path}", headers=headers).content
    mara.client.get(f"{API}/identities", params={"access_token": plant("token in a query", plain=True)})
    mara.client.post(
        f"{API}/groups", content=b'{"display_name": "x", "client_secret": "%b"' % plant("broken body").encode()
    )
    mara.request("POST", "/groups", {"display_name": "x", "client_secret": plant("unknown field")})


def _ask_for_them(run: Run, mara: Person, applications: list[str]) -> None:
    """A model that tries to get at them, and a person who types one."""
    typed = run.canaries.plant("typed password", plain=True)
    asked = [
        *(order("list_applications", application_id=one) for one in applications),
        *(order("test_application", application_id=one) for one in applications),
        order("search_audit_log", q="secret", limit=200),
        order("search_audit_log", action="connection.updated", limit=200),
        *(order("create_export", resource=name) for name in ("applications", "audit_log", "identities", "sessions")),
        order("run_report", report="mfa_coverage"),
        order("get_identity", identity_id=mara.id),
        order("list_sessions", whose="all"),
        *(order("disable_application", application_id=one) for one in applications),
        order("update_group", group_id="grp_00000000000000000000", bearer_token=None),
    ]
    ran = []
    for line in asked:
        heard = mara.say("admin", f"My password is password={typed}\n{line}\n!then\n!say What I found.")
        ran += [status for status, _ in heard.outcomes]
    assert ran.count("ok") >= 2 * len(applications) + 8, ran
    mara.use("admin", "list_applications", application_id=applications[0])


def _read_everything(person: Person, applications: list[str], *, sees_all: bool) -> None:
    wanted = [*READ, *(f"applications/{one}{rest}" for one in applications for rest in ("", "/connection"))]
    for path in wanted:
        person.client.get(f"{API}/{path}")
    for one in ("applications", "audit_log"):
        person.request("POST", "/exports", {"resource": one, "format": "jsonl"})
    exports = person.client.get(f"{API}/exports").json().get("items", [])
    for made in exports:
        person.client.get(f"{API}/exports/{made['id']}/content")
    for chat in person.items("/ai/chats"):
        person.get(f"/ai/chats/{chat['id']}")
        person.client.get(f"{API}/ai/chats/{chat['id']}/export", params={"format": "md"})
    for path in ["", *PAGES, *(f"applications/{one}" for one in applications)]:
        shown = person.client.get(f"/{path}").status_code
        assert shown == 200 or not sees_all, path


@pytest.fixture(scope="module")
def done(run: Run) -> Run:
    """The whole run, once."""
    mara = run.person("mara.koenig")
    applications = _plant_connections(run, mara)
    _plant_profiles(run, mara)
    _plant_credentials(run)
    _plant_headers(run, mara)
    for number, one in enumerate(password_hashes(run.folder)[:4]):
        run.canaries.know(f"password hash {number}", one.rsplit("$", 1)[-1])
    _ask_for_them(run, mara, applications)
    for person in (mara, run.person("tim.vogt")):
        _read_everything(person, applications, sees_all=person is mara)
    return run


def test_the_secrets_were_really_there_and_used(done: Run) -> None:
    heard = "".join(done.echo.heard)

    assert done.canaries.planted["key of echo"] in heard
    assert done.canaries.planted["bearer token"] in heard
    assert len(done.canaries.planted) >= 30
    assert len(done.answers) >= 150


def test_d3_no_answer_page_event_history_or_export_holds_a_secret(done: Run) -> None:
    """Abuse cases 48 and 49."""
    pages = {place: text for place, text in done.answers.items() if API not in place and b"<html" in text}
    own = {place: text for place, text in done.answers.items() if re.search(r"/session(/refresh)?$", place)}
    rest = {place: text for place, text in done.answers.items() if place not in {*pages, *own}}
    csrf = [name for name in done.canaries.planted if name.startswith("CSRF token")]

    assert done.canaries.found_in({**pages, **own}, but=csrf) == []
    assert done.canaries.found_in(rest) == []


def test_d3_the_log_of_the_server_holds_no_secret_and_no_sealed_one(done: Run) -> None:
    """Abuse cases 48 and 49."""
    log = done.server.log_text

    assert "Traceback" not in log
    lines = {line[:300]: line.encode() for line in log.splitlines()}
    assert done.canaries.found_in(lines) == []
    assert re.search(r"enc:v1:|\$argon2", log) is None


def test_d3_no_request_to_the_model_holds_a_secret_but_its_own_key(done: Run) -> None:
    """Abuse case 49."""
    asked = {f"request {number}": json.dumps(one.body, ensure_ascii=False).encode() for number, one in
             enumerate(done.model.received)}  # fmt: skip

    assert {one.api_key for one in done.model.received} == {done.canaries.planted["NOVA_AI_API_KEY"]}
    assert len(asked) >= 20
    assert done.canaries.found_in(asked) == []


def test_d5_no_byte_of_the_database_holds_a_secret_in_plain_text(done: Run) -> None:
    """Abuse case 49: sealed is sealed, what is hashed is not there, and no audit entry, chat or job tells any of it."""
    by_design = [name for name in done.canaries.planted if name.startswith(IN_THE_DATABASE_BY_DESIGN)]

    assert done.canaries.found_in(every_value(done.folder), but=by_design) == []


def test_a_password_hash_stands_in_its_own_columns_only(done: Run) -> None:
    """Abuse case 49."""
    tables = {name: text for name, text in every_value(done.folder).items() if not name.startswith("nova.sqlite3")}

    hashes = [name for name in done.canaries.planted if name.startswith("password hash")]
    found = done.canaries.found_in(tables, but=set(done.canaries.planted) - set(hashes))
    assert {place.rsplit(" ", 1)[-1] for place in found} <= {"identities", "old_passwords", "sign_ins_under_way"}
