import asyncio
from collections.abc import Callable, Mapping

import httpx
import pytest
from nicegui.functions.navigate import History
from nicegui.testing import User
from nicegui.testing.user_navigate import UserNavigate

from nova_ui.components.audit_table import AuditTable
from tests.pages.conftest import Visitor
from tests.pages.test_home import answered

LOG = "/monitoring/audit-log"


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What pages write into the address bar."""
    written: list[str] = []
    monkeypatch.setattr(History, "replace", lambda _, address: written.append(str(address)))
    return written


@pytest.fixture
def visited(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where pages send the browser."""
    paths: list[str] = []
    monkeypatch.setattr(UserNavigate, "to", lambda _, path, **_kwargs: paths.append(str(path)))
    return paths


def rows(person: User) -> list[Mapping[str, object]]:
    """Return what the table shows; the simulation draws no component of ours."""
    (table,) = person.find(AuditTable).elements
    return list(table.props["rows"])


async def open_log(person: User, address: str = LOG) -> None:
    await person.open(address)
    await person.should_see(marker="count", content="entries", retries=50)  # how many there are, once they are read


async def until(happened: Callable[[], bool]) -> None:
    """Wait for what the simulation gives no text to wait for."""
    for _ in range(1_000):
        if happened():
            return
        await asyncio.sleep(0.01)
    pytest.fail("it has not happened within ten seconds")


def ids(person: User) -> list[object]:
    return [row["key"] for row in rows(person)]


async def entries(client: httpx.AsyncClient, **query: str) -> list[object]:
    answer = await client.get("/api/v1/audit-log", params={"limit": 50, **query})
    return [entry["id"] for entry in answer.json()["items"]]


async def create_group_here_and_in_the_chat(person: User) -> None:
    token = (await person.http_client.get("/api/v1/session")).json()["csrf_token"]
    await person.http_client.post("/api/v1/groups", json={"display_name": "by-hand"}, headers={"X-CSRF-Token": token})
    await person.open("/?assistant=admin")
    person.find(marker="composer").trigger("send", "Create the group by-chat")
    await person.should_see(marker="turn")
    await answered(person)


async def test_f2_the_log_filtered_by_origin_ai_chat_shows_exactly_these_entries(
    visitor: Visitor, addresses: list[str], visited: list[str]
) -> None:
    mara, paul = await visitor("mara.koenig"), await visitor("paul.adler")
    await create_group_here_and_in_the_chat(mara)
    await open_log(mara)
    assert {row["target"] for row in rows(mara)} >= {"by-hand", "by-chat"}

    mara.find(marker="choice-ai_chat").click()
    await mara.should_see("Origin: AI chat")

    assert ids(mara) == await entries(mara.http_client, origin="ai_chat")
    assert rows(mara)[0]["target"] == "by-chat"
    assert {str(row["origin"])[:18] for row in rows(mara)} == {"{'text': 'AI chat "}
    assert addresses[-1] == f"{LOG}?origin=ai_chat"
    await open_log(paul, addresses[-1])  # a view can be shared
    await paul.should_see("Origin: AI chat")
    assert ids(paul) == ids(mara)
    mara.find(marker="export-csv").click()
    await until(lambda: bool(visited))
    file = await mara.http_client.get(visited[-1])
    assert file.headers["content-disposition"].startswith("attachment")
    assert len(file.text.splitlines()) > len(rows(mara))


async def test_an_entry_opens_beside_the_log_with_all_that_is_known(visitor: Visitor) -> None:
    paul = await visitor("paul.adler")
    await open_log(paul, f"{LOG}?origin=ai_chat&action=identity.*&outcome=success")
    first = rows(paul)[0]

    paul.find(AuditTable).trigger("open", first["key"])

    await paul.should_see("References")
    await paul.should_see("All entries of this target")
    await paul.should_see(str(first["key"]))
    paul.find(AuditTable).trigger("open", "log_00000000000000000000")  # what is not in the table is not asked for
    await paul.should_see(str(first["key"]))


async def test_pages_lead_to_older_entries_and_back(visitor: Visitor) -> None:
    paul = await visitor("paul.adler")
    await open_log(paul)
    newest = ids(paul)

    paul.find("Older").click()
    await until(lambda: ids(paul) != newest)

    assert not set(ids(paul)) & set(newest)
    paul.find("Newer").click()
    await until(lambda: ids(paul) == newest)
