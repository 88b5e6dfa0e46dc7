"""Nobody presses a button of another's page, or one after the session has ended: seen on NiceGUI's own wire."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import httpx
import pytest
import socketio  # type: ignore[import-untyped] # it has no types
from nicegui import core

from nova_ui.auth.sockets import _BOUND, one_line
from nova_ui.domain.identity import IdentityId
from storage.database import Database
from storage.nova.sessions import end_sessions_of
from storage.nova.tables import IdentityRow
from tests.auth.people import PASSWORD

SOCKET_PATH = "/_nicegui_ws/socket.io"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("sockets")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "NICEGUI_", "NOVA_"))}
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.auth.socket_site", str(folder)], stdout=subprocess.PIPE, text=True, env=clean
    )
    assert process.stdout is not None
    yield f"http://127.0.0.1:{int(process.stdout.readline())}", folder
    process.terminate()
    process.wait(10)
    process.stdout.close()


@dataclass
class Person:
    """A browser: its cookie, its page, its sockets."""

    http: httpx.AsyncClient
    base: str
    wires: AsyncExitStack
    csrf_token: str = ""

    async def sign_in(self, name: str) -> None:
        answer = await self.http.post("/api/v1/session", json={"login": name, "password": PASSWORD})
        self.csrf_token = answer.json()["csrf_token"]

    async def open_page(self) -> str:
        found = re.search(r"'client_id': '([0-9a-f-]{36})'", (await self.http.get("/")).text)
        assert found is not None
        return found[1]

    async def connect(self, client_id: str | None, **changes: str) -> socketio.AsyncClient:
        cookie = changes.get("cookie", "; ".join(f"{one.name}={one.value}" for one in self.http.cookies.jar))
        query = {"tab_id": "t1", "document_id": "d1", "next_message_id": "0", "implicit_handshake": "true"}
        if client_id is None:
            query["implicit_handshake"] = "false"
        else:
            query["client_id"] = client_id
        jar = aiohttp.CookieJar(unsafe=True)  # unsafe: also for addresses that are no names
        wire = await self.wires.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
        client = socketio.AsyncClient(reconnection=False, http_session=wire)
        words = "&".join(f"{name}={value}" for name, value in query.items())
        headers = {"Cookie": cookie, "Origin": changes.get("origin", self.base)}
        await client.connect(
            f"{self.base}?{words}", headers=headers, transports=["websocket"], socketio_path=SOCKET_PATH
        )
        return client

    async def press(self, client: socketio.AsyncClient, client_id: str, button: dict[str, object], word: str) -> None:
        message = {"id": button["id"], "client_id": client_id, "listener_id": button["listener"]}
        await client.emit("event", {**message, "args": [json.dumps(word)]})

    async def clicks(self, word: str) -> list[str]:
        found: list[str] = (await self.http.get("/clicks")).json()
        return [click for click in found if f" {word}" in click]

    async def button(self, client_id: str) -> dict[str, object]:
        found: dict[str, object] = (await self.http.get(f"/button/{client_id}")).json()
        return found


async def until(is_so: Callable[[], Awaitable[bool]] | Callable[[], bool]) -> None:
    """Wait until something is so, at most as long as a busy machine takes."""
    async with asyncio.timeout(20):
        while not (answer if isinstance(answer := is_so(), bool) else await answer):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)


@pytest.fixture
async def people(server: tuple[str, Path]) -> AsyncIterator[tuple[Person, Person]]:
    base, _ = server
    async with (
        httpx.AsyncClient(base_url=base) as adas,
        httpx.AsyncClient(base_url=base) as bens,
        AsyncExitStack() as wires,
    ):
        ada, ben = Person(adas, base, wires), Person(bens, base, wires)
        await ada.sign_in("ada")
        await ben.sign_in("ben")
        yield ada, ben


@pytest.fixture
async def database(server: tuple[str, Path]) -> AsyncIterator[Database]:
    database = Database(f"sqlite+aiosqlite:///{server[1] / 'nova.sqlite3'}")
    yield database
    await database.close()


async def test_the_own_button_can_be_pressed_and_anothers_can_not(people: tuple[Person, Person]) -> None:
    """Abuse case 64."""
    ada, ben = people
    adas, bens = await ada.open_page(), await ben.open_page()
    button, bens_button = await ada.button(adas), await ben.button(bens)
    adas_socket, bens_socket = await ada.connect(adas), await ben.connect(bens)

    await ben.press(bens_socket, adas, button, "forged")
    await ben.press(bens_socket, bens, bens_button, "own")
    await ada.press(adas_socket, adas, button, "own")
    await until(lambda: _count(ada, "own", 2))

    assert sorted(await ada.clicks("own")) == ["ada own", "ben own"]
    assert await ada.clicks("forged") == []
    await adas_socket.disconnect()
    await bens_socket.disconnect()


async def test_a_socket_without_session_origin_or_own_page_does_not_connect(people: tuple[Person, Person]) -> None:
    """Abuse case 64."""
    ada, ben = people
    adas = await ada.open_page()

    for connecting in (
        ben.connect(adas),
        ada.connect(adas, cookie=""),
        ada.connect(adas, cookie="nova_session=nvs_" + "A" * 43),
        ada.connect(adas, origin="http://evil.example"),
        ben.connect(None),
    ):
        with pytest.raises(socketio.exceptions.ConnectionError):
            await connecting

    socket = await ada.connect(adas)
    assert socket.connected
    await socket.disconnect()


async def test_presses_count_in_their_order(people: tuple[Person, Person]) -> None:
    ada, _ = people
    adas = await ada.open_page()
    button = await ada.button(adas)
    socket = await ada.connect(adas)

    for number in range(30):
        await ada.press(socket, adas, button, f"number {number}")
    await until(lambda: _count(ada, "number", 30))

    assert await ada.clicks("number") == [f"ada number {number}" for number in range(30)]
    await socket.disconnect()


async def test_after_signing_out_no_press_counts_and_the_page_is_sent_away(people: tuple[Person, Person]) -> None:
    """Abuse cases 5 and 64."""
    ada, ben = people
    adas, bens = await ada.open_page(), await ben.open_page()
    button = await ada.button(adas)
    socket, bens_socket = await ada.connect(adas), await ben.connect(bens)
    commands = _commands(socket)

    await ada.http.delete("/api/v1/session", headers={"X-CSRF-Token": ada.csrf_token})
    await ada.press(socket, adas, button, "late")
    await until(lambda: not socket.connected)

    assert await ben.clicks("late") == []
    assert any("/sign-in" in command for command in commands)
    assert bens_socket.connected
    await bens_socket.disconnect()


async def test_signing_out_sends_every_open_page_away_at_once(people: tuple[Person, Person]) -> None:
    ada, _ = people
    sockets = [await ada.connect(await ada.open_page()) for _ in range(2)]
    commands = [_commands(socket) for socket in sockets]

    await ada.http.delete("/api/v1/session", headers={"X-CSRF-Token": ada.csrf_token})
    await until(lambda: not any(socket.connected for socket in sockets))

    assert all(any("/sign-in" in command for command in of_page) for of_page in commands)


async def test_a_session_that_another_process_ends_is_over_at_the_next_press(
    people: tuple[Person, Person], database: Database
) -> None:
    """Abuse case 64."""
    ada, ben = people
    adas = await ada.open_page()
    button = await ada.button(adas)
    socket = await ada.connect(adas)
    commands = _commands(socket)

    async with database.transaction() as session:
        await end_sessions_of(session, IdentityId("idn_ada"), datetime.now(UTC))
    await ada.press(socket, adas, button, "ended")
    await until(lambda: not socket.connected)

    assert await ben.clicks("ended") == []
    assert any("/sign-in" in command for command in commands)


async def test_whoever_signs_in_next_in_the_same_browser_gets_nothing_of_the_page_before(
    people: tuple[Person, Person],
) -> None:
    """Abuse cases 6 and 64: the old tab is still open, and the browser has one cookie jar."""
    browser, ben = people
    adas = await browser.open_page()
    button = await browser.button(adas)
    old_tab = await browser.connect(adas)

    await browser.http.delete("/api/v1/session", headers={"X-CSRF-Token": browser.csrf_token})
    await browser.sign_in("ben")
    with suppress(socketio.exceptions.SocketIOError):
        await browser.press(old_tab, adas, button, "old tab")
    with pytest.raises(socketio.exceptions.ConnectionError):
        await browser.connect(adas)
    bens = await browser.open_page()
    new_tab = await browser.connect(bens)
    await browser.press(new_tab, adas, button, "old page")
    await browser.press(new_tab, bens, await browser.button(bens), "new page")
    await until(lambda: _count(ben, "new page", 1))

    assert await ben.clicks("new page") == ["ben new page"]
    assert await ben.clicks("old") == []
    await until(lambda: not old_tab.connected)
    await new_tab.disconnect()


async def test_a_page_that_only_listens_is_sent_away_by_the_sweep(
    people: tuple[Person, Person], database: Database
) -> None:
    ada, ben = people
    adas, bens = await ada.open_page(), await ben.open_page()
    socket, bens_socket = await ada.connect(adas), await ben.connect(bens)

    async with database.transaction() as session:
        (await session.get_one(IdentityRow, "idn_ada")).status = "disabled"
    await ben.http.get("/sweep")
    await until(lambda: not socket.connected)
    async with database.transaction() as session:
        (await session.get_one(IdentityRow, "idn_ada")).status = "active"

    assert bens_socket.connected
    await bens_socket.disconnect()


def test_the_names_that_are_wrapped_are_those_of_the_installed_nicegui() -> None:
    assert set(_BOUND) | {"connect", "handshake", "disconnect"} == set(core.sio.handlers["/"])


def test_a_browsers_log_message_stays_one_line() -> None:
    """Abuse case 57."""
    assert one_line({"level": "info", "message": "a\nERROR forged\x1b[2J" + "x" * 999}) == {
        "level": "info",
        "message": "browser: " + ("a ERROR forged [2J" + "x" * 999)[:300],
    }


def _commands(socket: socketio.AsyncClient) -> list[str]:
    commands: list[str] = []
    socket.on("run_javascript", lambda message: commands.append(message["code"]))
    return commands


async def _count(person: Person, word: str, number: int) -> bool:
    return len(await person.clicks(word)) == number
