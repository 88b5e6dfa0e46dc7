"""What a turn with four tool rounds costs against a bare loop: `python -m tests.bench.turn_cost`.

Both use the same model client, the same tool schemas and the same door to Nova, in one process and in turns; the bare
loop checks, stores, shows and redacts nothing. The model runs in a process of its own, which does not count.
"""

import asyncio
import json
import logging
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from nova_ui.auth.session import Whence
from nova_ui.bootstrap import Parts, build
from nova_ui.domain.assistant import ADMIN_CHAT_KEY
from nova_ui.domain.canonical import parse_arguments
from nova_ui.domain.chat import TextMessage
from nova_ui.domain.identity import Caller, Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import RawCall, ToolOffer
from nova_ui.llm.port import (
    AssistantMessage,
    CallMade,
    ChatMessage,
    ModelRequest,
    ResultMessage,
    TextDelta,
    UserMessage,
)
from nova_ui.nova_client.origin import Origin
from nova_ui.settings import Settings
from nova_ui.tools.registry import offer
from tests.bench.table import show
from tests.fakes.running_server import DEMO_PASSWORD

TURNS: Final = 60
WARM_UP: Final = 3
ROUNDS: Final = 4
_ANSWER: Final = "The group vpn-users has these members, as far as the results show. " * 6


def orders() -> str:
    """Return what the scripted model is told: four rounds with other arguments each, then words."""
    steps = [f"!call list_groups {json.dumps({'q': 'vpn', 'limit': 5 + number})}" for number in range(ROUNDS)]
    return "\n!then\n".join([*steps, f"!say {_ANSWER}"])


async def guarded_turn(parts: Parts, caller: Caller) -> None:
    """Run a turn of the product, and follow its events to the end."""
    started = await parts.services.live_turns.send(caller, ADMIN_CHAT_KEY, TextMessage(text=orders()))
    done: JsonObject = {}
    async for event in parts.services.live_turns.follow(caller.identity.id, started.turn_id):
        done = event.data
    assert (done["model_calls"], done["tool_calls"]) == (ROUNDS + 1, ROUNDS)


async def bare_turn(parts: Parts, caller: Caller, offers: Sequence[ToolOffer]) -> None:
    """Ask, call, ask again, in as many rounds: no gate, no events, no history."""
    services = parts.services
    model = services.models.default
    nova = services.nova.open(caller, Origin(assistant_key=ADMIN_CHAT_KEY))
    messages: list[ChatMessage] = [UserMessage(text=orders())]
    while True:
        request = ModelRequest(messages=messages, tools=offers, language=Language.ENGLISH)
        text, calls = "", list[RawCall]()
        async for event in model.stream(request):
            match event:
                case TextDelta(text=delta):
                    text += delta
                case CallMade(call=call):
                    calls.append(call)
                case _:
                    pass
        messages.append(AssistantMessage(text=text, calls=tuple(calls)))
        if not calls:
            assert len(messages) == 2 * (ROUNDS + 1)
            return
        for call in calls:
            arguments = parse_arguments(call.arguments_text)
            assert isinstance(arguments, dict)
            query = {name: value for name, value in arguments.items() if isinstance(value, str | int)}
            answer = await nova.call("GET /groups", query=query)
            content = json.dumps(answer.body)
            messages.append(ResultMessage(call_id=call.call_id, tool_name=call.name, content=content))


async def measure(parts: Parts) -> list[tuple[str, str]]:
    """Run both kinds in turns and compare the CPU time of the process."""
    caller = await sign_in(parts)
    offers = [offer(tool) for tool in parts.services.tools.values()]
    ways: dict[str, Callable[[], Awaitable[None]]] = {
        "bare": lambda: bare_turn(parts, caller, offers),
        "guarded": lambda: guarded_turn(parts, caller),
    }
    cpu_ms: dict[str, list[float]] = {name: [] for name in ways}
    wall_ms: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(WARM_UP + TURNS):
        for name, run in ways.items():
            cpu, wall = time.process_time(), time.perf_counter()
            await run()
            if number >= WARM_UP:
                cpu_ms[name].append((time.process_time() - cpu) * 1000)
                wall_ms[name].append((time.perf_counter() - wall) * 1000)
    medians = {name: statistics.median(figures) for name, figures in cpu_ms.items()}
    return [
        (f"bare loop, CPU ms a turn (median of {TURNS})", f"{medians['bare']:.1f}"),
        ("turn of the product, CPU ms", f"{medians['guarded']:.1f}"),
        ("ratio in CPU", f"{medians['guarded'] / medians['bare']:.2f}"),
        ("bare loop, ms on the clock", f"{statistics.median(wall_ms['bare']):.1f}"),
        ("turn of the product, ms on the clock", f"{statistics.median(wall_ms['guarded']):.1f}"),
    ]


async def sign_in(parts: Parts) -> Caller:
    """Sign an administrator in."""
    _, signed_in = await parts.auth.password_sign_in.sign_in("mara.koenig", DEMO_PASSWORD, Whence())
    return signed_in.caller


async def _measure_against(model_url: str) -> list[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            data_dir=Path(folder),
            demo=True,
            demo_password=SecretStr(DEMO_PASSWORD),
            ai_base_url=model_url,
            ai_model="scripted",
            messages_per_minute=6_000,
        )
        app = build(settings)
        async with app.router.lifespan_context(app):
            return await measure(app.state.parts)


def _main() -> None:
    command = [sys.executable, "-m", "tests.fakes.scripted_model_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as model:  # noqa: S603 - our own module
        assert model.stdout is not None
        rows = asyncio.run(_measure_against(model.stdout.readline().strip()))
        model.terminate()
    show("A turn with four tool rounds", rows, sys.stdout)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    _main()
