"""Administration › Lifecycle routines: the list, one of them, and one run."""

from nova_ui.pages.directory import draw_list, draw_object
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import ROUTINES
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.routine_kind import ROUTINE, ROUTINE_LIST
from nova_ui.presenters.routine_run_kind import RUN, RUN_PATH
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the pages; administrators only."""

    @page(services, ROUTINES.path, title=ROUTINES.label, section=ROUTINES.section, roles=ROUTINES.roles)
    async def list_page(visit: Visit, frame: Frame) -> None:
        await draw_list(services, visit, frame, place=ROUTINES, kind=ROUTINE_LIST)

    @page(services, f"{ROUTINES.path}/{{object_id}}", title=ROUTINE.label, roles=ROUTINES.roles)
    async def routine_page(visit: Visit, frame: Frame, object_id: str) -> None:
        await draw_object(services, visit, frame, place=ROUTINES, kind=ROUTINE, object_id=object_id)

    @page(services, f"{RUN_PATH}/{{object_id}}", title=RUN.label, roles=ROUTINES.roles)
    async def run_page(visit: Visit, frame: Frame, object_id: str) -> None:
        await draw_object(services, visit, frame, place=ROUTINES, kind=RUN, object_id=object_id)
