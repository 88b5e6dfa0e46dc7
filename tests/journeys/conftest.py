"""A running server with the sample organisation and a model that obeys, and the people who sign in."""

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.fakes.scripted_model_server import ScriptedModelServer
from tests.journeys.person import Person

# uvicorn hands the signal on once it has stopped cleanly.
STOPPED: Final = frozenset({0, -signal.SIGTERM})


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModelServer]:
    """A model that obeys the orders in what a person types."""
    with ScriptedModelServer() as running:
        yield running


@pytest.fixture(scope="module")
def model_settings(model: ScriptedModelServer) -> dict[str, str]:
    return {"NOVA_AI_BASE_URL": model.url, "NOVA_AI_MODEL": "scripted", "NOVA_AI_API_KEY": "key-of-the-tests"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model_settings: dict[str, str]) -> Iterator[RunningServer]:
    """`app.py --demo` in a fresh folder; shared by the tests of a module."""
    running = RunningServer(tmp_path_factory.mktemp("server") / "data", **model_settings)
    running.start()
    yield running
    assert running.stop() in STOPPED, running.log_text
    assert "Traceback" not in running.log_text, running.log_text


@pytest.fixture
def own_server(tmp_path: Path, model_settings: dict[str, str]) -> Iterator[RunningServer]:
    """A server of one test, which it may kill and start again; not started yet."""
    running = RunningServer(tmp_path / "data", **model_settings)
    yield running
    running.stop()


@pytest.fixture
def sign_in(server: RunningServer) -> Iterator[Callable[[str], Person]]:
    with ExitStack() as people:
        yield lambda login: people.enter_context(Person(server.url, login, DEMO_PASSWORD))


@pytest.fixture
def mara(sign_in: Callable[[str], Person]) -> Person:
    """An administrator."""
    return sign_in("mara.koenig")


@pytest.fixture
def tim(sign_in: Callable[[str], Person]) -> Person:
    """Somebody without any role."""
    return sign_in("tim.vogt")


@pytest.fixture
def lea(sign_in: Callable[[str], Person]) -> Person:
    """Tim's manager."""
    return sign_in("lea.brandt")


@pytest.fixture
def paul(sign_in: Callable[[str], Person]) -> Person:
    """An auditor."""
    return sign_in("paul.adler")
