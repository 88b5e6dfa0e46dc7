"""What it costs to keep what models saw, in bytes and in time: `python -m tests.bench.sent_requests`.

Turns with four tool rounds and every tool on offer, each in a chat of its own and then one after the other in one
chat. The time is that of the process, with and without keeping, in turns.
"""

import asyncio
import logging
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pydantic import SecretStr
from sqlalchemy import text

from nova_ui.bootstrap import Parts, build
from nova_ui.chat.sent_log import SentLog
from nova_ui.domain.assistant import ADMIN_CHAT_KEY
from nova_ui.domain.chat import ChatId, TextMessage
from nova_ui.domain.identity import Caller
from nova_ui.llm.port import Sent, Usage, Watch
from nova_ui.settings import Settings
from tests.bench.table import show
from tests.bench.turn_cost import ROUNDS, orders, sign_in
from tests.fakes.running_server import DEMO_PASSWORD

TURNS: Final = 12
WARM_UP: Final = 3
_WATCH: Final = SentLog.watch


class _Nobody:
    def sent(self, sent: Sent) -> None:
        pass

    def ended(self, outcome: str, usage: Usage) -> None:
        pass


def _nobody(_log: SentLog, **_about: object) -> Watch:
    return _Nobody()


async def _turn(parts: Parts, caller: Caller, chat_id: ChatId | None) -> ChatId:
    message = TextMessage(text=orders())
    started = await parts.services.live_turns.send(caller, ADMIN_CHAT_KEY, message, chat_id=chat_id)
    async for _event in parts.services.live_turns.follow(caller.identity.id, started.turn_id):
        pass
    return started.chat_id


async def _stored(parts: Parts) -> tuple[int, int]:
    """Return how many bytes went out, and how many are kept of them, rows and all."""
    async with parts.database.asking() as connection:
        sent = await connection.execute(text("SELECT sum(size_bytes), count(*) FROM sent_requests"))
        out, requests = sent.one()
        kept = await connection.execute(text("SELECT sum(length(content) + length(digest)), count(*) FROM sent_parts"))
        content, rows = kept.one()
    return int(out or 0), int(content or 0) + 300 * int(requests) + 30 * int(rows)


async def measure(parts: Parts) -> list[tuple[str, str]]:
    """Run turns with and without keeping, then a long chat."""
    caller = await sign_in(parts)
    cpu_ms: dict[bool, list[float]] = {True: [], False: []}
    for number in range(WARM_UP + TURNS):
        for is_kept, spent in cpu_ms.items():
            SentLog.watch = _WATCH if is_kept else _nobody  # type: ignore[method-assign,assignment]  # put back below
            begun = time.process_time()
            await _turn(parts, caller, None)
            if number >= WARM_UP:
                spent.append((time.process_time() - begun) * 1000)
    SentLog.watch = _WATCH  # type: ignore[method-assign]
    with_it, without = statistics.median(cpu_ms[True]), statistics.median(cpu_ms[False])
    out, kept = await _stored(parts)
    chat_id: ChatId | None = None
    for _ in range(TURNS):
        chat_id = await _turn(parts, caller, chat_id)
    out_long, kept_long = await _stored(parts)
    per_chat, per_turn = kept / (WARM_UP + TURNS), (kept_long - kept) / TURNS
    return [
        ("CPU ms a turn without keeping (median)", f"{without:.1f}"),
        ("CPU ms a turn with it", f"{with_it:.1f}"),
        ("more, in per cent", f"{(with_it / without - 1) * 100:.1f}"),
        ("CPU ms more for each request", f"{(with_it - without) / (ROUNDS + 1):.2f}"),
        ("KB sent for a turn in a chat of its own", f"{out / (WARM_UP + TURNS) / 1000:.0f}"),
        ("KB kept of it", f"{per_chat / 1000:.1f}"),
        (f"KB sent for a turn of a chat with {TURNS}", f"{(out_long - out) / TURNS / 1000:.0f}"),
        ("KB kept of it", f"{per_turn / 1000:.1f}"),
        ("kept of what was sent there, in per cent", f"{(kept_long - kept) / (out_long - out) * 100:.1f}"),
    ]


async def _measure_against(model_url: str) -> list[tuple[str, str]]:
    with TemporaryDirectory() as folder:
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
        try:
            rows = asyncio.run(_measure_against(model.stdout.readline().strip()))
        finally:
            model.terminate()
    show("What the model saw, kept", rows, sys.stdout)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    _main()
