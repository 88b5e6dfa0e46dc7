"""What the process looks after while turns run: heartbeats, stops and sign-outs elsewhere, turns of dead processes."""

import asyncio
import logging
from collections.abc import Collection, Mapping
from typing import Final

from nova_ui.chat.engine import Engine
from nova_ui.chat.failures import log_failure
from nova_ui.chat.live_turn import Interruption, LiveTurn
from nova_ui.chat.recovery import Recovery
from nova_ui.domain.chat import TurnId
from storage.chat.turns import TurnTable

_log = logging.getLogger(__name__)

TICK_S: Final = 1.0
_TICKS_PER_BEAT: Final = 5
_TICKS_PER_SWEEP: Final = 15
_TICKS_PER_PRUNE: Final = 600


class Watch:
    """One task for the process; `live` and `arriving` are the turns that it really has."""

    def __init__(
        self,
        engine: Engine,
        worker_id: str,
        recovery: Recovery,
        *,
        live: Mapping[TurnId, LiveTurn],
        arriving: Collection[TurnId],
    ) -> None:
        self._engine = engine
        self._worker_id = worker_id
        self._recovery = recovery
        self._live = live
        self._arriving = arriving
        self._task: asyncio.Task[None] | None = None
        self._is_sweep_due = False

    async def start(self) -> None:
        """Close what dead processes left, then go on in the background."""
        await self.sweep()
        self._task = asyncio.create_task(self._go_on())

    def sweep_soon(self) -> None:
        """Sweep at the next tick, and at each until that succeeds: a turn of our own could not be ended."""
        self._is_sweep_due = True

    async def stop(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def look(self) -> None:
        """Interrupt own turns that were stopped or ended by another process."""
        mine = tuple(self._live)
        if not mine:
            return
        async with self._engine.database.reading() as session:
            going_on = await TurnTable(session).list_to_go_on(mine, self._worker_id)
        for turn_id in mine:
            live = self._live.get(turn_id)
            if turn_id not in going_on and live is not None:
                live.interrupt(Interruption.STOPPED)

    async def beat(self) -> None:
        """Say that the own turns live, and interrupt those whose session has ended in another process (rule A2)."""
        mine = tuple(self._live)
        if not mine:
            return
        async with self._engine.database.transaction() as session:
            await TurnTable(session).beat(mine, self._worker_id, self._engine.clock.now())
        for live in tuple(self._live.values()):
            identity = await self._engine.identity_of(live.turn.session_id)
            if identity is None or identity.id != live.turn.identity.id:
                live.interrupt(Interruption.SESSION_ENDED)

    async def sweep(self) -> int:
        """Close the turns of dead processes; return how many there were."""
        return await self._recovery.sweep(frozenset(self._live) | frozenset(self._arriving))

    async def _go_on(self) -> None:
        tick = 0
        while True:
            await asyncio.sleep(TICK_S)
            tick += 1
            try:
                await self.look()
                if tick % _TICKS_PER_BEAT == 0:
                    await self.beat()
                if self._is_sweep_due or tick % _TICKS_PER_SWEEP == 0:
                    await self.sweep()
                    self._is_sweep_due = False
                if tick % _TICKS_PER_PRUNE == 0:
                    await self._recovery.prune()
            except Exception as error:  # noqa: BLE001 - the database may be back at the next tick
                log_failure(_log, "turns.watch_failed", error)
