"""A model that does what it is told, over HTTP in the OpenAI wire format.

What it answers is chosen in this order:

1. answers queued for the caller's API key, else those queued for `"*"`;
2. the orders in the user's last message, line by line: `!call list_groups {"q": "x"}` makes the model call that tool,
   several such lines are parallel calls, `!then` starts the next step, `!say hello` makes it say hello;
3. "I have no orders."

It keeps no state between requests beyond its queues: the step of the orders to play is the number of assistant
messages since the user's last one.
"""

import argparse
import asyncio
import json
import logging
import signal
import socket
import threading
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Final, Self

import uvicorn
from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

JsonObject = dict[str, JsonValue]

ANYBODY: Final = "*"
NO_ORDERS: Final = "I have no orders."
_DELTA_CHARS: Final = 12
_STALL_S: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call; `arguments` as a text are sent as they are, broken or not."""

    name: str
    arguments: Mapping[str, JsonValue] | str = field(default_factory=dict)
    id: str | None = None

    @property
    def arguments_text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(dict(self.arguments))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer: what it says and calls, and how it fails.

    `cut_after` and `stall_after` count events of the stream: then the line drops, or nothing more comes. `delay_s`
    passes before each event, `wait_s` before the first.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish: str | None = None
    status: int = 200
    retry_after_s: float | None = None
    cut_after: int | None = None
    stall_after: int | None = None
    delay_s: float = 0.0
    wait_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A request as it came."""

    api_key: str
    body: JsonObject

    @property
    def messages(self) -> list[JsonObject]:
        found = self.body.get("messages")
        return [message for message in found if isinstance(message, dict)] if isinstance(found, list) else []

    @property
    def tool_names(self) -> list[str]:
        tools = self.body.get("tools")
        functions = (
            [tool.get("function") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
        )
        return [str(function["name"]) for function in functions if isinstance(function, dict)]

    @property
    def results(self) -> list[str]:
        """The tool results since the user's last message."""
        return [_text(message) for message in _since_last_user(self.messages) if message.get("role") == "tool"]


def say(text: str) -> Answer:
    return Answer(text=text)


def call(name: str, /, **arguments: JsonValue) -> Answer:
    return Answer(calls=(Call(name=name, arguments=arguments),))


class ScriptedModelServer:
    """The model as a context manager: `with ScriptedModelServer() as model: … model.url …`."""

    def __init__(self, port: int = 0) -> None:
        self._queues: defaultdict[str, deque[Answer]] = defaultdict(deque)
        self.received: list[Received] = []
        self._socket = socket.create_server(("127.0.0.1", port))
        routes = [
            Route("/v1/chat/completions", self._complete, methods=["POST"]),
            Route("/v1/models", self._models),
        ]
        config = uvicorn.Config(Starlette(routes=routes), log_level=logging.CRITICAL, lifespan="off", ws="none")
        config.timeout_graceful_shutdown = 1
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self._socket.close()

    @property
    def url(self) -> str:
        """The base address for `NOVA_AI_BASE_URL`."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"

    def queue(self, *answers: Answer, api_key: str = ANYBODY) -> None:
        self._queues[api_key].extend(answers)

    def drop_queued(self) -> None:
        self._queues.clear()

    async def _models(self, _request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        api_key = request.headers.get("authorization", "").removeprefix("Bearer ")
        received = Received(api_key=api_key, body=body)
        self.received.append(received)
        answer = self._choose(received)
        if answer.status != 200:
            headers = {} if answer.retry_after_s is None else {"retry-after": str(answer.retry_after_s)}
            problem = {"error": {"type": "scripted", "message": "scripted failure"}}
            return JSONResponse(problem, status_code=answer.status, headers=headers)
        if not body.get("stream"):
            return JSONResponse(_whole(answer))
        return StreamingResponse(_stream(answer), media_type="text/event-stream")

    def _choose(self, received: Received) -> Answer:
        for key in (received.api_key, ANYBODY):
            if self._queues[key]:
                return self._queues[key].popleft()
        return _obey(received.messages)


def _obey(messages: Sequence[JsonObject]) -> Answer:
    orders = next((_text(message) for message in reversed(messages) if message.get("role") == "user"), "")
    steps = [_read_step(step) for step in orders.split("!then")]
    played = sum(message.get("role") == "assistant" for message in _since_last_user(messages))
    steps = [step for step in steps if step.text or step.calls] or [say(NO_ORDERS)]
    return steps[played] if played < len(steps) else say("Done.")


def _read_step(orders: str) -> Answer:
    said: list[str] = []
    calls: list[Call] = []
    for line in orders.splitlines():
        order, _, rest = line.strip().partition(" ")
        if order == "!say":
            said.append(rest)
        elif order == "!call":
            name, _, arguments = rest.partition(" ")
            calls.append(Call(name=name, arguments=arguments or "{}"))
    return Answer(text="\n".join(said), calls=tuple(calls))


def _since_last_user(messages: Sequence[JsonObject]) -> list[JsonObject]:
    last = max((at for at, message in enumerate(messages) if message.get("role") == "user"), default=-1)
    return list(messages[last + 1 :])


def _text(message: JsonObject) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _wire_calls(answer: Answer) -> list[JsonObject]:
    return [
        {
            "index": at,
            "id": made.id or f"call_{at}_{time.monotonic_ns()}",
            "type": "function",
            "function": {"name": made.name, "arguments": made.arguments_text},
        }
        for at, made in enumerate(answer.calls)
    ]


def _finish(answer: Answer) -> str:
    return answer.finish or ("tool_calls" if answer.calls else "stop")


def _whole(answer: Answer) -> JsonObject:
    message: JsonObject = {"role": "assistant", "content": answer.text, "tool_calls": [*_wire_calls(answer)]}
    return _envelope({"message": message, "finish_reason": _finish(answer), "index": 0})


def _envelope(choice: JsonObject | None) -> JsonObject:
    usage: JsonObject = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    choices: list[JsonValue] = [] if choice is None else [choice]
    return {
        "id": "scripted",
        "object": "chat.completion.chunk",
        "model": "scripted",
        "choices": choices,
        "usage": usage,
    }


def _events(answer: Answer) -> list[JsonObject]:
    deltas: list[JsonObject] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": answer.text[at : at + _DELTA_CHARS]} for at in range(0, len(answer.text), _DELTA_CHARS)]
    for made in _wire_calls(answer):
        function = made["function"]
        text = str(function["arguments"]) if isinstance(function, dict) else ""
        name = function["name"] if isinstance(function, dict) else ""
        deltas.append({"tool_calls": [{**made, "function": {"name": name, "arguments": ""}}]})
        deltas += [
            {"tool_calls": [{"index": made["index"], "function": {"arguments": text[at : at + _DELTA_CHARS]}}]}
            for at in range(0, len(text), _DELTA_CHARS)
        ]
    events: list[JsonObject] = [{**_envelope({"index": 0, "delta": delta}), "usage": None} for delta in deltas]
    events.append({**_envelope({"index": 0, "delta": {}, "finish_reason": _finish(answer)}), "usage": None})
    events.append(_envelope(None))
    return events


async def _stream(answer: Answer) -> AsyncIterator[bytes]:
    await asyncio.sleep(answer.wait_s)
    for at, event in enumerate(_events(answer)):
        if at == answer.cut_after:
            raise ConnectionAbortedError
        if at == answer.stall_after:
            await asyncio.sleep(_STALL_S)
        yield b"data: " + json.dumps(event).encode() + b"\n\n"
        if answer.delay_s:
            await asyncio.sleep(answer.delay_s)
    yield b"data: [DONE]\n\n"


def _main() -> None:
    """Serve until SIGTERM, for measurements in which this process must not count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    stopped = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopped.set()

    signal.signal(signal.SIGTERM, stop)
    with ScriptedModelServer(parser.parse_args().port) as model:
        print(model.url, flush=True)  # noqa: T201 - whoever started us reads the address here
        stopped.wait()


if __name__ == "__main__":
    _main()
