"""A small site behind the real guard: the door, one page as NiceGUI answers it, and an API with one endpoint."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

import httpx
from fastapi import Depends, FastAPI, Request
from fastapi.responses import HTMLResponse

from nova_ui.api import session as api_session
from nova_ui.api.caller import require_context
from nova_ui.api.problem import install_problem_handlers
from nova_ui.auth.build import Auth, build_auth, install_guard
from nova_ui.auth.health import health_routes
from nova_ui.auth.password import Passwords
from nova_ui.auth.routes import auth_routes
from nova_ui.auth.setup import Check
from nova_ui.domain.clock import Clock
from nova_ui.i18n.translator import Translators
from nova_ui.nova.context import RequestContext
from nova_ui.nova_client.origin import DELEGATION_KEY, Receive, Scope, Send
from nova_ui.settings import Settings
from storage.database import Database
from storage.encryption import Encryption, KeyRing

PAGE = (
    '<!doctype html><script type="importmap">{}</script><script>1</script><style>a{}</style>'
    "<p>&lt;script&gt; <scripted></p>"
)
BASE = "http://127.0.0.1"


@dataclass
class Site:
    """The application with what tests look at."""

    app: FastAPI
    api: FastAPI
    auth: Auth
    encryption: Encryption
    samples: list[str] = field(default_factory=list)
    seen: list[Request] = field(default_factory=list)

    def visitor(
        self, *, base_url: str = BASE, ip: str = "127.0.0.1", headers: Mapping[str, str] | None = None
    ) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=(ip, 50_000))
        return httpx.AsyncClient(transport=transport, base_url=base_url, headers=headers)


def a_site(
    database: Database, clock: Clock, passwords: Passwords, settings: Settings, load: Callable[[str], Awaitable[None]]
) -> Site:
    """Build the site."""
    encryption = Encryption(KeyRing.generate())
    app = FastAPI(openapi_url=None)

    async def load_sample(
        _database: Database,
        _clock: Clock,
        _encryption: Encryption,
        _hash: Callable[[str], Awaitable[str]],
        password: str,
        *,
        check_first: Check,
    ) -> None:
        async with database.transaction() as session:
            await check_first(session)
        site.samples.append(password)
        await load(password)

    auth = build_auth(
        database=database,
        clock=clock,
        encryption=encryption,
        settings=settings,
        translators=Translators(),
        load_sample=load_sample,
        passwords=passwords,
    )
    site = Site(app=app, api=_api(auth), auth=auth, encryption=encryption)
    app.mount("/api/v1", site.api)
    app.include_router(auth_routes(auth.door))
    app.include_router(health_routes(database, encryption))

    @app.api_route("/{rest:path}", methods=["GET", "POST"])
    async def page(request: Request) -> HTMLResponse:
        site.seen.append(request)
        return HTMLResponse(PAGE, headers={"X-NiceGUI-Content": "page"})

    install_guard(app, auth, settings)
    return site


def _api(auth: Auth) -> FastAPI:
    api = FastAPI()
    api.state.sessions = auth.sessions
    install_problem_handlers(api)
    api.include_router(api_session.router_for(auth.sessions, auth.steps, auth.confirmation, auth.cookies))

    @api.patch("/me")
    async def patch_me(context: Annotated[RequestContext, Depends(require_context)]) -> dict[str, str]:
        return {"id": context.caller.identity.id, "origin": context.origin.name}

    return api


def forged(app: FastAPI, delegation: object) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """Return the site as a broken server would reach it: with a delegation already in the scope."""

    async def forged_app(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, DELEGATION_KEY: delegation}, receive, send)

    return forged_app
