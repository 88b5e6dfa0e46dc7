"""Whether the server lives, and whether it can do its work: plain JSON for whoever watches it."""

import logging

from fastapi import APIRouter
from starlette.responses import JSONResponse

from storage.database import Database
from storage.encryption import Encryption, UnsealFailed

log = logging.getLogger(__name__)


def health_routes(database: Database, encryption: Encryption) -> APIRouter:
    """Return the routes of `/healthz` (the process answers) and `/readyz` (database and keys can be used)."""
    router = APIRouter(include_in_schema=False)

    async def healthz() -> JSONResponse:
        return JSONResponse({"status": "ok"})

    async def readyz() -> JSONResponse:
        checks = {"database": await _is_database_usable(database), "keys": _are_keys_usable(encryption)}
        is_ready = all(checks.values())
        words = {name: "ok" if usable else "unusable" for name, usable in checks.items()}
        return JSONResponse({"status": "ready" if is_ready else "unready", "checks": words}, 200 if is_ready else 503)

    router.add_api_route("/healthz", healthz, methods=["GET", "HEAD"])
    router.add_api_route("/readyz", readyz, methods=["GET", "HEAD"])
    return router


async def _is_database_usable(database: Database) -> bool:
    try:
        await database.check()
    except Exception as error:  # noqa: BLE001 - whatever the driver raises, the answer is no
        log.warning("readyz.database_unusable", extra={"error": type(error).__name__})
        return False
    return True


def _are_keys_usable(encryption: Encryption) -> bool:
    try:
        encryption.check()
    except UnsealFailed:
        log.warning("readyz.keys_unusable")
        return False
    return True
