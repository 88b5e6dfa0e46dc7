"""An organisation of any size, the same for the same seed: for benches, and for demos that shall look large.

`python -m nova_ui.nova.large_organisation --help` fills a database with it. Names are those of the sample organisation,
given and family names drawn anew; everything else is drawn by weight, so that a filter finds few or many.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from sqlalchemy import insert
from sqlmodel import SQLModel, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.large_organisation.access import (
    make_applications,
    make_assignments,
    make_groups,
    make_memberships,
    make_requests,
    make_roles,
    make_sessions,
)
from nova_ui.nova.large_organisation.entries import Scene, tell
from nova_ui.nova.large_organisation.people import make_people
from nova_ui.nova.sample_organisation.assistants import ASSISTANTS
from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.nova.audit_chain import hash_of_values
from storage.nova.rows import lock_row
from storage.nova.tables import CHAIN_ID, AuditChainRow, AuditEntryRow

BATCH: Final = 5_000
MIN_IDENTITIES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything; what is not said follows from the number of identities."""

    identities: int
    entries: int
    seed: int = 1
    days: int = 365
    """How far back the audit log reaches."""

    @property
    def groups(self) -> int:
        """One group for forty people."""
        return max(5, self.identities // 40)

    @property
    def roles(self) -> int:
        """One role for fifty people."""
        return max(5, self.identities // 50)

    @property
    def applications(self) -> int:
        """One application for 250 people."""
        return max(3, self.identities // 250)


async def fill(database: Database, size: Size, now: datetime, password_hash: str | None = None) -> Mapping[str, int]:
    """Fill an empty, migrated database, all or nothing; return how many rows each table got.

    The first identity is an administrator, the second an auditor, both with `password_hash`.

    Raises:
        ValueError: fewer identities than an organisation needs.

    """
    if size.identities < MIN_IDENTITIES:
        raise ValueError(f"an organisation has at least {MIN_IDENTITIES} identities")
    draw = random.Random(size.seed)  # noqa: S311 - the same again is the point
    counts: dict[str, int] = {}
    people = make_people(draw, size.identities, now, password_hash)
    groups, applications = (
        make_groups(draw, people, size.groups, now),
        make_applications(people, size.applications, now),
    )
    roles = make_roles(draw, people, applications, size.roles, now)
    memberships, assignments = make_memberships(draw, people, groups, now), make_assignments(draw, people, roles, now)
    requests, approvals = make_requests(draw, people, roles, now)
    async with database.transaction() as session:
        for rows in (people, groups, memberships, applications, roles, assignments, requests, approvals):
            counts[str(rows[0].__tablename__)] = await _store(session, rows)
        counts["sessions"] = await _store(session, make_sessions(draw, people, now))
        for assistant in ASSISTANTS:
            await AssistantStore(session).save(assistant, now)
        scene = Scene(people=people, groups=groups, roles=roles, now=now, days=size.days)
        counts["audit_entries"] = await _chain(session, tell(draw, scene, size.entries))
    return counts


async def _store(session: AsyncSession, rows: Iterable[SQLModel]) -> int:
    """Store rows as they are, many by one statement; managers come before their people."""
    count, waiting, connection = 0, iter(rows), await session.connection()
    while batch := list(islice(waiting, BATCH)):
        table = type(batch[0])
        await connection.execute(insert(table), [row.model_dump() for row in batch])
        count += len(batch)
    return count


async def _chain(session: AsyncSession, entries: Iterator[dict[str, Any]]) -> int:
    """Add entries to the hash chain of the audit log (rule F5), a batch at a time."""
    head = await lock_row(session, AuditChainRow, CHAIN_ID)
    if head is None:
        raise RuntimeError("the audit log has no chain; was the schema migrated?")
    count, last, connection = 0, head.end_hash, await session.connection()
    while batch := list(islice(entries, BATCH)):
        for entry in batch:
            entry["prev_hash"] = last
            last = entry["hash"] = hash_of_values(entry, last)
        await connection.execute(insert(AuditEntryRow), batch)
        count += len(batch)
    end = await session.exec(select(func.max(AuditEntryRow.seq)))  # the database numbers them, in order
    head.length, head.end_hash, head.end_seq = head.length + count, last, end.one() or 0
    session.add(head)
    return count
