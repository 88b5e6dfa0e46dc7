"""Directory › Identities: the list, and one of them."""

from nova_ui.pages.directory import draw_list, draw_object
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import IDENTITIES
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.identity_kind import IDENTITY, IDENTITY_LIST
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add both pages; an object is open to whoever its endpoint shows it to."""

    @page(services, IDENTITIES.path, title=IDENTITIES.label, section=IDENTITIES.section, roles=IDENTITIES.roles)
    async def list_page(visit: Visit, frame: Frame) -> None:
        await draw_list(services, visit, frame, place=IDENTITIES, kind=IDENTITY_LIST)

    @page(services, f"{IDENTITIES.path}/{{object_id}}", title=IDENTITY.label)
    async def object_page(visit: Visit, frame: Frame, object_id: str) -> None:
        await draw_object(services, visit, frame, place=IDENTITIES, kind=IDENTITY, object_id=object_id)
