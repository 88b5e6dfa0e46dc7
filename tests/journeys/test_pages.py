"""Every page in a real browser, as each of the four who sign in: sound, in its language, and for nobody else.

The administrator opens each wide, in English and light, and again narrow, in German and dark; the others, who find the
same pages with less on them, in one of the two. That is some eighty pages and takes about 40 seconds.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from nova_ui.domain.identity import Language
from nova_ui.i18n.translator import Translator, Translators
from nova_ui.pages.navigation import OWN_SETTINGS, SIDE_BAR, Place
from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.journeys.person import Person
from tests.journeys.test_browser import FLAGS, Complaints

pytestmark = pytest.mark.chromium


@dataclass(frozen=True, slots=True, kw_only=True)
class Tour:
    """Somebody who opens all pages, in one language, and how many the side bar has for them."""

    login: str
    language: Language
    places: int


OBJECTS: Final = {
    "/identities": "/identities",
    "/groups": "/groups",
    "/roles": "/roles",
    "/applications": "/applications",
    "/administration/routines": "/lifecycle-routines",
    "/administration/routine-runs": "/lifecycle-runs",
    "/administration/ai-routines": "/administration/ai-routines",
}
TOURS: Final = (
    Tour(login="mara.koenig", language=Language.ENGLISH, places=17),
    Tour(login="mara.koenig", language=Language.GERMAN, places=17),
    Tour(login="paul.adler", language=Language.GERMAN, places=11),
    Tour(login="lea.brandt", language=Language.ENGLISH, places=5),
    Tour(login="tim.vogt", language=Language.GERMAN, places=3),
)
_SERIOUS: Final = frozenset({"serious", "critical"})
_PATIENCE_MS: Final = 15_000


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS])
        expect.set_options(timeout=_PATIENCE_MS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser, server: RunningServer, tour: Tour) -> Iterator[BrowserContext]:
    if tour.language is Language.ENGLISH:
        context = browser.new_context(
            base_url=server.url, viewport={"width": 1360, "height": 860}, color_scheme="light", locale="en-GB"
        )
    else:
        context = browser.new_context(
            base_url=server.url, viewport={"width": 360, "height": 740}, color_scheme="dark", locale="de-DE"
        )
    context.set_default_timeout(_PATIENCE_MS)
    yield context
    context.close()


@pytest.fixture
def person(sign_in: Callable[[str], Person], tour: Tour) -> Person:
    person = sign_in(tour.login)
    assert person.request("PATCH", "/me", {"preferred_language": tour.language.value}).status_code == 200
    return person


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: f"{tour.login}-{tour.language.value}")
def test_every_page_is_sound_and_open_to_those_it_is_for(
    tour: Tour, person: Person, context: BrowserContext, server: RunningServer
) -> None:
    tr = Translators().for_language(tour.language)
    complaints = Complaints(context, server.url)
    page = context.new_page()
    _sign_in(page, tour.login)

    offered = _offered(page, tour.places)
    for place in (*SIDE_BAR, OWN_SETTINGS):
        if place.path in offered or place is OWN_SETTINGS:
            _open(page, place.path)
            expect(page).to_have_title(tr("{page} · Nova", page=tr(place.label)))
            _is_marked_as_open(page, place)
            _is_sound(page)
        else:
            _answers_like_a_missing_page(page, place.path, tr)
    for path, title in _object_pages(person):
        if _list_of(path) in offered:
            _open(page, path)
            expect(page).to_have_title(tr("{page} · Nova", page=title))
            _is_sound(page)

    assert complaints.heard == []


@pytest.mark.parametrize("tour", TOURS[-1:])
def test_pages_of_objects_answer_like_missing_ones_where_the_object_is_not_for_the_person(
    tour: Tour, person: Person, context: BrowserContext, mara: Person
) -> None:
    """Somebody gets the address of a page from a colleague who may open it."""
    page = context.new_page()
    _sign_in(page, tour.login)
    for path, title in _object_pages(mara):
        if path not in dict(_object_pages(person)):
            text = _answers_like_a_missing_page(page, path, Translators().for_language(tour.language))
            assert title not in text


def test_axe_hears_of_a_serious_fault(browser: Browser) -> None:
    """So that silence of axe means something."""
    page = browser.new_page()
    page.set_content("<html lang=en><title>t</title><main><h1>h</h1><button></button></main>")
    assert _serious_faults(page) == ["button-name: button"]
    page.close()


def _sign_in(page: Page, login: str) -> None:
    page.goto("/sign-in")
    page.locator("input[name=login]").fill(login)
    page.locator("input[name=password]").fill(DEMO_PASSWORD)
    page.locator("button[type=submit]").click()
    _ready(page)


def _open(page: Page, path: str) -> None:
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200, path
    _ready(page)


def _ready(page: Page) -> None:
    page.wait_for_function("window.did_handshake === true")
    page.locator(".nova-nav a").first.wait_for(state="attached")


def _offered(page: Page, places: int) -> frozenset[str]:
    """Return the addresses in the side bar, of which there must be so many."""
    links = page.locator(".nova-nav a")
    expect(links).to_have_count(places)
    return frozenset(str(address) for address in links.evaluate_all("all => all.map(a => a.getAttribute('href'))"))


def _is_marked_as_open(page: Page, place: Place) -> None:
    """The side bar shows where one is; the own settings hang on the person's name."""
    if place is OWN_SETTINGS:
        assert page.locator(f"a[href='{place.path}']").count() >= 1
    else:
        assert page.locator(".nova-nav a[aria-current=page]").get_attribute("href") == place.path


def _is_sound(page: Page) -> None:
    """No serious fault for axe, and nothing that scrolls sideways."""
    assert _serious_faults(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{page.url} scrolls sideways"


def _serious_faults(page: Page) -> list[str]:
    # without reading style sheets ahead: axe puts them into elements of its own, which the policy refuses aloud
    found = Axe().run(page, options={"preload": False}).response["violations"]
    return [
        f"{fault['id']}: {' '.join(str(target) for target in node['target'])}"
        for fault in found
        if fault["impact"] in _SERIOUS
        for node in fault["nodes"]
    ]


def _answers_like_a_missing_page(page: Page, path: str, tr: Translator) -> str:
    """Ask without drawing; return the answer."""
    answer = page.request.get(path)
    assert answer.status == 404, path
    text = answer.text()
    assert re.findall("<title>(.*?)</title>", text) == [tr("{page} · Nova", page=tr("Page not found"))], path
    return text


def _list_of(path: str) -> str:
    """Return the address of the list from which one comes to an object's page."""
    return path.rpartition("/")[0].replace("routine-runs", "routines")


def _object_pages(person: Person) -> list[tuple[str, str]]:
    """Return path and title of one object page of each kind that has anything for the person."""
    found = []
    for path, endpoint in OBJECTS.items():
        answer = person.client.get(f"/api/v1{endpoint}")
        if answer.status_code == 200 and answer.json()["items"]:
            first = answer.json()["items"][0]
            name = first.get("display_name") or first.get("name") or first["routine"]["display_name"]
            found.append((f"{path}/{first['key' if 'ai-routines' in path else 'id']}", str(name)))
    return found
