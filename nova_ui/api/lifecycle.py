"""`/lifecycle-routines` and `/lifecycle-runs`: what happens by itself to those who join, move, leave or fall asleep."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import DeleteImpactQuery, Done, Impact, Page
from nova_ui.nova.views.lifecycle import (
    PreviewView,
    RoutineCreate,
    RoutinePatch,
    RoutineQuery,
    RoutineView,
    RunDetail,
    RunQuery,
    RunStart,
    RunStarted,
    RunView,
    StepQuery,
    StepView,
)
from nova_ui.nova.views.types import LifecycleRunRef, RoutineRef

_IMPACT: Final = "get_lifecycle_routine_impact"
# The entry of the start comes first; the rest is written by the job that it starts.
_RUN_WRITES: Final = (
    "routine.started",
    "routine.stopped",
    "routine.finished",
    "notification.sent",
    "identity.activated",
    "identity.suspended",
    "identity.disabled",
    "session.ended",
    "assignment.granted",
    "assignment.changed",
    "assignment.revoked",
    "group.member_added",
    "group.member_removed",
    "ownership.transferred",
    "request.cancelled",
    "approval.skipped",
    "approval.delegated",
)


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[RoutineQuery, Query()]) -> Page[RoutineView]:
        """List lifecycle routines with their last runs."""
        return await self._nova.lifecycle_routines.list_page(context, query)

    async def get(self, context: Signed, routine_id: RoutineRef) -> RoutineView:
        """Read one lifecycle routine."""
        return await self._nova.lifecycle_routines.get(context, routine_id)

    async def create(self, context: Signed, body: RoutineCreate) -> RoutineView:
        """Add a lifecycle routine, disabled."""
        return await self._nova.lifecycle_routines.create(context, body)

    async def update(
        self, context: Signed, routine_id: RoutineRef, body: RoutinePatch, if_match: IfMatch = None
    ) -> RoutineView:
        """Change a lifecycle routine."""
        return await self._nova.lifecycle_routines.update(context, routine_id, body, if_match)

    async def impact(
        self, context: Signed, routine_id: RoutineRef, query: Annotated[DeleteImpactQuery, Query()]
    ) -> Impact:
        """Tell what deleting a lifecycle routine would do."""
        del query
        return await self._nova.lifecycle_routines.impact_of_delete(context, routine_id)

    async def delete(self, context: Signed, routine_id: RoutineRef, if_match: IfMatch = None) -> Done[RoutineView]:
        """Delete a lifecycle routine that is disabled; its runs stay."""
        return await self._nova.lifecycle_routines.delete(context, routine_id, if_match)

    async def preview(self, context: Signed, routine_id: RoutineRef) -> PreviewView:
        """Tell who would be affected now, by which action, and why."""
        return await self._nova.lifecycle_routines.preview(context, routine_id)

    async def enable(self, context: Signed, routine_id: RoutineRef, if_match: IfMatch = None) -> RoutineView:
        """Let a lifecycle routine run by its schedule."""
        return await self._nova.lifecycle_routines.enable(context, routine_id, if_match)

    async def disable(self, context: Signed, routine_id: RoutineRef, if_match: IfMatch = None) -> RoutineView:
        """Let a lifecycle routine rest."""
        return await self._nova.lifecycle_routines.disable(context, routine_id, if_match)

    async def run(
        self, context: Signed, routine_id: RoutineRef, body: RunStart | None = None, if_match: IfMatch = None
    ) -> RunStarted:
        """Run a lifecycle routine now; a job does it."""
        dry_run = None if body is None else body.dry_run
        return await self._nova.lifecycle_routines.run(context, routine_id, dry_run=dry_run, if_match=if_match)

    async def list_runs(self, context: Signed, query: Annotated[RunQuery, Query()]) -> Page[RunView]:
        """List runs of lifecycle routines."""
        return await self._nova.lifecycle_runs.list_page(context, query)

    async def get_run(self, context: Signed, run_id: LifecycleRunRef) -> RunDetail:
        """Read one run with its steps."""
        return await self._nova.lifecycle_runs.get(context, run_id)

    async def list_steps(
        self, context: Signed, run_id: LifecycleRunRef, query: Annotated[StepQuery, Query()]
    ) -> Page[StepView]:
        """List the steps of one run, in their order."""
        return await self._nova.lifecycle_runs.steps(context, run_id, query)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of lifecycle routines; what changes or runs them is done in the interface only (rule B6)."""
    routes, lifecycle = NovaRoutes(nova, "Lifecycle routines"), _Endpoints(nova)
    every, one = "/lifecycle-routines", "/lifecycle-routines/{routine_id}"

    def write(*audit: str) -> dict[str, object]:
        return marks("write", "A", audit=audit, interface_only=True)

    routes.add(f"GET {every}", lifecycle.list_page, "list_lifecycle_routines", marks("read", "A U"))
    routes.add(f"POST {every}", lifecycle.create, "create_lifecycle_routine", write("routine.created"), status=201)
    routes.add(f"GET {one}", lifecycle.get, "get_lifecycle_routine", marks("read", "A U"))
    routes.add(f"PATCH {one}", lifecycle.update, "update_lifecycle_routine", write("routine.updated"))
    routes.add(f"GET {one}/impact", lifecycle.impact, _IMPACT, marks("read", "A U"))
    delete = marks("destructive", "A", audit=["routine.deleted"], impact=_IMPACT, interface_only=True)
    routes.add(f"DELETE {one}", lifecycle.delete, "delete_lifecycle_routine", delete)
    routes.add(f"POST {one}/preview", lifecycle.preview, "preview_lifecycle_routine", marks("read", "A U"))
    routes.add(f"POST {one}/enable", lifecycle.enable, "enable_lifecycle_routine", write("routine.enabled"))
    routes.add(f"POST {one}/disable", lifecycle.disable, "disable_lifecycle_routine", write("routine.disabled"))
    routes.add(f"POST {one}/run", lifecycle.run, "run_lifecycle_routine", write(*_RUN_WRITES), status=202)
    routes.add("GET /lifecycle-runs", lifecycle.list_runs, "list_lifecycle_runs", marks("read", "A U"))
    routes.add("GET /lifecycle-runs/{run_id}", lifecycle.get_run, "get_lifecycle_run", marks("read", "A U"))
    routes.add("GET /lifecycle-runs/{run_id}/steps", lifecycle.list_steps, "list_lifecycle_steps", marks("read", "A U"))
    return routes.router
