"""`/ai/turns/{turn_id}/requests`: what the model saw, for the owner of the chat only (rule G2)."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Response

from nova_ui.api.ai import Id, Signed
from nova_ui.api.caller import refuse_chats
from nova_ui.api.marks import marks
from nova_ui.api.sent_views import SentBodyView, SentRequestView, body_view, request_view
from nova_ui.chat.sent_requests import SentRequests
from nova_ui.domain.chat import TurnId
from nova_ui.errors import NovaNotFound

Number = Annotated[int, Path(ge=1, le=10_000, description="Which of the message's requests.")]

_READ: Final[dict[str, Any]] = marks("read", "*", interface_only=True)
_BODY: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"application/json": {"schema": {}}}, "description": "The body, byte by byte as it was sent."}
}


def router_for(requests: SentRequests) -> APIRouter:
    """Return the router of what models were sent."""
    router = APIRouter(prefix="/ai", tags=["Chat"], dependencies=[Depends(refuse_chats)])

    @router.get("/turns/{turn_id}/requests", openapi_extra=_READ)
    async def list_model_requests(turn_id: Id, context: Signed) -> list[SentRequestView]:
        """Return what was sent to models for one own message, in order; none where no model was asked."""
        return [request_view(one) for one in await requests.list_of_turn(context.identity, TurnId(turn_id))]

    @router.get("/turns/{turn_id}/requests/{number}", openapi_extra=_READ)
    async def read_model_request(turn_id: Id, number: Number, context: Signed) -> SentBodyView:
        """Return one request with what stood in it."""
        return body_view(await requests.get(context.identity, TurnId(turn_id), number))

    @router.get(
        "/turns/{turn_id}/requests/{number}/body", openapi_extra=_READ, response_class=Response, responses=_BODY
    )
    async def download_model_request(turn_id: Id, number: Number, context: Signed) -> Response:
        """Download the body of one request, byte by byte as it was sent."""
        sent = await requests.get(context.identity, TurnId(turn_id), number)
        if sent.body is None:
            raise NovaNotFound("This request was too large to be kept.")
        disposition = f'attachment; filename="request-{number}.json"'
        return Response(sent.body, media_type="application/json", headers={"Content-Disposition": disposition})

    return router
