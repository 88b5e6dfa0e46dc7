"""Which groups an assistant's audience asks for an identity is in, looked up afresh (rules A2, B5)."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.identity import Identity, IdentityId

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
