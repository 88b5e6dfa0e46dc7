"""Which assistants an identity can use right now, groups looked up afresh (rules A2, B5, G4)."""

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.identity import Identity
from nova_ui.guardrails.audience import exists_for
from storage.chat.assistants import AssistantStore
from storage.chat.audience import GroupsAmong, knowing_groups


async def find_usable(
    session: AsyncSession, identity: Identity, key: AssistantKey, among: GroupsAmong
) -> tuple[Assistant, Identity] | None:
    """Return the assistant called exactly `key`, with the identity as its audience knows it; None if it has no such."""
    stored = await AssistantStore(session).find(key)
    if stored is None:
        return None
    person = await knowing_groups(identity, [stored.assistant], await session.connection(), among)
    return (stored.assistant, person) if exists_for(stored.assistant, person) else None


async def list_usable(session: AsyncSession, identity: Identity, among: GroupsAmong) -> tuple[Assistant, ...]:
    """Return the assistants that `identity` can use, in the order set."""
    found = [one.assistant for one in await AssistantStore(session).list_all()]
    person = await knowing_groups(identity, found, await session.connection(), among)
    return tuple(one for one in found if exists_for(one, person))
