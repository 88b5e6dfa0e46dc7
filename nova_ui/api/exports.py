"""`/exports`: extracts of lists."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import DeleteImpactQuery, Done, ExportCreate, ExportQuery, ExportView, Impact, Page
from nova_ui.nova.views.types import ExportRef

_IMPACT: Final = "get_export_impact"
_FILES: Final = ("text/csv", "application/jsonl")


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[ExportQuery, Query()]) -> Page[ExportView]:
        """List exports."""
        return await self._nova.exports.list_page(context, query)

    async def create(self, context: Signed, body: ExportCreate) -> ExportView:
        """Export a list; a job makes the file."""
        return await self._nova.exports.create(context, body)

    async def get(self, context: Signed, export_id: ExportRef) -> ExportView:
        """Read about one export."""
        return await self._nova.exports.get(context, export_id)

    async def content(self, context: Signed, export_id: ExportRef) -> Response:
        """Download an export."""
        file = await self._nova.exports.download(context, export_id)
        headers = {
            "Content-Disposition": f'attachment; filename="{file.name}"',
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
        }
        return Response(file.content, media_type=file.media_type, headers=headers)

    async def impact(
        self, context: Signed, export_id: ExportRef, query: Annotated[DeleteImpactQuery, Query()]
    ) -> Impact:
        """Tell what deleting an export would do."""
        del query
        return await self._nova.exports.impact_of_delete(context, export_id)

    async def delete(self, context: Signed, export_id: ExportRef) -> Done[ExportView]:
        """Delete an export before its time."""
        return await self._nova.exports.delete(context, export_id)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of exports; the file itself never goes to a chat."""
    routes, exports = NovaRoutes(nova, "Exports"), _Endpoints(nova)
    one = "/exports/{export_id}"
    routes.add("GET /exports", exports.list_page, "list_exports", marks("read", "A U M O S"))
    create = marks("write", "A U M O S", audit=["export.created", "export.ready"])
    routes.add("POST /exports", exports.create, "create_export", create, status=202)
    routes.add(f"GET {one}", exports.get, "get_export", marks("read", "A U M O S"))
    content = marks("read", "A U M O S", audit=["export.downloaded"], interface_only=True)
    routes.add(f"GET {one}/content", exports.content, "get_export_content", content, files=_FILES)
    routes.add(f"GET {one}/impact", exports.impact, _IMPACT, marks("read", "A U M O S"))
    delete = marks("destructive", "A U M O S", audit=["export.deleted"], impact=_IMPACT)
    routes.add(f"DELETE {one}", exports.delete, "delete_export", delete)
    return routes.router
