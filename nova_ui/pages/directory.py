"""How the pages of the directory are put together: a list with its filters, an object with what can be done to it."""

from collections.abc import Callable

from nicegui import ui

from nova_ui.components.action_dialog import ActionDialogs
from nova_ui.components.badges import Badge
from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.list_view import ListView
from nova_ui.components.object_links import ObjectLinks
from nova_ui.components.object_view import ObjectView
from nova_ui.domain.tool import NovaAnswer
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import AUDIT_LOG, Place
from nova_ui.pages.visit import Visit
from nova_ui.presenters.actions import Action, no_object
from nova_ui.presenters.directory_words import NOTHING, text_of_field, tone_of
from nova_ui.presenters.fields import Shown, text_at
from nova_ui.presenters.object_list import ListKind, ListPresenter
from nova_ui.presenters.object_page import ObjectKind, ObjectPresenter
from nova_ui.services import Services

BUTTONS_SHOWN = 3


def links_of(visit: Visit) -> ObjectLinks:
    """Return where objects have their pages, for this person."""
    return ObjectLinks(prefix=visit.prefix, person=visit.identity)


async def draw_list(services: Services, visit: Visit, frame: Frame, *, place: Place, kind: ListKind) -> None:
    """Fill a page with a list.

    Raises:
        NovaForbidden: the list is not open to the person.

    """
    nova = services.nova.open(visit.caller, INTERFACE)
    given = ui.context.client.request.query_params
    presenter = ListPresenter(nova, services.clock, visit.identity, kind, given)

    async def done(action: Action, answer: NovaAnswer | None) -> None:
        if action.leaves and answer is not None:
            ui.navigate.to(f"{action.leaves}{text_at(answer.object, 'id')}")
        else:
            await presenter.reload()

    dialogs = ActionDialogs(nova, visit.tr, done)
    with frame.actions:
        for action in presenter.actions:
            _opening_button(action, dialogs, visit)

    def keep_address(query: str) -> None:
        ui.navigate.history.replace(f"{visit.prefix}{place.path}{query}")

    view = ListView(presenter, visit.tr, links_of(visit), dialogs, keep_address)
    await presenter.load()
    view.draw_bar()


def _opening_button(action: Action, dialogs: ActionDialogs, visit: Visit) -> None:
    button = primary_button(visit.tr(action.label), lambda: dialogs.open(action, no_object()), icon=action.icon)
    button.mark(f"do-{action.key}")


async def draw_object(
    services: Services, visit: Visit, frame: Frame, *, place: Place, kind: ObjectKind, object_id: str
) -> None:
    """Fill a page with one object.

    Raises:
        NovaNotFound: there is no such object, or it may not be seen.

    """
    nova = services.nova.open(visit.caller, INTERFACE)
    presenter = ObjectPresenter(nova, visit.identity, kind, object_id)

    async def done(action: Action, answer: NovaAnswer | None) -> None:
        del answer
        if action.leaves:
            ui.navigate.to(action.leaves if place.is_open_to(visit.identity) else "/access")
        else:
            await presenter.reload()

    dialogs = ActionDialogs(nova, visit.tr, done)
    head = ObjectHead(presenter, visit, frame, place, dialogs)
    ObjectView(presenter, visit.tr, links_of(visit), dialogs)
    await presenter.load()
    head.name_page()


class ObjectHead:
    """What stands in the page's header: the way to the list, the name, its states, and what can be done."""

    def __init__(
        self, presenter: ObjectPresenter, visit: Visit, frame: Frame, place: Place, dialogs: ActionDialogs
    ) -> None:
        self._presenter = presenter
        self._visit = visit
        self._frame = frame
        self._place = place
        self._dialogs = dialogs
        presenter.changed.subscribe(lambda _: self._draw())

    def name_page(self) -> None:
        """Have the browser call the page by the object's name."""
        ui.context.client.title = self._visit.tr("{page} · Nova", page=self._presenter.name)

    def _draw(self) -> None:
        if self._frame.heading.is_deleted:
            return
        self._frame.heading.clear()
        self._frame.actions.clear()
        with self._frame.heading:
            self._draw_heading()
        with self._frame.actions:
            if not self._presenter.is_gone:
                self._draw_actions()

    def _draw_heading(self) -> None:
        presenter, tr = self._presenter, self._visit.tr
        if self._place.is_open_to(self._visit.identity):
            ui.link(tr(presenter.kind.plural), self._place.path).classes("nova-link nova-header__back")
        title = ui.label(presenter.name).classes("nova-header__title")
        title.props("role=heading aria-level=1")
        for field in presenter.kind.badges:
            text = text_of_field(field, presenter.object, tr)
            if text != NOTHING:
                tone = tone_of(field.value_in(presenter.object)) if field.shown is Shown.STATE else "plain"
                Badge(text, tone).classes("nova-header__badge")

    def _draw_actions(self) -> None:
        presenter, tr = self._presenter, self._visit.tr
        if presenter.has_history:
            address = f"{AUDIT_LOG.path}?target={text_at(presenter.object, 'id')}"
            quiet_button(tr("History"), lambda: ui.navigate.to(address), icon="history").mark("history")
        actions = presenter.actions
        shown = actions if len(actions) <= BUTTONS_SHOWN else actions[:1]
        for action in shown:
            self._button(action)
        if len(actions) > len(shown):
            with quiet_button(tr("Actions"), icon="more_horiz").mark("actions"), ui.menu().props("auto-close"):
                for action in actions[len(shown) :]:
                    self._menu_item(action)

    def _button(self, action: Action) -> None:
        button = quiet_button(self._visit.tr(action.label), self._opener(action), icon=action.icon)
        button.mark(f"do-{action.key}")
        if action.is_destructive and not action.weighs_form:
            button.classes("nova-button--careful")

    def _menu_item(self, action: Action) -> None:
        item = ui.menu_item(self._visit.tr(action.label), self._opener(action)).mark(f"do-{action.key}")
        if action.is_destructive and not action.weighs_form:
            item.classes("nova-menu__danger")

    def _opener(self, action: Action) -> Callable[[], object]:
        return lambda: self._dialogs.open(action, self._presenter.object)
