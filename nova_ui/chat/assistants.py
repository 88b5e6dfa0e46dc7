"""Which assistants an identity has (rules B5, G4)."""

from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaNotFound
from nova_ui.guardrails.audience import exists_for
from storage.chat.assistants import AssistantStore
from storage.database import Database


class Assistants:
    """The assistants as one identity may know of them; any other does not exist for it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def visible_to(self, identity: Identity) -> tuple[Assistant, ...]:
        """Return the assistants that `identity` may use, in the order set."""
        async with self._database.reading() as session:
            stored = await AssistantStore(session).list_all()
        return tuple(one.assistant for one in stored if exists_for(one.assistant, identity))

    async def get_for(self, identity: Identity, key: AssistantKey) -> Assistant:
        """Return the assistant called exactly `key`.

        Raises:
            NovaNotFound: there is none, it is disabled, or `identity` may not know of it: one answer for all three.

        """
        async with self._database.reading() as session:
            stored = await AssistantStore(session).find(key)
        if stored is None or not exists_for(stored.assistant, identity):
            raise NovaNotFound("There is no such assistant.")
        return stored.assistant
