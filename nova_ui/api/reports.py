"""`/reports/{key}`: what overseers look at again and again."""

from typing import Annotated

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import ReportKey, ReportQuery, ReportView


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def run(self, context: Signed, key: ReportKey, query: Annotated[ReportQuery, Query()]) -> ReportView:
        """Run a report."""
        return await self._nova.reports.run(context, key, query)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of reports."""
    routes, reports = NovaRoutes(nova, "Reports"), _Endpoints(nova)
    routes.add("GET /reports/{key}", reports.run, "run_report", marks("read", "A U"))
    return routes.router
