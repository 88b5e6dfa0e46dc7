"""What the model saw, for the owner of the chat and nobody else (rules G1 to G4)."""

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.chat.usable import find_usable
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import TurnId
from nova_ui.domain.identity import Identity
from nova_ui.domain.sent_request import SentBody, SentRequest
from nova_ui.errors import NovaNotFound
from storage.chat.audience import GroupsAmong
from storage.chat.sent_requests import SentRequestTable
from storage.chat.turns import TurnTable
from storage.database import Database


class SentRequests:
    """The requests of an identity's own turns; no method reaches another identity's."""

    def __init__(self, database: Database, groups_among: GroupsAmong) -> None:
        self._database = database
        self._groups_among = groups_among

    async def list_of_turn(self, owner: Identity, turn_id: TurnId) -> tuple[SentRequest, ...]:
        """Return what was sent for one message, in order; none where no model was asked.

        Raises:
            NovaNotFound: the turn is not the owner's, or its assistant no longer exists for it (rule G4).

        """
        async with self._database.reading() as session:
            await self._check(session, owner, turn_id)
            return await SentRequestTable(session).list_of_turn(turn_id)

    async def get(self, owner: Identity, turn_id: TurnId, number: int) -> SentBody:
        """Return one request with its body.

        Raises:
            NovaNotFound: as for `list_of_turn`, or the turn has no such request.

        """
        async with self._database.reading() as session:
            await self._check(session, owner, turn_id)
            found = await SentRequestTable(session).find(turn_id, number)
        if found is None:
            raise NovaNotFound("There is no such request.")
        return found

    async def _check(self, session: AsyncSession, owner: Identity, turn_id: TurnId) -> None:
        turn = await TurnTable(session).find(owner.id, turn_id)
        key = None if turn is None else AssistantKey(turn.assistant_key)
        if key is None or await find_usable(session, owner, key, self._groups_among) is None:
            raise NovaNotFound("There is no such message.")
