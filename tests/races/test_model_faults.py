"""The model cuts, hangs, floods or fails: the turn ends with words, nothing of a cut answer runs, the chat goes on."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.scripted_model_server import Answer, Call
from tests.journeys.person import API, Person
from tests.races.kill_checks import read_story
from tests.races.site import RaceSite
from tests.races.tabs import Answered, Tab

SOON_S = 20.0
FLOOD = "And so on, and so on. " * 20_000
MAX_GROWTH_MB = 150


@pytest.fixture
def mara(site: RaceSite) -> Iterator[Person]:
    with site.sign_in() as signed_in:
        yield signed_in
    site.model.drop_queued()


def _goes_on(mara: Person, assistant: str) -> bool:
    return mara.say(assistant, "!say Back again.", chat_id=read_story(mara, assistant).chat_id).text == "Back again."


def test_an_answer_that_is_cut_says_so_and_none_of_its_calls_runs(site: RaceSite, mara: Person) -> None:
    [assistant] = site.make_assistants(1)
    name = f"cut-{time.monotonic_ns()}"
    creating = Call(name="create_group", arguments={"display_name": name})
    site.model.queue(Answer(text="I make it.", calls=(creating,), cut_after=4))

    heard = mara.say(assistant, "Make it")

    assert heard.notices == ["model_failed"]
    assert "broke off" in str(heard.one("notice")["text"])
    assert mara.items("/groups", q=name) == []
    assert _goes_on(mara, assistant)


def test_a_model_that_fails_again_and_again_is_told_of(site: RaceSite, mara: Person) -> None:
    [assistant] = site.make_assistants(1)
    site.model.queue(*[Answer(status=500)] * 4)

    heard = mara.say(assistant, "Tell me")

    assert heard.notices == ["model_failed"]
    assert "try again" in str(heard.one("notice")["text"])
    assert _goes_on(mara, assistant)


def test_a_model_that_hangs_can_be_stopped_and_holds_nobody_else_up(site: RaceSite, mara: Person) -> None:
    waiting, free = site.make_assistants(2)
    site.model.queue(Answer(text="The first words, and then nothing.", stall_after=3))

    async def run() -> tuple[Answered, Answered, float]:
        tab, heard = Tab(site.servers[0].url, mara), Answered()
        hanging = asyncio.create_task(tab.send(waiting, {"text": "Tell me"}, heard))
        while not heard.all("text"):  # noqa: ASYNC110 - the line is another task's
            await asyncio.sleep(0.01)
        other = await tab.send(free, {"text": "!say Hello."})
        began = time.monotonic()
        await tab.client.post(f"{API}/ai/turns/{heard.turn_id}/stop")
        await asyncio.wait_for(hanging, SOON_S)
        await tab.close()
        return heard, other, time.monotonic() - began

    heard, other, seconds = asyncio.run(run())

    assert other.is_whole
    assert seconds < SOON_S
    assert [str(data["code"]) for data in heard.all("notice")] == ["stopped"]
    assert read_story(mara, waiting).turns[0]["state"] == "stopped"
    assert _goes_on(mara, waiting)


def test_a_model_that_floods_is_ended_within_bounded_memory(site: RaceSite, mara: Person) -> None:
    [assistant] = site.make_assistants(1)
    site.model.queue(Answer(text=FLOOD))
    before = _resident_mb(site.servers[0].pid)

    heard = mara.say(assistant, "Tell me everything")

    assert heard.notices in (["turn_text"], ["model_failed"])
    assert len(heard.text) < len(FLOOD) / 2
    assert _resident_mb(site.servers[0].pid) - before < MAX_GROWTH_MB
    assert _goes_on(mara, assistant)


def _resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
