"""The sample organisation: a believable company, the same at every load, seen from the clock's present."""

import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.clock import Clock
from nova_ui.nova.sample_organisation.access import make_assignments
from nova_ui.nova.sample_organisation.ai_routines import make_ai_routines
from nova_ui.nova.sample_organisation.applications import make_applications, make_connections
from nova_ui.nova.sample_organisation.assistants import ASSISTANTS
from nova_ui.nova.sample_organisation.catalogue import BUNDLES, make_roles
from nova_ui.nova.sample_organisation.entitlements import make_bundles, make_direct, make_entitlements
from nova_ui.nova.sample_organisation.groups import People, make_groups, make_memberships
from nova_ui.nova.sample_organisation.habits import tell_habits
from nova_ui.nova.sample_organisation.history import Organisation, tell_history
from nova_ui.nova.sample_organisation.people import make_people
from nova_ui.nova.sample_organisation.requests import make_requests
from nova_ui.nova.sample_organisation.routines import make_routines, name_entries, tell_routines
from nova_ui.nova.sample_organisation.seeds import sample_id
from nova_ui.nova.sample_organisation.trail import Trail
from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.encryption import Encryption
from storage.nova.audit_chain import hold_back
from storage.nova.tables import SessionRow

__all__ = ["load", "sample_id"]

_SIGNED_IN: Final = ("david.okafor", "david.okafor", "elif.celik", "stefan.kuhn", "noah.vandenberg", "grace.owusu")
_SESSION_HOURS: Final = 10


async def load(
    database: Database,
    clock: Clock,
    encryption: Encryption,
    password_hash_of: Callable[[str], Awaitable[str]],
    password: str,
    *,
    check_first: Callable[[AsyncSession], Awaitable[None]] | None = None,
) -> None:
    """Fill an empty database; the four of `SIGN_INS` can sign in with `password`, all or nothing in one transaction.

    What `check_first` raises in that transaction stops it.
    """
    now = clock.now()
    people = make_people(now, await password_hash_of(password))
    async with database.transaction() as session:
        if check_first is not None:
            await check_first(session)
        await _add_organisation(session, people, encryption, now)
        for assistant in ASSISTANTS:
            await AssistantStore(session).save(assistant, now)


async def _add_organisation(session: AsyncSession, people: People, encryption: Encryption, now: datetime) -> None:
    groups, memberships = make_groups(people, now), make_memberships(people, now)
    roles, assignments = make_roles(people, now), make_assignments(people, now)
    assignments += make_direct(people, now)
    entitlements = make_entitlements(people, now)
    requests, approvals = make_requests(people, now)
    trail = Trail()
    organisation = Organisation(
        people=people,
        groups=groups,
        memberships=memberships,
        roles=dict(zip((bundle.key for bundle in BUNDLES), roles, strict=True)),
        entitlements=entitlements,
        assignments=assignments,
        now=now,
    )
    tell_history(trail, organisation)
    routines, runs, steps = make_routines(people, now)
    tell_routines(trail, runs)
    tell_habits(trail, organisation)  # last: it fills up
    entries = trail.rows()
    name_entries(runs, entries)
    applications, connections = make_applications(people, now), make_connections(encryption, now)
    # Flushed in the order of the foreign keys; managers come before their people within the first.
    for rows in (
        [*people.values()],
        groups,
        memberships,
        applications,
        connections,
        roles,
        entitlements,
        make_bundles(),
        assignments,
        requests,
        approvals,
        _make_sessions(people, now),
        routines,
        runs,
        steps,
        make_ai_routines(people, now),
    ):
        session.add_all(rows)
        await session.flush()
    hold_back(session, entries)


def _make_sessions(people: People, now: datetime) -> list[SessionRow]:
    """Return signed-in periods that somebody can end; nobody holds their tokens, which are random and not kept."""
    return [
        SessionRow(
            id=sample_id("ses", f"{name}:{number}"),
            token_hash=sha256(secrets.token_bytes(32)).digest(),
            csrf_token=secrets.token_urlsafe(32),
            identity_id=people[name].id,
            ip=f"192.0.2.{20 + number}",
            user_agent="Mozilla/5.0 (sample)",
            methods=["pwd"],
            created_at=now - timedelta(minutes=7 * number + 3),
            last_seen_at=now,
            expires_at=now + timedelta(hours=_SESSION_HOURS),
        )
        for number, name in enumerate(_SIGNED_IN)
    ]
