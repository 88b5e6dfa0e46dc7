"""An API as requests from outside reach it: mounted at its path, behind the guard of sessions."""

from typing import Final

from fastapi import FastAPI

from nova_ui.auth.guard import SessionGuard, SessionSource

API_URL: Final = "http://nova/api/v1"


def behind_guard(api: FastAPI, sessions: SessionSource) -> SessionGuard:
    """Return `api` behind the guard; ask it under `API_URL`."""
    process = FastAPI(openapi_url=None)
    process.mount("/api/v1", api)
    return SessionGuard(
        process,
        sessions=sessions,
        find_page=lambda _client_id: None,
        is_setup_open=_never,
        static_path="/_nicegui/static/",
    )


async def _never() -> bool:
    return False
