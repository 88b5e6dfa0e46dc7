"""A server of its own with one NiceGUI page behind the real guard; run by `test_sockets.py`.

`python -m tests.auth.socket_site <folder>` prints its port. `/clicks` tells whose button was pressed.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from nicegui import ui
from sqlmodel import SQLModel

import storage.all_tables  # noqa: F401 - fills SQLModel.metadata
from nova_ui.api import session as api_session
from nova_ui.api.problem import install_problem_handlers
from nova_ui.auth.build import Auth, build_auth, install_guard
from nova_ui.auth.password import Passwords
from nova_ui.auth.routes import auth_routes
from nova_ui.auth.sockets import SocketBinding
from nova_ui.domain.clock import SystemClock
from nova_ui.i18n.translator import Translators
from nova_ui.settings import Settings
from storage.database import Database
from storage.encryption import Encryption, KeyRing
from storage.nova.tables import IdentityRow
from tests.auth.people import PASSWORD, quick_hasher

CLICKS: list[str] = []
BUTTONS: dict[str, dict[str, object]] = {}


async def load_nothing(*_given: object, **_named: object) -> None:
    """There is no sample organisation here."""


def add_pages(app: FastAPI, binding: SocketBinding) -> None:
    @app.get("/clicks")
    def clicks() -> list[str]:
        return CLICKS

    @app.get("/button/{client_id}")
    def button_of(client_id: str) -> dict[str, object]:
        return BUTTONS[client_id]

    @app.get("/sweep")
    async def sweep() -> None:
        await binding.sweep()

    @ui.page("/")
    def page(request: Request) -> None:
        name = request.state.login.identity.user_name
        button = ui.button("Press").on("press", lambda event: CLICKS.append(f"{name} {event.args}"))
        BUTTONS[ui.context.client.id] = {"id": button.id, "listener": next(iter(button._event_listeners))}


def build(database: Database, auth: Auth, settings: Settings) -> FastAPI:
    binding = SocketBinding(auth.sessions)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        uninstall = binding.install()
        yield
        uninstall()
        await database.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None)
    api = FastAPI()
    api.state.sessions = auth.sessions
    install_problem_handlers(api)
    api.include_router(api_session.router_for(auth.sessions, auth.steps, auth.confirmation, auth.cookies))
    app.mount("/api/v1", api)
    app.include_router(auth_routes(auth.door))
    add_pages(app, binding)
    install_guard(app, auth, settings)
    ui.run_with(app, gzip_middleware_factory=None, show_welcome_message=False, reconnect_timeout=20)
    return app


async def add_people(database: Database, hash_of: Callable[[str], Awaitable[str]]) -> None:
    async with database._engine.begin() as connection:
        await connection.run_sync(SQLModel.metadata.create_all)
    now = datetime.now(UTC) - timedelta(days=1)
    async with database.transaction() as session:
        for name in ("ada", "ben"):
            row = IdentityRow(
                id=f"idn_{name}",
                user_name=name,
                user_name_key=name,
                display_name=name,
                nova_roles=["administrator"],
                password_hash=await hash_of(PASSWORD),
                created_at=now,
                updated_at=now,
            )
            session.add(row)


async def serve(folder: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{folder / 'nova.sqlite3'}")
    settings = Settings()
    auth = build_auth(
        database=database,
        clock=SystemClock(),
        encryption=Encryption(KeyRing.generate()),
        settings=settings,
        translators=Translators(),
        load_sample=load_nothing,
        passwords=Passwords(quick_hasher()),
    )
    await add_people(database, auth.passwords.hash)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(build(database, auth, settings), ws="wsproto", server_header=False, log_level="warning")
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
