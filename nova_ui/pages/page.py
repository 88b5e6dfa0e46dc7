"""The one way to make a page: the right is asked, the frame drawn, then the content."""

import copy
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Concatenate, Final, ParamSpec, Protocol

from fastapi import Request
from nicegui import ui
from nicegui.language import Language as QuasarLanguage

from nova_ui.components.notification_bell import News, NotificationBell
from nova_ui.domain.identity import EVERYONE, Language, Role
from nova_ui.errors import NovaForbidden, NovaNotFound
from nova_ui.i18n.translator import Translators
from nova_ui.nova_client.client import NovaDoor
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.failed import turn_into_failed
from nova_ui.pages.frame import Frame, frame
from nova_ui.pages.not_found import draw_not_found, turn_into_not_found
from nova_ui.pages.visit import Login, Visit
from nova_ui.pages.waiting import with_counts
from nova_ui.presenters.notifications import NotificationsPresenter

P = ParamSpec("P")
PageContent = Callable[Concatenate[Visit, Frame, P], Awaitable[None]]

QUASAR: Final[dict[Language, QuasarLanguage]] = {Language.ENGLISH: "en-GB", Language.GERMAN: "de"}
_PATIENCE_S: Final = 20.0  # a busy moment is no reason for an error page
LOGIN_KEY: Final = "login"  # in the client's storage: where the socket guard finds whose page it is


class PageServices(Protocol):
    """What every page needs of the services."""

    @property
    def translators(self) -> Translators:
        """All languages."""

    @property
    def nova(self) -> NovaDoor:
        """The one door to Nova."""

    @property
    def notified(self) -> News:
        """Where it is told who has got notifications."""


def page(
    services: PageServices,
    path: str,
    *,
    title: str,
    section: str = "",
    roles: frozenset[Role] = EVERYONE,
    fills_screen: bool = False,
) -> Callable[[PageContent[P]], PageContent[P]]:
    """Make a page of a function that gets visit and frame, and by name what stands in the path and the query.

    Who holds none of `roles` gets what a page that does not exist answers; so does everybody for whom the object in
    the path is not there: its endpoint says so while the page is built.
    """

    def decorate(content: PageContent[P]) -> PageContent[P]:
        async def build(*, request: Request, **values: Any) -> None:  # noqa: ANN401 - parsed by FastAPI
            visit = begin_visit(services, request)
            if not roles & visit.identity.roles:
                draw_not_found(visit)
                return
            visit = await with_counts(services, visit)
            with frame(visit, title=title, section=section, fills_screen=fills_screen) as drawn:
                ui.on_exception(lambda: apologise(visit))
                _draw_bell(services, visit, drawn)
                try:
                    await content(visit, drawn, **values)  # type: ignore[call-arg] # FastAPI fills them by the signature
                except (NovaNotFound, NovaForbidden):
                    turn_into_not_found(visit, drawn)
                except Exception as error:  # noqa: BLE001 - the border: whatever it is, no text of it may leave
                    turn_into_failed(visit, drawn, error)

        build.__signature__ = _with_request(content)  # type: ignore[attr-defined] # what FastAPI reads
        ui.page(path, response_timeout=_PATIENCE_S)(build)
        return content

    return decorate


def begin_visit(services: PageServices, request: Request) -> Visit:
    """Tie the page that is being built to the person that the guard let in."""
    login: Login = request.state.login
    client = ui.context.client
    client.storage[LOGIN_KEY] = login
    client.page = copy.copy(client.page)  # the page object is shared by all visitors
    client.page.language = QUASAR[login.identity.language]
    prefix = request.headers.get("x-forwarded-prefix", "") + request.scope.get("root_path", "")
    return Visit(
        login=login,
        tr=services.translators.for_language(login.identity.language),
        path=request.url.path.removeprefix(request.scope.get("root_path", "")) or "/",
        prefix=prefix.rstrip("/"),
    )


def _draw_bell(services: PageServices, visit: Visit, drawn: Frame) -> None:
    nova = services.nova.open(visit.caller, INTERFACE)
    with drawn.bell:
        presenter = NotificationsPresenter(nova, visit.tr, visit.unread)
        NotificationBell(presenter, visit.identity.id, services.notified, visit.prefix)


def apologise(visit: Visit) -> None:
    """Tell the person that a press came to nothing; details are in the log only."""
    ui.notify(
        visit.tr("Something went wrong. What you had typed is still here. Please try again."),
        type="negative",
        position="top",
    )


def _with_request(content: Callable[..., Awaitable[None]]) -> inspect.Signature:
    """Return the signature of `content` with the request in place of visit and frame, all by name."""
    own = list(inspect.signature(content, eval_str=True).parameters.values())[2:]
    by_name = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    request = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request)
    return inspect.Signature([request, *by_name])


def register_not_found(services: PageServices) -> None:
    """Answer every path that nothing else answers; call it after all other pages are registered."""

    @ui.page("/{rest:path}")
    async def not_found(*, request: Request, rest: str) -> None:
        del rest  # never shown: it is a stranger's text
        draw_not_found(begin_visit(services, request))
