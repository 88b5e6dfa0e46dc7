"""Which assistants an identity can use right now, groups looked up afresh (rules A2, B5, G4)."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.identity import Identity, IdentityId
from nova_ui.guardrails.audience import exists_for
from storage.chat.assistants import AssistantStore

GroupsAmong = Callable[[AsyncConnection, IdentityId, frozenset[str]], Awaitable[frozenset[str]]]


async def knowing_groups(
    identity: Identity, assistants: Iterable[Assistant | None], connection: AsyncConnection, among: GroupsAmong
) -> Identity:
    """Return `identity` with the groups that `assistants` ask for; what it knew of groups before is forgotten.

    The database is asked only if one of the assistants is open to groups.
    """
    wanted = [one.audience.asks_for_groups for one in assistants if one is not None]
    asked = frozenset[str]().union(*wanted)
    found = await among(connection, identity.id, asked) if asked else frozenset[str]()
    return identity if identity.group_ids == found else replace(identity, group_ids=found)


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
