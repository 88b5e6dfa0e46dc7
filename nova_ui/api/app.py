"""The Nova API as one application: `/api/v1` of the process."""

from collections.abc import Sequence
from typing import Final

from fastapi import APIRouter, Depends, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse

from nova_ui.api import (
    administrators,
    ai_budget,
    ai_configuration,
    ai_routines,
    applications,
    assistants,
    audit_log,
    entitlements,
    exports,
    groups,
    identities,
    jobs,
    lifecycle,
    me,
    notifications,
    own_credentials,
    reports,
    requests,
    roles,
    self_tests,
    sign_in_policy,
    user_sessions,
)
from nova_ui.api.caller import SessionSource, check_endpoint
from nova_ui.api.docs import DOCS_POLICY, render_docs
from nova_ui.api.document import NovaApi
from nova_ui.api.marks import check_marks
from nova_ui.api.problem import install_problem_handlers
from nova_ui.api.strict import StrictBodies, refuse_unknown
from nova_ui.nova.services import NovaServices

_AREAS: Final = (
    me,
    own_credentials,
    identities,
    administrators,
    sign_in_policy,
    groups,
    roles,
    entitlements,
    applications,
    requests,
    user_sessions,
    exports,
    jobs,
    lifecycle,
    notifications,
    audit_log,
    reports,
    assistants,
    self_tests,
    ai_configuration,
    ai_budget,
    ai_routines,
)


def build_api(nova: NovaServices, sessions: SessionSource, routers: Sequence[APIRouter] = ()) -> FastAPI:
    """Build the API; `routers` are those of sign-in and of the chat.

    Raises:
        ConfigurationError: an operation lacks its marks.

    """
    api = NovaApi(
        title="Nova",
        version="1",
        description="Identities and their access. Errors are problem objects (RFC 9457) with a stable `code`.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,  # a redirect would repeat the host that the request named, and plain http
        dependencies=[Depends(check_endpoint), Depends(refuse_unknown)],
    )
    api.state.sessions = sessions
    api.state.refusals = nova.core.writer
    for area in _AREAS:
        api.include_router(area.router_for(nova))

    @api.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(render_docs(api.openapi()), headers={"Content-Security-Policy": DOCS_POLICY})

    api.add_middleware(StrictBodies)
    install_problem_handlers(api)
    add_routers(api, routers)
    return api


def add_routers(api: FastAPI, routers: Sequence[APIRouter]) -> None:
    """Add the routers of parts that themselves call the API, before it has answered a request.

    Raises:
        ConfigurationError: an operation lacks its marks.

    """
    for router in routers:
        api.include_router(router)
        check_marks(get_openapi(title=api.title, version=api.version, routes=router.routes))
    api.openapi_schema = None  # described anew, with them, when somebody asks; it takes a while
