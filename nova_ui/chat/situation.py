"""What holds right now for a running turn, loaded afresh before every call (rules A2, B7)."""

from datetime import datetime, timedelta
from typing import Final, Protocol

from nova_ui.chat.accept import Accepted
from nova_ui.chat.engine import IdentityOf
from nova_ui.chat.live_turn import Interruption, LiveTurn
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Identity
from nova_ui.guardrails.audience import exists_for
from nova_ui.guardrails.situation import Situation, SituationSource
from storage.chat.audience import GroupsAmong, knowing_groups
from storage.chat.standing import find_standing
from storage.database import Database

LOOKED_A_MOMENT_AGO: Final = timedelta(seconds=1)


class Situations(Protocol):
    """What holds for a turn right now, asked before each of its calls."""

    async def load(self) -> Situation:
        """Return what holds now; interrupts the turn if it must not go on."""

    async def for_offer(self) -> Situation:
        """Return what held a moment ago, for what the model is offered."""

    def beginning_with(self, situation: Situation) -> SituationSource:
        """Return a source that gives `situation`, loaded a moment ago, and then loads afresh for each inner call."""


class FreshSituations:
    """Loads the situation of one turn, and interrupts the turn once it must not go on."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        identity_of: IdentityOf,
        groups_among: GroupsAmong,
        live: LiveTurn,
        accepted: Accepted,
        worker_id: str,
    ) -> None:
        self._database = database
        self._clock = clock
        self._identity_of = identity_of
        self._groups_among = groups_among
        self._live = live
        self._accepted = accepted
        self._worker_id = worker_id
        turn = accepted.turn
        self._last = self._situation(turn.identity, accepted.assistant, turn.started_at)

    async def load(self) -> Situation:
        """Return what holds now; interrupts the turn if it must not go on.

        Without an identity the gate lets nothing through. A turn that was stopped, in whatever process, keeps it: a
        flow that runs already is awaited, and the turn itself starts no other call.
        """
        turn = self._accepted.turn
        identity = await self._identity_of(turn.session_id)
        async with self._database.asking() as connection:
            standing = await find_standing(connection, turn.id, self._worker_id, turn.assistant_key)
            if identity is not None:
                identity = await knowing_groups(identity, [standing.assistant], connection, self._groups_among)
        if identity is None or identity.id != turn.identity.id:
            identity = None
            self._live.interrupt(Interruption.SESSION_ENDED)
        elif not exists_for(standing.assistant, identity):
            self._live.interrupt(Interruption.ASSISTANT_GONE)
        if not standing.goes_on:
            self._live.interrupt(Interruption.STOPPED)
        self._last = self._situation(identity, standing.assistant, self._clock.now())
        return self._last

    async def for_offer(self) -> Situation:
        """Return what held a moment ago, for what the model is offered: the gate looks afresh at whatever it calls.

        What is older than the time in which the server learns of stops in other processes is loaded anew.
        """
        is_young = self._clock.now() - self._last.now < LOOKED_A_MOMENT_AGO
        return self._last if is_young else await self.load()

    def beginning_with(self, situation: Situation) -> SituationSource:
        """Return a source that gives `situation`, loaded a moment ago, and then loads afresh for each inner call."""
        waiting = [situation]

        async def source() -> Situation:
            return waiting.pop() if waiting else await self.load()

        return source

    def _situation(self, identity: Identity | None, assistant: Assistant | None, now: datetime) -> Situation:
        return Situation(
            turn=self._accepted.turn,
            identity=identity,
            assistant=assistant,
            released_at_start=self._accepted.released_at_start,
            read_only=isinstance(self._accepted.turn.message, ConfirmMessage),
            agreed=self._accepted.agreed,
            voided=self._accepted.voided,
            now=now,
        )
