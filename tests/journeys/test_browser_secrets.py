"""Nothing that a browser keeps of our pages holds a secret: no store, no history, no address, no page (rule D3).

Somebody signs in, enters the password again, sets an authenticator app up, fills in forms with keys and passwords,
types one into the chat, and walks through the pages. What a field holds while one types is the person's own.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import pyotp
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.fakes.canaries import Canaries
from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.journeys.person import Person, order
from tests.journeys.test_browser import Complaints, context, ready, sign_in_as

__all__ = ["context"]  # the browser of those tests
pytestmark = pytest.mark.chromium

_KEPT: Final = """async () => {
  const stores = {};
  for (const {name} of await indexedDB.databases()) {
    const db = await new Promise((done, no) => {
      const r = indexedDB.open(name); r.onsuccess = () => done(r.result); r.onerror = no;
    });
    for (const store of db.objectStoreNames) stores[name + "/" + store] = await new Promise((done) => {
      db.transaction(store).objectStore(store).getAll().onsuccess = (e) => done(e.target.result);
    });
  }
  const cached = [];
  for (const name of await caches.keys()) for (const one of await (await caches.open(name)).keys())
    cached.push(one.url, await (await caches.match(one)).text());
  return JSON.stringify({
    local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie, name: window.name, stores, cached,
    workers: (await navigator.serviceWorker?.getRegistrations() ?? []).map((one) => one.scope),
    state: history.state, address: location.href, title: document.title, referrer: document.referrer,
    asked: performance.getEntries().map((one) => one.name), page: document.documentElement.outerHTML,
  })
}"""
_PLANT: Final = """async (mark) => {
  localStorage.setItem("a", mark); sessionStorage.setItem("b", mark); history.replaceState({c: mark}, "");
  document.cookie = "d=" + mark; window.name = mark; document.body.dataset.e = mark;
  await (await caches.open("f")).put("/f", new Response(mark));
  await new Promise((done) => {
    const r = indexedDB.open("g"); r.onupgradeneeded = () => r.result.createObjectStore("h", {autoIncrement: true});
    r.onsuccess = () => { r.result.transaction("h", "readwrite").objectStore("h").add(mark).onsuccess = done; };
  });
}"""
PAGES: Final = (
    "/", "/me", "/chats", "/identities", "/applications", "/groups", "/roles", "/access", "/monitoring/audit-log",
    "/monitoring/sessions", "/administration/routines", "/administration/ai-routines",
    "/administration/assistants", "/administration/ai", "/administration/sign-in", "/monitoring/reports",
)  # fmt: skip


@dataclass
class Walk:
    """A person in a browser, with what the browser kept at each place."""

    page: Page
    canaries: Canaries
    kept: dict[str, bytes] = field(default_factory=dict)

    def look(self, place: str, *, while_typing: bool = False) -> None:
        """Note what this page keeps now; while one types without the page itself, whose field holds it."""
        kept = json.loads(self.page.evaluate(_KEPT))
        self.kept[place] = json.dumps(kept | ({"page": "<html"} if while_typing else {}), ensure_ascii=False).encode()

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_role("dialog").get_by_label(re.compile(f"^{re.escape(label)}")).first.fill(text)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def walk(context: BrowserContext, server: RunningServer, mara: Person) -> Iterator[Walk]:
    assert mara.request("PATCH", "/me", {"preferred_language": "en"}).status_code == 200
    complaints = Complaints(context, server.url)
    page = context.new_page()
    canaries = Canaries()
    canaries.know("password", DEMO_PASSWORD)
    page.goto("/sign-in")
    walk = Walk(page, canaries)
    walk.look("before signing in")
    sign_in_as(page, "mara.koenig")
    for cookie in context.cookies():
        assert cookie["httpOnly"]
        canaries.know(f"cookie {cookie['name']}", cookie["value"].removeprefix("nvs_"))
    yield walk
    assert complaints.heard == []


def _set_an_app_up(walk: Walk) -> None:
    page, canaries = walk.page, walk.canaries
    page.goto("/me")
    ready(page)
    walk.press("Set up authenticator app")
    again = page.get_by_role("dialog")
    again.get_by_label("Password").fill(canaries.plant("password typed wrong", plain=True))
    again.get_by_role("button", name="Continue").click()
    expect(again.get_by_role("alert")).to_have_text("Password or code is not correct.")
    again.get_by_label("Password").fill(DEMO_PASSWORD)
    again.get_by_role("button", name="Continue").click()
    seed = page.locator(".nova-code").first.inner_text().replace(" ", "")
    page.get_by_label("Code", exact=True).last.fill(pyotp.TOTP(canaries.know("seed", seed)).now())
    walk.press("Confirm")
    expect(page.locator(".nova-codes .nova-code")).to_have_count(10)
    for number, code in enumerate(page.locator(".nova-codes .nova-code").all_inner_texts()):
        canaries.know(f"recovery code {number}", code)
    walk.press("I have kept them")
    expect(page.get_by_text("Your authenticator app is set up.")).to_be_visible()
    walk.look("after setting an app up")


def _fill_forms_in(walk: Walk, application: str) -> None:
    page = walk.page
    page.goto("/administration/ai")
    ready(page)
    walk.press("New profile")
    walk.fill("Key, such as house-model", "canary")
    walk.fill("Name", "Canary")
    walk.fill("Address, such as https://api.example.com/v1", "https://model.example/v1")
    walk.fill("Models", "some-model")
    walk.fill("Key (written only, never shown again)", walk.canaries.plant("profile key", plain=True))
    page.get_by_role("dialog").get_by_role("button", name="New profile").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    walk.look("after the key of a profile")
    page.goto(f"/applications/{application}")
    ready(page)
    walk.press("Connect by LDAP")
    walk.fill("Address, such as ldaps://directory.example", "ldaps://directory.example")
    walk.fill("Bind password", walk.canaries.plant("bind password", plain=True))
    walk.fill("Bind DN", "cn=nova")
    walk.fill("Base DN", "dc=example")
    walk.look("while a secret stands in a field", while_typing=True)
    walk.press("Save")
    expect(page.get_by_role("dialog")).to_have_count(0)
    walk.look("after the secret of a connection")
    expect(page.get_by_role("button", name="Test connection")).to_be_visible()


def _type_in_the_chat(walk: Walk) -> None:
    page = walk.page
    page.goto("/")
    ready(page)
    typed = walk.canaries.plant("typed", plain=True)
    box = page.get_by_role("textbox", name="Message")
    box.fill(f"My password is password={typed}\n{order('list_applications')}\n!then\n!say All of them.")
    box.press("Enter")
    expect(page.get_by_text("All of them.").last).to_be_visible()
    walk.look("after typing a password into the chat")
    page.reload()
    ready(page)
    walk.look("after loading the chat again")


def test_whatever_a_browser_can_keep_is_looked_into(walk: Walk) -> None:
    """Only so is it of any worth that the other test finds nothing."""
    walk.page.goto("/me")  # which leaves its address as it is
    ready(walk.page)
    walk.page.evaluate(_PLANT, "a-mark-to-be-found")

    walk.look("planted")

    assert walk.kept["planted"].count(b"a-mark-to-be-found") == 8


def test_d3_nothing_that_a_browser_keeps_holds_a_secret(walk: Walk, mara: Person, context: BrowserContext) -> None:
    """Abuse case 49."""
    application = mara.request("POST", "/applications", {"key": "canary", "display_name": "Canary"}).json()["id"]
    before = {cookie["name"]: cookie["value"] for cookie in context.cookies()}
    _set_an_app_up(walk)
    after = {cookie["name"]: cookie["value"] for cookie in context.cookies()}
    walk.canaries.know("new session cookie", after["nova_session"].removeprefix("nvs_"))
    _fill_forms_in(walk, application)
    _type_in_the_chat(walk)
    for path in PAGES:
        walk.page.goto(path)
        ready(walk.page)
        walk.look(path)
    stored = json.dumps(context.storage_state(indexed_db=True)["origins"]).encode()

    assert before["nova_session"] != after["nova_session"]  # entering the password again gave it a new token
    assert len(walk.kept) == len(PAGES) + 7
    assert all(re.search(rb'"page": ?"<html', one) for one in walk.kept.values())
    assert walk.canaries.found_in({**walk.kept, "what the browser would restore": stored}) == []
