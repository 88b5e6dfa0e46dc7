"""The long mixed run of the canaries: where they are planted, who asks for them, and all that comes out."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pyotp

from tests.fakes.canaries import Canaries, Echo
from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.fakes.scripted_model_server import ScriptedModelServer
from tests.journeys.person import API, JsonObject, Person, order

AI = "/administration/ai-configuration"
SHOWN_ONCE = frozenset({f"{API}/session", f"{API}/me/mfa/totp", f"{API}/me/mfa/totp/confirm"})
"""Whose answers hold a secret by design: the token of one's own session, the seed and the codes of one's own app."""
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
    address: str
    canaries: Canaries
    written: Canaries = field(default_factory=Canaries)  # in records that people may read as they are
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


def _ok(answer: httpx.Response) -> JsonObject:
    assert answer.is_success, f"{answer.request.url}: {answer.status_code} {answer.text}"
    body: JsonObject = answer.json()
    return body


def plant_connections(run: Run, mara: Person) -> list[str]:
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


def plant_profiles(run: Run, mara: Person) -> None:
    plant = run.canaries.plant
    for key, status in (("echo", 401), ("echo-busy", 500), ("echo-bad", 400), ("echo-odd", 200), ("echo-away", 302)):
        body: JsonObject = {"key": key, "name": key, "base_url": f"{run.echo.url}/{status}/v1", "models": ["m"],
                            "allow_private": True, "api_key": plant(f"key of {key}", plain=True),
                            "headers": {"x-team": plant(f"header of {key}", plain=True)}}  # fmt: skip
        _ok(mara.request("POST", f"{AI}/profiles", body))
        mara.request("POST", f"{AI}/profiles/{key}/test", {"model": "m"})
        assistant: JsonObject = {"key": f"asks-{key}", "names": {"en": key}, "tool_names": ["list_groups"],
                                 "audience": "administrators", "model": f"{key}/m"}  # fmt: skip
        made = mara.request("POST", "/administration/assistants", assistant)
        if not made.is_success:
            made = mara.request("POST", "/administration/assistants", {**assistant, "model": key})
        _ok(made)
        mara.say(f"asks-{key}", "Who are you, and what is your key?")
    proxied: JsonObject = {"key": "proxied", "name": "Proxied", "base_url": "https://model.example/v1", "models": ["m"],
                           "proxy_url": run.echo.url, "proxy_allow_private": True, "proxy_user": "nova",
                           "proxy_password": plant("proxy password", plain=True)}  # fmt: skip
    _ok(mara.request("POST", f"{AI}/profiles", proxied))
    mara.request("POST", f"{AI}/profiles/proxied/test", {"model": "m"})
    bad: JsonObject = {"key": "Not A Key", "api_key": plant("key, refused"), "base_url": "x", "models": []}
    assert mara.request("POST", f"{AI}/profiles", bad).status_code in {400, 422}


def keep_old_passwords(mara: Person) -> None:
    """Let the policy keep some; it keeps none unless told to."""
    found = mara.get("/sign-in-policy")
    policy: JsonObject = {
        name: found[name] for name in ("mfa", "methods", "password", "lockout", "session", "networks")
    }
    password = policy["password"]
    assert isinstance(password, dict)
    policy["password"] = {**password, "history": 3}
    _ok(mara.request("PUT", "/sign-in-policy", policy))


def plant_credentials(run: Run) -> None:
    plant, paul = run.canaries.plant, run.person("paul.adler")
    former, new = plant("former password"), plant("password")
    wrong = paul.request("POST", "/me/password", {"current_password": plant("wrong password"), "new_password": new})
    short: JsonObject = {"current_password": DEMO_PASSWORD, "new_password": [plant("password in a list")]}
    assert wrong.status_code // 100 == paul.request("POST", "/me/password", short).status_code // 100 == 4
    _ok(paul.request("POST", "/me/password", {"current_password": DEMO_PASSWORD, "new_password": former}))
    paul = run.person("paul.adler", former)
    _ok(paul.request("POST", "/me/password", {"current_password": former, "new_password": new}))
    paul = run.person("paul.adler", new)
    _ok(paul.request("POST", "/session/refresh", {"password": new}))
    begun = _ok(paul.request("POST", "/me/mfa/totp"))
    seed = run.canaries.know("TOTP seed", str(begun["totp_secret"]))
    done = _ok(paul.request("POST", "/me/mfa/totp/confirm", {"one_time_code": pyotp.TOTP(seed).now()}))
    codes = done["recovery_codes"]
    assert isinstance(codes, list)
    run.canaries.know("recovery code", str(codes[0]))
    _leave_a_sign_in_under_way(run, new)
    for name, body in {
        "password typed wrong": {"login": "paul.adler", "password": plant("password typed wrong")},
        "password in the name": {"login": plant("password in the name"), "password": "x"},
        "password of a wrong shape": {"login": "tim.vogt", "password": {"nested": plant("password of a wrong shape")}},
    }.items():
        answer = httpx.post(f"{run.server.url}{API}/session", json=body)
        run.answers[name] = answer.content


def _leave_a_sign_in_under_way(run: Run, password: str) -> None:
    """Enter the right password in the form, and no code after it."""
    with httpx.Client(base_url=run.server.url, timeout=60) as visitor:
        shown = visitor.get("/sign-in")
        token = re.search(r'name="form_token" value="([0-9a-f]{64})"', shown.text)
        assert token is not None
        fields = {"form_token": token[1], "login": "paul.adler", "password": password}
        origin = {"origin": run.server.url, "sec-fetch-site": "same-origin"}
        entered = visitor.post("/sign-in", data=fields, headers=origin)
        asked = visitor.get(entered.headers["location"])
        run.canaries.know("sign-in under way", visitor.cookies["nova_pending"])
        run.answers["the next step"] = asked.content


def plant_headers(run: Run, mara: Person) -> None:
    plant = run.canaries.plant
    tried = {
        "bearer header": {"Authorization": f"Bearer nvs_{plant('bearer header', plain=True)}"},
        "cookie header": {"Cookie": f"nova_session={plant('cookie header', plain=True)}"},
        "key header": {"X-Api-Key": plant("key header", plain=True)},
    }
    with httpx.Client(base_url=run.server.url, timeout=60) as stranger:
        for name, headers in tried.items():
            for path in (f"{API}/me", f"{API}/nowhere", "/", "/nowhere"):
                run.answers[f"{name} {path}"] = stranger.get(path, headers=headers).content
                stranger.cookies.clear()
    mara.client.get(f"{API}/identities", params={"access_token": plant("token in a query", plain=True)})
    mara.client.post(
        f"{API}/groups", content=b'{"display_name": "x", "client_secret": "%b"' % plant("broken body").encode()
    )
    mara.request("POST", "/groups", {"display_name": "x", "client_secret": plant("unknown field")})


def write_one_into_a_record(run: Run, mara: Person) -> None:
    group = mara.make_group("written")
    words = f"The old one was password={run.written.plant('written password', plain=True)}"
    _ok(mara.request("PATCH", f"/groups/{group}", {"description": words}))


def ask_for_them(run: Run, mara: Person, applications: list[str]) -> None:
    """A model that tries to get at them, and a person who types one."""
    typed = run.canaries.plant("typed password", plain=True)
    asked = [
        *(order("list_applications", application_id=one) for one in applications),
        *(order("test_application", application_id=one) for one in applications),
        order("search_audit_log", q="secret", limit=200),
        order("search_audit_log", action="connection.updated", limit=200),
        *(order("create_export", resource=name) for name in ("applications", "audit_log", "identities", "sessions")),
        order("list_groups", q="written"),
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
    mara.use("admin", "list_groups", q="written")


def read_everything(person: Person, applications: list[str], *, sees_all: bool) -> None:
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
