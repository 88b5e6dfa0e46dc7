"""`/administration`: assistants and the tools there are, from the interface only (rule B6)."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import Kind, marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.assistant_order import put_in_order
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    AssistantCreate,
    AssistantList,
    AssistantPatch,
    AssistantView,
    DeleteImpactQuery,
    Done,
    Impact,
    ToolCatalogue,
)
from nova_ui.nova.views.assistant_insight import AssistantForecast, AssistantOrder, ForecastQuery, SmallestToolList
from nova_ui.nova.views.types import AssistantKeyText

_IMPACT: Final = "get_assistant_impact"


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_all(self, context: Signed) -> AssistantList:
        """List every assistant."""
        return await self._nova.assistants.list_all(context)

    async def create(self, context: Signed, body: AssistantCreate) -> AssistantView:
        """Create an assistant."""
        return await self._nova.assistants.create(context, body)

    async def get(self, context: Signed, key: AssistantKeyText) -> AssistantView:
        """Read one assistant."""
        return await self._nova.assistants.get(context, key)

    async def patch(
        self, context: Signed, key: AssistantKeyText, body: AssistantPatch, if_match: IfMatch = None
    ) -> AssistantView:
        """Change an assistant."""
        return await self._nova.assistants.update(context, key, body, if_match)

    async def delete(self, context: Signed, key: AssistantKeyText, if_match: IfMatch = None) -> Done[AssistantView]:
        """Delete an assistant."""
        return await self._nova.assistants.delete(context, key, if_match)

    async def impact(
        self, context: Signed, key: AssistantKeyText, query: Annotated[DeleteImpactQuery, Query()]
    ) -> Impact:
        """Tell what deleting an assistant would do."""
        del query
        return await self._nova.assistants.impact_of_delete(context, key)

    async def tools(self, context: Signed) -> ToolCatalogue:
        """List every tool with its kind."""
        return self._nova.assistants.catalogue(context)

    async def order(self, context: Signed, body: AssistantOrder) -> AssistantList:
        """Put the assistants in order."""
        return await put_in_order(self._nova.core, context, body.keys)

    async def forecast(
        self, context: Signed, key: AssistantKeyText, query: Annotated[ForecastQuery, Query()]
    ) -> AssistantForecast:
        """Tell what an assistant could do for an identity, and by which rule not."""
        return await self._nova.assistant_insight.forecast(context, key, query.identity_id)

    async def smallest_list(self, context: Signed, key: AssistantKeyText) -> SmallestToolList:
        """Propose the smallest tool list that an assistant's prompt starters need."""
        return await self._nova.assistant_insight.smallest_list(context, key)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of the administration of assistants."""
    routes, assistants = NovaRoutes(nova, "Administration"), _Endpoints(nova)
    one = "/administration/assistants/{key}"
    routes.add("GET /administration/assistants", assistants.list_all, "list_assistants", _only("read"))
    create = _only("write", "assistant.created")
    routes.add("POST /administration/assistants", assistants.create, "create_assistant", create, status=201)
    routes.add(f"GET {one}", assistants.get, "get_assistant", _only("read"))
    routes.add(f"PATCH {one}", assistants.patch, "update_assistant", _only("write", "assistant.updated"))
    delete = _only("destructive", "assistant.deleted", impact=_IMPACT)
    routes.add(f"DELETE {one}", assistants.delete, "delete_assistant", delete)
    routes.add(f"GET {one}/impact", assistants.impact, _IMPACT, _only("read"))
    routes.add(f"GET {one}/forecast", assistants.forecast, "forecast_assistant", _only("read"))
    routes.add(f"GET {one}/smallest-list", assistants.smallest_list, "get_smallest_tool_list", _only("read"))
    order = _only("write", "assistant.updated")
    routes.add("PUT /administration/assistant-order", assistants.order, "order_assistants", order)
    routes.add("GET /administration/tools", assistants.tools, "list_tools", _only("read"))
    return routes.router


def _only(kind: Kind, *audit: str, impact: str | None = None) -> dict[str, Any]:
    return marks(kind, "A", audit=audit, impact=impact, interface_only=True)
