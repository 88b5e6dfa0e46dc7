"""What holds right now for a run of an AI routine assistant (rules A2, B7)."""

from collections.abc import Awaitable, Callable
from datetime import datetime

from nova_ui.chat.engine import IdentityOf
from nova_ui.chat.live_turn import Interruption, LiveTurn
from nova_ui.domain.ai_routine import AiRoutine
from nova_ui.domain.chat import Turn
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Identity
from nova_ui.domain.preview import Preview
from nova_ui.errors import NovaUiError
from nova_ui.guardrails.situation import Situation, SituationSource

FindRoutine = Callable[[str], Awaitable[AiRoutine | None]]


class RoutineSituations:
    """Loads the situation of one run; rights, list and allowances only ever shrink while it runs."""

    def __init__(
        self,
        *,
        clock: Clock,
        identity_of: IdentityOf,
        find: FindRoutine,
        live: LiveTurn,
        routine: AiRoutine,
    ) -> None:
        self._clock = clock
        self._identity_of = identity_of
        self._find = find
        self._live = live
        self._at_start = routine

    async def load(self) -> Situation:
        """Return what holds now; interrupts the run once it must not go on.

        Without an identity the gate lets nothing through: the technical session was ended, the identity is no longer
        active, or the routine is to act as another one.
        """
        turn = self._live.turn
        identity = await self._identity_of(turn.session_id)
        routine = await self._find(self._at_start.key)
        if identity is None or identity.id != turn.identity.id:
            identity = None
            self._live.interrupt(Interruption.SESSION_ENDED)
        if routine is None or routine.acts_as != turn.identity.id or (self._at_start.enabled and not routine.enabled):
            routine = None
            self._live.interrupt(Interruption.ASSISTANT_GONE)
        return self._situation(turn, identity, routine, self._clock.now())

    async def for_offer(self) -> Situation:
        """Return what holds now: a run is in no hurry."""
        return await self.load()

    def beginning_with(self, situation: Situation) -> SituationSource:
        """Return a source that gives `situation`, loaded a moment ago, and then loads afresh for each inner call."""
        waiting = [situation]

        async def source() -> Situation:
            return waiting.pop() if waiting else await self.load()

        return source

    def _situation(self, turn: Turn, identity: Identity | None, routine: AiRoutine | None, now: datetime) -> Situation:
        start = self._at_start
        return Situation(
            turn=turn,
            identity=identity,
            assistant=None if routine is None else routine.as_assistant(),
            released_at_start=start.tool_names,
            read_only=False,
            agreed=None,
            now=now,
            kinds=start.kinds if routine is None else start.kinds & routine.kinds,
        )


class NobodyConfirms(NovaUiError):
    """A preview was to be made where nobody can confirm it."""

    key = "Nobody is here to confirm this."


class NoPreviews:
    """Keeps no preview: the gate refuses what would need one before, and this ends the run if it ever did not."""

    async def store(self, preview: Preview) -> bool:
        """Refuse.

        Raises:
            NobodyConfirms: always.

        """
        del preview
        raise NobodyConfirms

    async def consume(self, preview: Preview, now: datetime) -> bool:
        """Find nothing to use up."""
        del preview, now
        return False

    async def record_outcome(self, preview: Preview, outcome: object) -> None:
        """Refuse.

        Raises:
            NobodyConfirms: always.

        """
        del preview, outcome
        raise NobodyConfirms
