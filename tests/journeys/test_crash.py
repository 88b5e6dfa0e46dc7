"""The server is killed at the worst moments; after the start nothing runs twice and the chat says what happened."""

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest

from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.fakes.scripted_model_server import Answer, Call, ScriptedModelServer, say
from tests.journeys.conftest import STOPPED
from tests.journeys.person import JsonObject, Person, order, problem

_PATIENCE_S = 20.0
# A deletion that takes seconds: the server is in the middle of it when it is killed.
_SLOW = """
CREATE VIEW slow AS
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 500000000) SELECT count(*) c FROM n;
CREATE TRIGGER slow_deletion BEFORE DELETE ON groups BEGIN SELECT c FROM slow; END;
"""


def _wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def _in_background(work: Callable[[], object]) -> threading.Thread:
    def quietly() -> None:
        with suppress(httpx.TransportError, AssertionError):  # the line goes dead when the server is killed
            work()

    thread = threading.Thread(target=quietly)
    thread.start()
    return thread


def _turns(person: Person, chat_id: str) -> list[JsonObject]:
    turns = person.get(f"/ai/chats/{chat_id}")["turns"]
    assert isinstance(turns, list)
    return [turn for turn in turns if isinstance(turn, dict)]


def _deletions(person: Person, group_id: str) -> int:
    return len(person.items("/audit-log", action="group.deleted", target_id=group_id))


@pytest.fixture
def crashing(own_server: RunningServer) -> RunningServer:
    own_server.start()
    return own_server


@pytest.fixture
def database_file(crashing: RunningServer, tmp_path: Path) -> Path:
    assert crashing.port
    return tmp_path / "data" / "nova.sqlite3"


def _sign_in(server: RunningServer) -> Person:
    return Person(server.url, "mara.koenig", DEMO_PASSWORD)


def test_killed_in_the_middle_of_a_turn_it_says_so_and_goes_on(
    crashing: RunningServer, model: ScriptedModelServer, database_file: Path
) -> None:
    asked = len(model.received)
    tool = Call(name="list_groups", arguments={"q": "vpn"})
    model.queue(Answer(text="I look.", calls=(tool,)), Answer(text="Never finished", stall_after=1))
    with _sign_in(crashing) as mara:
        talking = _in_background(lambda: mara.say("admin", "Show me"))
        _wait_until(lambda: len(model.received) == asked + 2 and _is_told(database_file, "tool_result"))
        crashing.kill()
        talking.join()

    crashing.start()

    with _sign_in(crashing) as mara:
        chat_id = str(mara.items("/ai/chats")[0]["id"])
        cut = _turns(mara, chat_id)[-1]
        assert cut["state"] == "failed"
        assert cut["notices"]
        assert "I look." in str(cut)
        assert mara.say("admin", "!say Back again.", chat_id=chat_id).text == "Back again."


def test_killed_in_the_middle_of_a_confirmed_call_it_runs_nothing_again(
    crashing: RunningServer, model: ScriptedModelServer, database_file: Path
) -> None:
    """Abuse case 25."""
    with _sign_in(crashing) as mara:
        doomed = mara.make_group("half-deleted")
        shown = mara.say("admin", order("delete_group", group_id=doomed))
        with closing(sqlite3.connect(database_file)) as outside:
            outside.executescript(_SLOW)
        confirming = _in_background(lambda: mara.confirm("admin", shown.preview_id))
        _wait_until(lambda: _consumed(database_file, shown.preview_id))
        time.sleep(0.5)  # the deletion is under way now, and takes minutes
        crashing.kill()
        confirming.join()
    with closing(sqlite3.connect(database_file)) as outside:
        outside.executescript("DROP TRIGGER slow_deletion; DROP VIEW slow;")
    asked = len(model.received)

    crashing.start()

    with _sign_in(crashing) as mara:
        assert problem(mara.post_message("admin", {"confirm": shown.preview_id})) == (409, "confirmation_invalid")
        assert mara.has_group(doomed)
        assert _deletions(mara, doomed) == 0
        cut = _turns(mara, shown.chat_id)[-1]
        assert cut["state"] == "failed"
        assert "unknown" in str(mara.get(f"/ai/chats/{shown.chat_id}"))
        assert cut["notices"]
    assert len(model.received) == asked


def test_killed_after_a_confirmed_call_it_has_run_once_and_says_so(
    crashing: RunningServer, model: ScriptedModelServer
) -> None:
    """Abuse case 25."""
    with _sign_in(crashing) as mara:
        doomed = mara.make_group("deleted-once")
        shown = mara.say("admin", order("delete_group", group_id=doomed))
        asked = len(model.received)
        model.queue(Answer(text="Never finished", stall_after=1))
        confirming = _in_background(lambda: mara.confirm("admin", shown.preview_id))
        _wait_until(lambda: len(model.received) > asked)
        crashing.kill()
        confirming.join()

    crashing.start()

    with _sign_in(crashing) as mara:
        assert not mara.has_group(doomed)
        assert _deletions(mara, doomed) == 1
        assert problem(mara.post_message("admin", {"confirm": shown.preview_id})) == (409, "confirmation_invalid")
        cut = _turns(mara, shown.chat_id)[-1]
        assert cut["state"] == "failed"
        assert "executed" in str(mara.get(f"/ai/chats/{shown.chat_id}"))


def test_stopped_properly_it_ends_running_turns_with_a_notice(
    crashing: RunningServer, model: ScriptedModelServer
) -> None:
    asked = len(model.received)
    model.queue(Answer(text="A very long answer", delay_s=2.0), say("Never asked"))
    with _sign_in(crashing) as mara:
        talking = _in_background(lambda: mara.say("admin", "Tell me"))
        _wait_until(lambda: len(model.received) > asked)
        assert crashing.stop() in STOPPED
        talking.join()
    model.drop_queued()

    crashing.start()

    with _sign_in(crashing) as mara:
        cut = _turns(mara, str(mara.items("/ai/chats")[0]["id"]))[-1]
        assert cut["state"] in {"stopped", "failed"}
        assert cut["notices"]


def _is_told(database_file: Path, event: str) -> bool:
    """Whether the running turn has told its followers of such an event: told is what is stored, and that stays."""
    told = "SELECT 1 FROM turn_events e JOIN turns t ON t.id = e.turn_id WHERE t.state = 'running' AND e.name = ?"
    with closing(sqlite3.connect(database_file)) as outside:
        return outside.execute(told, (event,)).fetchone() is not None


def _consumed(database_file: Path, preview_id: str) -> bool:
    with closing(sqlite3.connect(database_file)) as outside:
        found = outside.execute("SELECT consumed_at FROM previews WHERE id = ?", (preview_id,)).fetchone()
    return found is not None and found[0] is not None
