"""`/administration/ai-routines`, from the interface only (rule B6), and `/ai-routine-runs` for reading."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import Kind, marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import DeleteImpactQuery, Done, Impact, Page
from nova_ui.nova.views.ai_routines import (
    AiRoutineCreate,
    AiRoutinePatch,
    AiRoutineQuery,
    AiRoutineRunQuery,
    AiRoutineRunView,
    AiRoutineView,
)
from nova_ui.nova.views.types import AssistantKeyText, RunRef

_IMPACT: Final = "get_ai_routine_impact"


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._routines = nova.ai_routines
        self._runs = nova.ai_routine_runs

    async def list_page(self, context: Signed, query: Annotated[AiRoutineQuery, Query()]) -> Page[AiRoutineView]:
        """List AI routine assistants."""
        return await self._routines.list_page(context, query)

    async def create(self, context: Signed, body: AiRoutineCreate) -> AiRoutineView:
        """Create an AI routine assistant; it is disabled until it is enabled."""
        return await self._routines.create(context, body)

    async def get(self, context: Signed, key: AssistantKeyText) -> AiRoutineView:
        """Read one AI routine assistant."""
        return await self._routines.get(context, key)

    async def patch(
        self, context: Signed, key: AssistantKeyText, body: AiRoutinePatch, if_match: IfMatch = None
    ) -> AiRoutineView:
        """Change an AI routine assistant."""
        return await self._routines.update(context, key, body, if_match)

    async def delete(self, context: Signed, key: AssistantKeyText, if_match: IfMatch = None) -> Done[AiRoutineView]:
        """Delete an AI routine assistant with its runs."""
        return await self._routines.delete(context, key, if_match)

    async def impact(
        self, context: Signed, key: AssistantKeyText, query: Annotated[DeleteImpactQuery, Query()]
    ) -> Impact:
        """Tell what deleting an AI routine assistant would do."""
        del query
        return await self._routines.impact_of_delete(context, key)

    async def enable(self, context: Signed, key: AssistantKeyText, if_match: IfMatch = None) -> AiRoutineView:
        """Let the schedule of an AI routine assistant count from now on."""
        return await self._routines.switch(context, key, if_match, enabled=True)

    async def disable(self, context: Signed, key: AssistantKeyText, if_match: IfMatch = None) -> AiRoutineView:
        """Let an AI routine assistant run no longer by itself; a run under way ends."""
        return await self._routines.switch(context, key, if_match, enabled=False)

    async def run(self, context: Signed, key: AssistantKeyText) -> AiRoutineRunView:
        """Begin a run at once."""
        return await self._runs.run_now(context, key)

    async def list_runs(self, context: Signed, query: Annotated[AiRoutineRunQuery, Query()]) -> Page[AiRoutineRunView]:
        """List runs of AI routine assistants."""
        return await self._runs.list_page(context, query)

    async def get_run(self, context: Signed, run_id: RunRef) -> AiRoutineRunView:
        """Read one run, also as somebody whom it was delivered to."""
        return await self._runs.get(context, run_id)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of AI routine assistants and their runs."""
    routes, ai = NovaRoutes(nova, "Administration"), _Endpoints(nova)
    base = "/administration/ai-routines"
    one = f"{base}/{{key}}"
    routes.add(f"GET {base}", ai.list_page, "list_ai_routines", _only("read"))
    create = _only("write", "ai_routine.created")
    routes.add(f"POST {base}", ai.create, "create_ai_routine", create, status=201)
    routes.add(f"GET {one}", ai.get, "get_ai_routine", _only("read"))
    routes.add(f"PATCH {one}", ai.patch, "update_ai_routine", _only("write", "ai_routine.updated"))
    delete = _only("destructive", "ai_routine.deleted", impact=_IMPACT)
    routes.add(f"DELETE {one}", ai.delete, "delete_ai_routine", delete)
    routes.add(f"GET {one}/impact", ai.impact, _IMPACT, _only("read"))
    routes.add(f"POST {one}/enable", ai.enable, "enable_ai_routine", _only("write", "ai_routine.enabled"))
    routes.add(f"POST {one}/disable", ai.disable, "disable_ai_routine", _only("write", "ai_routine.disabled"))
    routes.add(f"POST {one}/run", ai.run, "run_ai_routine", _only("write", "ai_routine.run"), status=202)
    routes.add("GET /ai-routine-runs", ai.list_runs, "list_ai_routine_runs", marks("read", "A U"))
    routes.add("GET /ai-routine-runs/{run_id}", ai.get_run, "get_ai_routine_run", marks("read", "A U O"))
    return routes.router


def _only(kind: Kind, *audit: str, impact: str | None = None) -> dict[str, Any]:
    return marks(kind, "A", audit=audit, impact=impact, interface_only=True)
