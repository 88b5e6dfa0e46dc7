"""What every service of Nova stands on: the database for reading, the writer for changes, the clock."""

from dataclasses import dataclass
from typing import TypeVar

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Identity
from nova_ui.nova.permissions import Reach, oversees, reach_of
from nova_ui.nova.views import Page
from nova_ui.nova.writing import Writer
from storage.database import Database
from storage.nova.identities import tree_of
from storage.nova.paging import R, Slice

V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The collaborators that all services share."""

    database: Database
    clock: Clock
    writer: Writer


async def load_reach(session: AsyncSession, identity: Identity) -> Reach:
    """Look up now whose data `identity` may read; being a manager is a fact that may end at any time."""
    return reach_of(identity, frozenset() if oversees(identity) else await tree_of(session, identity.id))


def page_of(found: Slice[R], items: list[V]) -> Page[V]:
    """Return a page of views for a slice of rows."""
    return Page(items=items, next_cursor=found.next_cursor, total=found.total, total_is_capped=found.total_is_capped)
