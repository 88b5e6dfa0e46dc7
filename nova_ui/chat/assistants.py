"""Which assistants an identity has (rules B5, G4)."""

from nova_ui.chat.usable import find_usable, list_usable
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaNotFound
from storage.chat.audience import GroupsAmong
from storage.database import Database


class Assistants:
    """The assistants as one identity may know of them; any other does not exist for it."""

    def __init__(self, database: Database, groups_among: GroupsAmong) -> None:
        self._database = database
        self._groups_among = groups_among

    async def visible_to(self, identity: Identity) -> tuple[Assistant, ...]:
        """Return the assistants that `identity` may use, in the order set."""
        async with self._database.reading() as session:
            return await list_usable(session, identity, self._groups_among)

    async def get_for(self, identity: Identity, key: AssistantKey) -> Assistant:
        """Return the assistant called exactly `key`.

        Raises:
            NovaNotFound: there is none, it is disabled, or `identity` may not know of it: one answer for all three.

        """
        async with self._database.reading() as session:
            usable = await find_usable(session, identity, key, self._groups_among)
        if usable is None:
            raise NovaNotFound("There is no such assistant.")
        return usable[0]
