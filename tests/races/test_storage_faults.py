"""The database is locked, full or gone: everybody is told in words, nothing is half written, and it goes on after."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import httpx
import pytest

from tests.fakes.running_server import DEMO_PASSWORD
from tests.fakes.scripted_model_server import Answer
from tests.journeys.person import API, Person, order
from tests.races.kill_checks import read_story
from tests.races.site import RaceSite
from tests.races.storage_faults import gone, locked, without_room
from tests.races.tabs import Answered, Tab

AWAY = {"database_busy", "database_full", "database_unavailable"}
GERMAN = {"database_busy": "belegt", "database_full": "keinen Platz", "database_unavailable": "nicht nutzbar"}
A_WHILE_S = 1.5


@dataclass
class Tried:
    """What everybody got while the database could not be written."""

    said: Answered = field(default_factory=Answered)
    pressed: Answered = field(default_factory=Answered)
    written: httpx.Response = field(default_factory=lambda: httpx.Response(599))
    signed_in: httpx.Response = field(default_factory=lambda: httpx.Response(599))
    read: httpx.Response = field(default_factory=lambda: httpx.Response(599))
    page: httpx.Response = field(default_factory=lambda: httpx.Response(599))


@dataclass
class Ready:
    """What was prepared before: a card that waits, and an assistant that is free."""

    card_with: str
    free: str
    group_id: str
    preview_id: str
    name: str


def _prepare(site: RaceSite, mara: Person) -> Ready:
    card_with, free = site.make_assistants(2)
    name = f"kept-{time.monotonic_ns()}"
    group_id = mara.make_group(name)
    shown = mara.say(card_with, order("delete_group", group_id=group_id))
    return Ready(card_with=card_with, free=free, group_id=group_id, preview_id=shown.preview_id, name=name)


async def _try_everything(site: RaceSite, mara: Person, ready: Ready) -> Tried:
    """Have everybody try at once; Tim, who reads German, signs in by the form."""
    tried, url = Tried(), site.servers[0].url
    tab = Tab(url, mara)

    async def write() -> None:
        body = {"display_name": f"{ready.name}-refused"}
        tried.written = await tab.client.post(f"{API}/groups", json=body)

    async def read() -> None:
        tried.read = await tab.client.get(f"{API}/groups", params={"q": ready.name})
        tried.page = await tab.client.get("/groups")

    async def sign_in() -> None:
        async with httpx.AsyncClient(base_url=url, timeout=90, headers={"Accept-Language": "de"}) as browser:
            page = await browser.get("/sign-in")
            token = page.text.partition('name="form_token" value="')[2].partition('"')[0]
            fields = {"login": "tim.vogt", "password": DEMO_PASSWORD, "form_token": token}
            tried.signed_in = await browser.post("/sign-in", data=fields)

    await asyncio.gather(
        tab.send(ready.free, {"text": "!say Hello."}, tried.said),
        tab.send(ready.card_with, {"confirm": ready.preview_id}, tried.pressed),
        write(),
        read(),
        sign_in(),
    )
    await tab.close()
    return tried


def _check_told(tried: Tried, codes: set[str]) -> None:
    for answered in (tried.said, tried.pressed):
        assert (answered.status, answered.code in codes) == (503, True), answered
        assert "Nothing was changed" in str(answered.problem["detail"])
    assert tried.written.status_code == 503, tried.written.text
    assert tried.written.json()["code"] in codes
    assert tried.written.headers["Retry-After"]
    assert tried.signed_in.status_code == 503, tried.signed_in.text
    assert any(GERMAN[code] in tried.signed_in.text for code in codes)
    for answer in (tried.written, tried.signed_in, tried.page):
        assert "Traceback" not in answer.text
        assert "sqlalchemy" not in answer.text.lower()


def _check_recovered(site: RaceSite, mara: Person, ready: Ready) -> None:
    """Nothing is half written: the card waits as before, the message is not there, and both can be sent again."""
    assert read_story(mara, ready.free).chat_id == ""
    assert mara.items("/groups", q=f"{ready.name}-refused") == []
    assert mara.say(ready.free, "!say Hello.").text == "Hello."
    assert mara.confirm(ready.card_with, ready.preview_id).outcomes == [("ok", None)]
    assert not mara.has_group(ready.group_id)
    assert len(mara.items("/audit-log", action="group.deleted", target_id=ready.group_id)) == 1
    with Person(site.servers[0].url, "tim.vogt", DEMO_PASSWORD) as tim:
        assert tim.id


@pytest.fixture
def mara(site: RaceSite) -> Iterator[Person]:
    with site.sign_in() as signed_in:
        yield signed_in


def test_locked_for_a_while_everything_waits_and_is_done(site: RaceSite, mara: Person) -> None:
    [assistant] = site.make_assistants(1)

    async def run() -> tuple[Answered, float]:
        tab = Tab(site.servers[0].url, mara)
        with locked(site):
            began = time.monotonic()
            saying = asyncio.create_task(tab.send(assistant, {"text": "!say Hello."}))
            await asyncio.sleep(A_WHILE_S)
        answered = await saying
        await tab.close()
        return answered, time.monotonic() - began

    answered, seconds = asyncio.run(run())

    assert answered.is_whole
    assert seconds >= A_WHILE_S


@pytest.mark.parametrize(
    ("fault", "codes"), [(locked, {"database_busy"}), (without_room, {"database_full", "database_unavailable"})]
)
def test_locked_for_too_long_or_full_everybody_is_told_and_nothing_is_half_written(
    site: RaceSite, mara: Person, fault: Callable[[RaceSite], AbstractContextManager[None]], codes: set[str]
) -> None:
    ready = _prepare(site, mara)

    with fault(site):
        tried = asyncio.run(_try_everything(site, mara, ready))

    _check_told(tried, codes)
    assert tried.read.status_code == 200
    assert tried.page.status_code == 200
    _check_recovered(site, mara, ready)


def test_a_turn_whose_answer_can_not_be_stored_says_so_and_keeps_what_was_told(site: RaceSite, mara: Person) -> None:
    [assistant] = site.make_assistants(1)
    site.model.queue(Answer(text="The first words. " + "And on it goes. " * 60, delay_s=0.05))

    async def run() -> Answered:
        tab, heard = Tab(site.servers[0].url, mara), Answered()
        saying = asyncio.create_task(tab.send(assistant, {"text": "Tell me"}, heard))
        while not heard.all("text"):  # noqa: ASYNC110 - the line is another task's
            await asyncio.sleep(0.01)
        with without_room(site):
            await saying
        await tab.close()
        return heard

    heard = asyncio.run(run())

    [problem] = heard.all("error")
    assert problem["code"] in AWAY
    assert "kept" in str(problem["detail"])
    deadline = time.monotonic() + 60
    while read_story(mara, assistant).is_running:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    story = read_story(mara, assistant)
    assert story.turns[0]["state"] == "failed"
    assert story.notices == ["server_stopped"]
    told = "".join(str(data["delta"]) for data in heard.all("text"))
    assert str(story.turns[0]["steps"]).count(told.strip()[:200]) == 1
    assert mara.say(assistant, "!say Back again.", chat_id=story.chat_id).text == "Back again."


def test_a_database_that_is_gone_is_told_and_used_again_when_it_is_back(site: RaceSite, mara: Person) -> None:
    if site.is_sqlite:
        return  # a file that is open can't be taken away
    [assistant] = site.make_assistants(1)

    with gone(site):
        said = mara.post_message(assistant, {"text": "!say Hello."})
        page = mara.client.get("/", headers={"Accept-Language": "de"})
        health = mara.client.get("/readyz")

    assert (said.status_code, said.json()["code"]) == (503, "database_unavailable")
    assert page.status_code == 503
    assert "nicht nutzbar" in page.text
    assert health.status_code == 503
    assert mara.say(assistant, "!say Hello.").text == "Hello."
