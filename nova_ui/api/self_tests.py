"""`/administration/assistants/{key}/self-test`: checks of an assistant's guardrails, from the interface only (B6)."""

from fastapi import APIRouter

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import NovaRoutes
from nova_ui.nova.self_tests import STARTED, TESTED
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views.jobs import JobView
from nova_ui.nova.views.self_tests import SelfTestBody, SelfTestView
from nova_ui.nova.views.types import AssistantKeyText


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._tests = nova.self_tests

    async def get(self, context: Signed, key: AssistantKeyText) -> SelfTestView:
        """Tell what a check of an assistant's guardrails costs, and what the newest one found."""
        return await self._tests.get(context, key)

    async def start(self, context: Signed, key: AssistantKeyText, body: SelfTestBody) -> JobView:
        """Check an assistant's guardrails on a stage of its own; a job does it."""
        return await self._tests.start(context, key, body)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of the checks."""
    routes, tests = NovaRoutes(nova, "Administration"), _Endpoints(nova)
    one = "/administration/assistants/{key}/self-test"
    routes.add(f"GET {one}", tests.get, "get_self_test", marks("read", "A", interface_only=True))
    start = marks("write", "A", audit=[STARTED, TESTED], interface_only=True)
    routes.add(f"POST {one}", tests.start, "start_self_test", start, status=202)
    return routes.router
