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
    """Return `visit` with how many decisions wait for this person and how much is not read; two small reads."""
    nova = services.nova.open(visit.caller, INTERFACE)
    try:
        decisions = (await nova.call("GET /me/approvals", query={"status": "open", "limit": 1})).object.get("total")
        told = (await nova.call("GET /me/notifications", query={"unread": True, "limit": 1})).object.get("unread")
    except NovaProblem:
        return visit  # a page is of use without the numbers
    counts = {ACCESS.path: decisions} if isinstance(decisions, int) else {}
    return replace(visit, counts=counts, unread=told if isinstance(told, int) else 0)
