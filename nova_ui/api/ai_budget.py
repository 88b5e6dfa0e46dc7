"""`/administration/ai-budget` and `/administration/ai-usage`, and one's own usage at `/me/ai-usage` (rule E6)."""

from typing import Annotated

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.ai_budget import UPDATED
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views.ai_budget import AiBudgetBody, AiBudgetView, AiUsageQuery, AiUsageView, OwnAiUsage


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def get(self, context: Signed) -> AiBudgetView:
        """Read the budget for models."""
        return await self._nova.ai_budget.get(context)

    async def put(self, context: Signed, body: AiBudgetBody, if_match: IfMatch = None) -> AiBudgetView:
        """Replace the budget for models as a whole."""
        return await self._nova.ai_budget.replace(context, body, if_match)

    async def usage(self, context: Signed, query: Annotated[AiUsageQuery, Query()]) -> AiUsageView:
        """Tell what models were asked for: messages, requests, tokens and cost."""
        return await self._nova.ai_usage.report(context, query)

    async def own(self, context: Signed) -> OwnAiUsage:
        """Tell what I used of models, and what is left."""
        return await self._nova.ai_usage.own(context)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of budget and usage."""
    routes, ai = NovaRoutes(nova, "Administration"), _Endpoints(nova)
    budget = "/administration/ai-budget"
    routes.add(f"GET {budget}", ai.get, "get_ai_budget", marks("read", "A", interface_only=True))
    put = marks("write", "A", audit=[UPDATED], interface_only=True)
    routes.add(f"PUT {budget}", ai.put, "update_ai_budget", put)
    routes.add("GET /administration/ai-usage", ai.usage, "get_ai_usage", marks("read", "A U", interface_only=True))
    own = marks("read", "*", self_service=True)
    routes.add("GET /me/ai-usage", ai.own, "get_my_ai_usage", own)
    return routes.router
