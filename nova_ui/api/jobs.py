"""`/jobs`: long work that answers later."""

from typing import Annotated

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import Page
from nova_ui.nova.views.jobs import JobQuery, JobView
from nova_ui.nova.views.types import JobRef


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[JobQuery, Query()]) -> Page[JobView]:
        """List one's own jobs; administrators see all."""
        return await self._nova.jobs.list_page(context, query)

    async def get(self, context: Signed, job_id: JobRef) -> JobView:
        """Read one job."""
        return await self._nova.jobs.get(context, job_id)

    async def cancel(self, context: Signed, job_id: JobRef, if_match: IfMatch = None) -> JobView:
        """Cancel a job: a queued one at once, a running one after its current step."""
        return await self._nova.jobs.cancel(context, job_id, if_match)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of jobs."""
    routes, jobs = NovaRoutes(nova, "Jobs"), _Endpoints(nova)
    routes.add("GET /jobs", jobs.list_page, "list_jobs", marks("read", "A S"))
    routes.add("GET /jobs/{job_id}", jobs.get, "get_job", marks("read", "A S"))
    cancel = marks("write", "A S", audit=["job.cancelled"])
    routes.add("POST /jobs/{job_id}/cancel", jobs.cancel, "cancel_job", cancel)
    return routes.router
