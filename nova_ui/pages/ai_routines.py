"""Administration › AI routine assistants: the list, one of them with its tools; and the page of a run."""

from nicegui import ui

from nova_ui.components.ai_run_view import AiRunView
from nova_ui.components.routine_tools import RoutineTools
from nova_ui.domain.text import mark
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.directory import draw_list, draw_object, links_of
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import AI_ROUTINES
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.ai_routine_kind import AI_ROUTINE, AI_ROUTINE_LIST
from nova_ui.presenters.fields import text_at
from nova_ui.presenters.routine_tools import RoutineToolsPresenter
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the pages; a run is open to whoever its endpoint shows it to, such as those it was delivered to."""

    @page(services, AI_ROUTINES.path, title=AI_ROUTINES.label, section=AI_ROUTINES.section, roles=AI_ROUTINES.roles)
    async def list_page(visit: Visit, frame: Frame) -> None:
        await draw_list(services, visit, frame, place=AI_ROUTINES, kind=AI_ROUTINE_LIST)

    @page(services, f"{AI_ROUTINES.path}/{{key}}", title=AI_ROUTINE.label, roles=AI_ROUTINES.roles)
    async def object_page(visit: Visit, frame: Frame, key: str) -> None:
        await draw_object(services, visit, frame, place=AI_ROUTINES, kind=AI_ROUTINE, object_id=key)
        presenter = RoutineToolsPresenter(services.nova.open(visit.caller, INTERFACE), key)
        await presenter.load()
        RoutineTools(presenter, visit.tr)

    @page(services, "/ai-routine-runs/{run_id}", title=mark("Run of an AI routine assistant"))
    async def run_page(visit: Visit, frame: Frame, run_id: str) -> None:
        nova = services.nova.open(visit.caller, INTERFACE)
        run = (await nova.call("GET /ai-routine-runs/{run_id}", path={"run_id": run_id})).object
        frame.heading.clear()
        with frame.heading:
            if AI_ROUTINES.is_open_to(visit.identity):
                address = f"{AI_ROUTINES.path}/{text_at(run, 'routine_key')}"
                ui.link(text_at(run, "display_name"), address).classes("nova-link nova-header__back")
            title = ui.label(text_at(run, f"names.{visit.tr.language.value}") or text_at(run, "display_name"))
            title.classes("nova-header__title").props("role=heading aria-level=1")
        AiRunView(run, visit.tr, links_of(visit))
