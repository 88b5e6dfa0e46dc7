"""What surrounds every page: side bar, header, the way out."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from nicegui import ui

from nova_ui.components.buttons import icon_button
from nova_ui.domain.identity import Identity, Role
from nova_ui.domain.text import mark
from nova_ui.pages.navigation import OWN_SETTINGS, Place, places_for
from nova_ui.pages.visit import Visit

ASSETS_PATH: Final = "/assets"
DARK: Final = {"light": False, "dark": True}  # anything else follows the system
ROLE_WORDS: Final = (
    (Role.ADMINISTRATOR, mark("Administrator")),
    (Role.AUDITOR, mark("Auditor")),
    (Role.MANAGER, mark("Manager")),
    (Role.USER, mark("User")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The places that a page fills: `actions` at the right of the header, `heading` at its left, and `content`.

    `bell` is the place of the notifications, which no page fills itself.
    """

    heading: ui.element
    actions: ui.element
    bell: ui.element
    content: ui.element


def set_defaults() -> None:
    """Give all elements the looks they share; called once, before the first page is made."""
    ui.button.default_props("no-caps unelevated")
    for kind in (ui.input, ui.textarea, ui.select, ui.number):
        kind.default_props("outlined dense")
    ui.card.default_props("flat bordered")
    ui.dialog.default_props("transition-duration=120")
    ui.menu_item.default_props("role=menuitem")  # Quasar calls them list items, which no menu may hold


@contextmanager
def frame(visit: Visit, *, title: str, section: str = "", fills_screen: bool = False) -> Iterator[Frame]:
    """Draw the frame around what is drawn inside; `title` and `section` are message ids.

    With `fills_screen` the content is as high as the window and scrolls its own parts.
    """
    ui.context.client.title = visit.tr("{page} · Nova", page=visit.tr(title))
    ui.add_head_html(f'<link rel="stylesheet" href="{escape(visit.prefix)}{ASSETS_PATH}/nova.css">')
    ui.dark_mode(DARK.get(visit.login.theme))
    drawer = _side_bar(visit)
    with ui.header().classes("nova-header"):
        icon_button("menu", visit.tr("Menu"), drawer.toggle).classes("nova-header__menu")
        with ui.element("div").classes("nova-header__heading") as heading:
            ui.label(visit.tr(title)).classes("nova-header__title").props("role=heading aria-level=1")
            if section:
                ui.label(visit.tr(section)).classes("nova-header__section")
        actions = ui.element("div").classes("nova-header__actions")
        bell = ui.element("div").classes("nova-header__bell")
    with ui.element("div").classes("nova-content" + (" nova-content--fills" if fills_screen else "")) as content:
        yield Frame(heading=heading, actions=actions, bell=bell, content=content)
    ui.skip_link(visit.tr("Skip to the content"), target=content)


def _side_bar(visit: Visit) -> ui.left_drawer:
    """Draw the side bar; below 900 px it opens over the page."""
    # Not value=None: NiceGUI then asks the browser a second time, and logs a failure when the page has gone meanwhile.
    drawer = ui.left_drawer(value=False, top_corner=True, bottom_corner=True)
    with drawer.classes("nova-side").props("show-if-above width=228 breakpoint=900"):
        with ui.element("div").classes("nova-brand"):
            ui.element("span").classes("nova-brand__mark").props("aria-hidden=true")
            ui.label("Nova").classes("nova-brand__name")
        with ui.element("nav").classes("nova-nav") as navigation:
            navigation.props["aria-label"] = visit.tr("Pages")
            for section, places in groupby(places_for(visit.identity), key=lambda place: place.section):
                if section:
                    ui.label(visit.tr(section)).classes("nova-nav__section")
                for place in places:
                    _entry(visit, place)
        _person(visit)
    return drawer


def _entry(visit: Visit, place: Place) -> None:
    """Draw one link of the side bar, marked while its page is open."""
    link = ui.link(target=place.path).classes("nova-nav__link")
    if place.holds(visit.path):
        link.classes("nova-nav__link--active").props("aria-current=page")
    with link:
        ui.icon(place.icon)
        ui.label(visit.tr(place.label))
        if place.path in visit.counts:
            CountLabel(visit.counts[place.path], visit)


class CountLabel(ui.label):
    """How much waits on the page of an entry; nothing is shown for nothing."""

    def __init__(self, count: int, visit: Visit) -> None:
        super().__init__()
        self._visit = visit
        self.classes("nova-nav__count").mark("waiting")
        self.show(count)

    def show(self, count: int) -> None:
        """Show another number."""
        self.text = self._visit.tr.number(count)
        self.props["aria-label"] = self._visit.tr.plural("{count} waits for you", "{count} wait for you", count)
        self.visible = count > 0


def _person(visit: Visit) -> None:
    """Draw who is signed in, the way to the own settings and the way out."""
    with ui.element("div").classes("nova-person"):
        with ui.link(target=OWN_SETTINGS.path).classes("nova-person__link") as link:
            link.props["title"] = visit.tr(OWN_SETTINGS.label)
            ui.label(initials(visit.identity.display_name)).classes("nova-person__initials").props("aria-hidden=true")
            with ui.element("span").classes("nova-person__words"):
                ui.label(visit.identity.display_name).classes("nova-person__name")
                ui.label(f"{role_words(visit)} · {visit.identity.language.upper()}").classes("nova-person__role")
        sign_out_button(visit)


def sign_out_button(visit: Visit) -> None:
    """Draw the way out: a plain form, since only a plain answer can take the cookie away."""
    with ui.element("form").classes("nova-sign-out") as form:
        form.props["method"] = "post"
        form.props["action"] = f"{visit.prefix}/sign-out"
        token = ui.element("input")
        token.props.update({"type": "hidden", "name": "csrf_token", "value": visit.login.csrf_token})
        with ui.element("button").classes("nova-sign-out__button") as button:
            button.props.update({"type": "submit", "aria-label": visit.tr("Sign out"), "title": visit.tr("Sign out")})
            ui.icon("logout")


def initials(name: str) -> str:
    """Return the first letters of the first and the last word of a name."""
    words = name.split()
    chosen = words[:1] + words[1:][-1:]
    return "".join(word[0] for word in chosen).upper()


def role_words(visit: Visit) -> str:
    """Return the highest role in words."""
    return next((visit.tr(word) for role, word in ROLE_WORDS if _holds(visit.identity, role)), "")


def _holds(identity: Identity, role: Role) -> bool:
    return role in identity.roles or role is Role.USER
