"""What holds right now for a running turn, loaded afresh before every call (rules A2, B7)."""

from nova_ui.chat.accept import Accepted
from nova_ui.chat.engine import IdentityOf
from nova_ui.chat.live_turn import Interruption, LiveTurn
from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.clock import Clock
from nova_ui.guardrails.audience import exists_for
from nova_ui.guardrails.situation import Situation, SituationSource
from storage.chat.assistants import AssistantStore
from storage.chat.turns import TurnTable
from storage.database import Database


class FreshSituations:
    """Loads the situation of one turn, and interrupts the turn once it must not go on."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        identity_of: IdentityOf,
        live: LiveTurn,
        accepted: Accepted,
        worker_id: str,
    ) -> None:
        self._database = database
        self._clock = clock
        self._identity_of = identity_of
        self._live = live
        self._accepted = accepted
        self._worker_id = worker_id

    async def load(self) -> Situation:
        """Return what holds now; interrupts the turn if it must not go on.

        Without an identity the gate lets nothing through. A turn that was stopped, in whatever process, keeps it: a
        flow that runs already is awaited, and the turn itself starts no other call.
        """
        turn = self._accepted.turn
        identity = await self._identity_of(turn.session_id)
        async with self._database.reading() as session:
            stored = await AssistantStore(session).find(turn.assistant_key)
            may_go_on = await TurnTable(session).is_to_go_on(turn.id, self._worker_id)
        assistant = None if stored is None else stored.assistant
        if identity is None or identity.id != turn.identity.id:
            identity = None
            self._live.interrupt(Interruption.SESSION_ENDED)
        elif not exists_for(assistant, identity):
            self._live.interrupt(Interruption.ASSISTANT_GONE)
        if not may_go_on:
            self._live.interrupt(Interruption.STOPPED)
        return Situation(
            turn=turn,
            identity=identity,
            assistant=assistant,
            released_at_start=self._accepted.released_at_start,
            read_only=isinstance(turn.message, ConfirmMessage),
            agreed=self._accepted.agreed,
            voided=self._accepted.voided,
            now=self._clock.now(),
        )

    def beginning_with(self, situation: Situation) -> SituationSource:
        """Return a source that gives `situation`, loaded a moment ago, and then loads afresh for each inner call."""
        waiting = [situation]

        async def source() -> Situation:
            return waiting.pop() if waiting else await self.load()

        return source
