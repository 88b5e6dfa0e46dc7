"""The whole site within this process, behind the real guard, with people who look at its pages."""

import asyncio
import gc
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import httpx
import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI
from nicegui import ui
from nicegui.testing import User
from nicegui.testing.general import nicegui_reset_globals
from pydantic import SecretStr

from nova_ui.auth.password import Passwords
from nova_ui.settings import Settings

PASSWORD: Final = "for-the-tests-only"
Visitor = Callable[[str], Awaitable[User]]


def _settings(folder: Path) -> Settings:
    return Settings(data_dir=folder, demo=True, demo_password=SecretStr(PASSWORD))


def _passwords() -> Passwords:
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def _build(folder: Path) -> FastAPI:
    from nova_ui.bootstrap import build  # noqa: PLC0415 - the page modules have to be imported within a reset NiceGUI

    return build(_settings(folder), passwords=_passwords())


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the sample organisation, made once and then only copied."""
    folder = tmp_path_factory.mktemp("sample")

    async def make() -> None:
        with nicegui_reset_globals():
            app = _build(folder)
            async with app.router.lifespan_context(app):
                pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NICEGUI_USER_SIMULATION", "true")
        asyncio.run(make())
    gc.collect()
    gc.freeze()  # each reset collects garbage over all that was imported, bootstrap's imports included
    return folder


@pytest.fixture
async def site(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FastAPI]:
    """The running site with the sample organisation."""
    monkeypatch.setenv("NICEGUI_USER_SIMULATION", "true")
    for name in ("navigate", "notify", "download"):
        monkeypatch.setattr(ui, name, getattr(ui, name))  # a simulated person replaces them
    folder = tmp_path / "data"
    shutil.copytree(sample, folder)
    with nicegui_reset_globals():
        app = _build(folder)
        async with app.router.lifespan_context(app):
            yield app


@pytest.fixture
def visitor(site: FastAPI) -> Visitor:
    """Gives a person who has signed in, speaks English, and looks at no page yet."""

    async def sign_in(login: str) -> User:
        client = httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://127.0.0.1:8080")
        answer = await client.post("/api/v1/session", json={"login": login, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        token = {"X-CSRF-Token": answer.json()["csrf_token"]}
        await client.patch("/api/v1/me", json={"preferred_language": "en"}, headers=token)
        return User(client)

    return sign_in
