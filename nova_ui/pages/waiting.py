"""How much waits for a person, shown beside the page where it waits."""

from dataclasses import replace
from typing import Protocol

from nova_ui.errors import NovaProblem
from nova_ui.nova_client.client import NovaDoor
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.navigation import ACCESS
from nova_ui.pages.visit import Visit


class WaitingServices(Protocol):
    """What counting needs of the services."""

    @property
    def nova(self) -> NovaDoor:
        """The one door to Nova."""


async def with_counts(services: WaitingServices, visit: Visit) -> Visit:
    """Return `visit` with the number of decisions that wait for this person; one small read."""
    nova = services.nova.open(visit.caller, INTERFACE)
    try:
        answer = await nova.call("GET /me/approvals", query={"status": "open", "limit": 1})
    except NovaProblem:
        return visit  # a page is of use without the number
    total = answer.object.get("total")
    return replace(visit, counts={ACCESS.path: total}) if isinstance(total, int) else visit
