"""The main job in a real browser: ask, read the card, confirm, find it in the log, open it again, delete it."""

import re
import secrets
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, expect, sync_playwright
from pydantic import JsonValue

from nova_ui.domain.identity import Language
from nova_ui.i18n.translator import Translator, Translators
from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.fakes.scripted_model_server import Answer, Call, ScriptedModelServer
from tests.journeys.person import Person, order

pytestmark = pytest.mark.chromium

FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PATIENCE_MS: Final = 15_000


class Complaints:
    """What a browser holds against a page: errors in the console, violations of the CSP, requests that lead away."""

    def __init__(self, context: BrowserContext, home: str) -> None:
        self.heard: list[str] = []
        self._home = home
        context.on("console", self._console)
        context.on("weberror", lambda error: self.heard.append(f"error: {error.error}"))
        context.on("request", self._request)
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        is_about_a_response = message.text.startswith("Failed to load resource")  # told with its address below
        if (message.type == "error" and not is_about_a_response) or "Content Security Policy" in message.text:
            self.heard.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self._home, self._home.replace("http", "ws", 1), "data:", "blob:")):
            self.heard.append(f"leaves: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.heard.append(f"{response.status}: {response.request.method} {response.url}")


@pytest.fixture
def context(chromium: str, server: RunningServer) -> Iterator[BrowserContext]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS])
        context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 800}, locale="en-GB")
        context.set_default_timeout(_PATIENCE_MS)
        expect.set_options(timeout=_PATIENCE_MS)
        yield context
        browser.close()


def _sign_in(page: Page) -> None:
    page.goto("/")
    expect(page).to_have_url(re.compile("/sign-in"))
    sign_in_as(page, "mara.koenig")


def sign_in_as(page: Page, login: str) -> None:
    """Fill the form in that is open."""
    page.locator("input[name=login]").fill(login)
    page.locator("input[name=password]").fill(DEMO_PASSWORD)
    page.locator("button[type=submit]").click()
    ready(page)


def ready(page: Page) -> None:
    """Wait until the page hears and is heard."""
    page.wait_for_function("window.did_handshake === true")


def _ask(page: Page, tr: Translator, text: str) -> None:
    box = page.get_by_role("textbox", name=tr("Message"))
    box.fill(text)
    box.press("Enter")


@pytest.mark.parametrize("language", list(Language))
def test_the_main_job_from_sign_in_to_deletion(
    language: Language, context: BrowserContext, server: RunningServer, mara: Person
) -> None:
    tr = Translators().for_language(language)
    name = f"old-project-{secrets.token_hex(3)}"
    doomed = mara.make_group(name)
    assert mara.request("PATCH", "/me", {"preferred_language": language.value}).status_code == 200
    complaints = Complaints(context, server.url)
    page = context.new_page()

    _sign_in(page)
    _ask(page, tr, f"Delete {name}\n{order('delete_group', group_id=doomed)}\n!then\n!say A card, please.")
    card = page.get_by_role("region", name=tr("Confirmation required"))
    expect(card).to_contain_text(name)
    expect(card).to_contain_text(tr("Current state"))
    page.keyboard.press("Enter")  # the focus is on the card, where Enter must not confirm by accident
    assert mara.has_group(doomed)
    card.get_by_role("button", name=tr("Confirm and execute")).click()
    expect(card.get_by_role("button", name=tr("Confirm and execute"))).to_have_count(0)
    assert not mara.has_group(doomed)
    address = page.url

    page.goto("/monitoring/audit-log")
    ready(page)
    expect(page.get_by_role("table")).to_contain_text("Mara König")
    page.get_by_role("button", name=tr("Origin"), exact=True).click()
    page.locator(".q-menu").get_by_text(tr("AI chat"), exact=True).click()
    expect(page).to_have_url(re.compile("origin=ai_chat"))
    expect(page.get_by_role("table")).to_contain_text(name)
    expect(page.get_by_role("table")).not_to_contain_text("session.started")

    page.goto("/chats")
    ready(page)
    page.get_by_role("link").filter(has_text=name).click()
    ready(page)
    expect(page.get_by_role("region", name=tr("Confirmation required"))).to_contain_text(name)
    expect(page.get_by_role("button", name=tr("Confirm and execute"))).to_have_count(0)
    assert "chat=" in address or "chat=" in page.url

    page.goto("/chats")
    ready(page)
    line = page.get_by_role("listitem").filter(has_text=name)
    line.get_by_role("button").click()
    page.locator(".q-menu").get_by_text(tr("Delete"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=tr("Delete"), exact=True).click()
    expect(page.get_by_role("link").filter(has_text=name)).to_have_count(0)
    assert mara.items("/ai/chats", q=name) == []
    assert complaints.heard == []


def test_a_running_answer_goes_on_after_a_reload(
    context: BrowserContext, server: RunningServer, mara: Person, model: ScriptedModelServer
) -> None:
    assert mara.request("PATCH", "/me", {"preferred_language": "en"}).status_code == 200
    tr = Translators().for_language(Language.ENGLISH)
    complaints = Complaints(context, server.url)
    page = context.new_page()
    _sign_in(page)
    model.queue(Answer(text="It began before the reload and ended after it.", delay_s=0.5))

    _ask(page, tr, "Tell me")
    expect(page.get_by_text("It began")).to_be_visible()
    page.reload()
    ready(page)

    expect(page.get_by_text("It began before the reload and ended after it.")).to_be_visible()
    assert complaints.heard == []


def test_a_session_that_ends_sends_its_page_to_the_sign_in(context: BrowserContext, mara: Person) -> None:
    page = context.new_page()
    _sign_in(page)
    others = [session["id"] for session in mara.items("/me/sessions") if not session["current"]]

    for session_id in others:
        assert mara.request("DELETE", f"/me/sessions/{session_id}").status_code == 200

    expect(page).to_have_url(re.compile("/sign-in"))


MARKUP: Final = "<img src=x onerror='window.pwned=1'><b>bold</b>{{7*7}}${7*7}</script><script>window.pwned=2</script>"
LURES: Final = """![a picture](https://evil.example/a.png) ![b][b] <img src=https://evil.example/c.png>
<iframe src=https://evil.example/d></iframe><style>body{background:url(https://evil.example/e)}</style>
<form action=https://evil.example/f><button>Confirm and execute</button></form> [click](javascript:window.pwned=3)

[b]: https://evil.example/b.png"""


def test_h2_hostile_texts_are_words_on_every_page_and_call_nothing(
    context: BrowserContext, server: RunningServer, mara: Person, model: ScriptedModelServer
) -> None:
    """Abuse cases 29, 59 and 60."""
    assert mara.request("PATCH", "/me", {"preferred_language": "en", "display_name": MARKUP[:80]}).status_code == 200
    tr = Translators().for_language(Language.ENGLISH)
    mark = secrets.token_hex(4)
    body: dict[str, JsonValue] = {"display_name": f"{mark} {MARKUP}"[:100], "description": MARKUP}
    hostile = mara.request("POST", "/groups", body)
    assert hostile.status_code in {200, 201}, hostile.text
    complaints = Complaints(context, server.url)
    page = context.new_page()
    _sign_in(page)

    model.queue(Answer(text=LURES, calls=(Call(name="delete_group", arguments={"group_id": hostile.json()["id"]}),)))
    model.queue(Answer(text=LURES))
    _ask(page, tr, f"{mark} {MARKUP}")
    card = page.get_by_role("region", name=tr("Confirmation required"))
    expect(card).to_contain_text(mark)
    assert card.get_by_role("button", name=tr("Confirm and execute")).count() == 1
    assert page.get_by_role("button", name=tr("Confirm and execute")).count() == 1
    _is_unharmed(page)
    for path in ("/chats", "/groups", f"/groups/{hostile.json()['id']}", "/monitoring/audit-log"):
        page.goto(path)
        ready(page)
        page.wait_for_timeout(300)
        _is_unharmed(page)

    assert mara.request("PATCH", "/me", {"display_name": "Mara König"}).status_code == 200
    assert complaints.heard == []


def _is_unharmed(page: Page) -> None:
    assert page.evaluate("window.pwned") is None
    assert page.locator("img[src='x'], iframe, form[action*='evil'], [src*='evil'], [href^='javascript']").count() == 0
