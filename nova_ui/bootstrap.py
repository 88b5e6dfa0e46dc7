"""Builds every part once and puts them together: one application with Nova's API and the pages."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from nova_ui.api import ai, sent_requests, session
from nova_ui.api.app import add_routers, build_api
from nova_ui.auth.build import NICEGUI_STATIC, Auth, build_auth, install_guard
from nova_ui.auth.health import health_routes
from nova_ui.auth.password import Passwords
from nova_ui.auth.routes import auth_routes
from nova_ui.auth.sockets import SocketBinding
from nova_ui.auth.start_note import make_start_note
from nova_ui.chat.assistants import Assistants
from nova_ui.chat.engine import Engine
from nova_ui.chat.history import ChatHistory
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.chat.routine_runs import RoutineRuns
from nova_ui.chat.sent_requests import SentRequests
from nova_ui.domain.chat import PreviewId
from nova_ui.domain.clock import Clock, SystemClock
from nova_ui.domain.sample_sign_ins import SIGN_INS
from nova_ui.guardrails.envelope import unwrap
from nova_ui.guardrails.gate import Gate
from nova_ui.guardrails.marks import read_marks
from nova_ui.guardrails.start_up import check_start_up
from nova_ui.i18n.translator import Translators
from nova_ui.llm.builtin.checks import check_phrases
from nova_ui.llm.registry import ModelRegistry
from nova_ui.nova.background import Background
from nova_ui.nova.known_secrets import StoredSecrets
from nova_ui.nova.sample_organisation import load as load_sample
from nova_ui.nova.services import NovaServices, build_nova
from nova_ui.nova_client.client import NovaDoor
from nova_ui.outgoing.client import Outgoing
from nova_ui.pages import (
    access,
    ai_budget,
    ai_configuration,
    ai_routines,
    ai_usage,
    applications,
    assistants,
    audit_log,
    chats,
    groups,
    home,
    identities,
    me,
    reports,
    roles,
    routines,
    sessions,
    sign_in_policy,
)
from nova_ui.pages.frame import ASSETS_PATH, set_defaults
from nova_ui.pages.page import register_not_found
from nova_ui.self_test.on_request import OnRequest
from nova_ui.services import Services
from nova_ui.settings import Settings
from nova_ui.tools.registry import build_registry
from storage.chat.message_rates import MessageRate
from storage.database import Database
from storage.encryption import Encryption
from storage.ids import new_id
from storage.key_file import load_or_create
from storage.nova.membership import groups_among

API_PATH: Final = "/api/v1"
RECONNECT_SECONDS: Final = 20.0
_ASSETS: Final = Path(__file__).parent.parent / "assets"
_ICON: Final = _ASSETS / "icon.svg"
_PAGES: Final = (
    home,
    chats,
    access,
    identities,
    groups,
    roles,
    applications,
    audit_log,
    sessions,
    reports,
    routines,
    assistants,
    sign_in_policy,
    ai_routines,
    ai_configuration,
    ai_budget,
    ai_usage,
    me,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What is built once for the process."""

    settings: Settings
    database: Database
    encryption: Encryption
    auth: Auth
    sockets: SocketBinding
    api: FastAPI
    nova: NovaServices
    services: Services
    background: Background
    routine_runs: RoutineRuns


def build(settings: Settings, *, clock: Clock | None = None, passwords: Passwords | None = None) -> FastAPI:
    """Return the whole application; nothing runs before its lifespan begins.

    `clock` and `passwords` (with quicker parameters) are given by tests.

    Raises:
        ConfigurationError: a setting, a key file, a tool or an endpoint is not usable; the sentence names it.

    """
    parts = build_parts(settings, clock=clock or SystemClock(), passwords=passwords)
    # No redirect to another spelling of a path: it would repeat the host that the request named.
    app = FastAPI(lifespan=_lifespan(parts), openapi_url=None, redirect_slashes=False)
    app.state.parts = parts
    app.mount(API_PATH, parts.api)
    app.include_router(health_routes(parts.database, parts.encryption))
    app.include_router(auth_routes(parts.auth.door))
    app.mount(ASSETS_PATH, StaticFiles(directory=_ASSETS))
    app.add_route("/favicon.ico", _icon)  # NiceGUI's own route comes after the page that answers every other path
    install_guard(app, parts.auth, settings)
    _attach_pages(app, parts)
    return app


def build_parts(
    settings: Settings, *, clock: Clock, passwords: Passwords | None = None, models: ModelRegistry | None = None
) -> Parts:
    """Build every part, from the database up to what pages may ask for; `models` replaces those of the settings."""
    database = Database(settings.database_address)
    encryption = load_or_create(settings.key_path)
    translators = Translators()
    auth = build_auth(
        database=database,
        clock=clock,
        encryption=encryption,
        settings=settings,
        translators=translators,
        load_sample=load_sample,
        passwords=passwords,
    )
    tools = build_registry()
    models = models or ModelRegistry.from_settings(
        settings, unwrap=unwrap, translators=translators, clock=clock, all_tools=tools.values()
    )
    nova = build_nova(
        database,
        clock,
        sessions_ended=auth.sessions.ended,
        tools=tools,
        encryption=encryption,
        models=models,
        outgoing=Outgoing(allow_private=settings.allow_private_addresses),
        signing_in=auth.signing_in,
    )
    api = build_api(
        nova, auth.sessions, [session.router_for(auth.sessions, auth.steps, auth.confirmation, auth.cookies)]
    )
    check_start_up(tools, api.openapi())
    check_phrases(tuple(tools.values()))
    door = NovaDoor(api)
    engine = Engine(
        database=database,
        clock=clock,
        gate=Gate(
            tools,
            new_preview_id=lambda: PreviewId(new_id("prv")),
            marks=read_marks(api.openapi()),
            known_secrets=StoredSecrets(database, encryption, also=_started_with(settings)),
        ),
        tools=tools,
        models=models,
        look_at_models=nova.ai_configuration.watch.look,
        nova=door,
        identity_of=auth.sessions.identity_of,
        groups_among=groups_among,
        translators=translators,
    )
    live_turns = LiveTurns(engine, rate=MessageRate(per_minute=settings.messages_per_minute))
    routine_runs = RoutineRuns(engine, nova.ai_routines.find)
    nova.ai_routine_runs.connect(routine_runs.run)
    nova.self_tests.connect(OnRequest(build_parts, tools, models, clock))
    for session_ended in (live_turns.session_ended, routine_runs.session_ended):
        auth.sessions.ended.subscribe(session_ended)
    services = Services(
        settings=settings,
        clock=clock,
        translators=translators,
        sessions=auth.sessions,
        nova=door,
        tools=tools,
        models=models,
        assistants=Assistants(database, groups_among),
        history=ChatHistory(database, clock, live_turns, groups_among, known_secrets=engine.gate.known_secrets),
        live_turns=live_turns,
        sent_requests=SentRequests(database, groups_among),
        notified=nova.core.writer.notified,
    )
    chat = ai.AiParts(live_turns=live_turns, history=services.history, assistants=services.assistants, engine=engine)
    add_routers(
        api, [ai.router_for(chat), sent_requests.router_for(services.sent_requests)]
    )  # last: the engine itself calls this API
    return Parts(
        settings=settings,
        database=database,
        encryption=encryption,
        auth=auth,
        sockets=SocketBinding(auth.sessions),
        api=api,
        nova=nova,
        services=services,
        background=nova.background,
        routine_runs=routine_runs,
    )


def _started_with(settings: Settings) -> tuple[str, ...]:
    key = settings.ai_api_key
    return () if key is None else (key.get_secret_value(),)


async def _icon(_request: Request) -> FileResponse:
    return FileResponse(_ICON, media_type="image/svg+xml; charset=utf-8")


async def _no_such_file(_request: Request) -> Response:
    return Response(status_code=404)


def _attach_pages(app: FastAPI, parts: Parts) -> None:
    set_defaults()
    for page in _PAGES:
        page.register(parts.services)
    # Strangers may ask for NiceGUI's files, and nobody gets a page for one that is not there.
    nicegui_app.add_route(f"{NICEGUI_STATIC}{{rest:path}}", _no_such_file)
    register_not_found(parts.services)
    ui.run_with(
        app,
        title="Nova",
        favicon=_ICON,
        dark=None,
        tailwind=False,  # pages use the classes of our own stylesheet
        reconnect_timeout=RECONNECT_SECONDS,
        gzip_middleware_factory=None,
        show_welcome_message=False,
    )


def _lifespan(parts: Parts) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await parts.database.migrate()
        app.state.start_note = await make_start_note(
            parts.database, parts.auth, parts.settings, demo_names=tuple(SIGN_INS)
        )
        await parts.auth.sessions.purge()
        await parts.nova.ai_configuration.watch.start()
        await parts.services.live_turns.start()
        unbind = parts.sockets.install()
        sweep = asyncio.create_task(parts.sockets.sweep_for_ever())
        ticking = asyncio.create_task(parts.background.tick_for_ever())
        try:
            yield
        finally:
            sweep.cancel()
            with suppress(asyncio.CancelledError):
                await sweep
            unbind()
            await parts.background.shut_down(ticking)
            parts.routine_runs.shut_down()
            await parts.nova.ai_routine_runs.settle()
            await parts.services.live_turns.shut_down()
            await parts.nova.ai_configuration.watch.stop()
            await parts.services.models.aclose()
            await parts.database.close()

    return lifespan
