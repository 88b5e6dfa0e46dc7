"""Lists and object pages over 10,000 identities and 1,000,000 audit entries: `python -m tests.bench.large [FOLDER]`.

Each request goes through the whole API, then the statements that it made are run bare on the same file, in turns; what
the API adds is the ratio. A folder is kept for the next time; without one everything is made anew, which takes minutes.
With NOVA_TEST_POSTGRESQL_URL the same is measured there as well.
"""

import asyncio
import logging
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import SecretStr
from sqlmodel import col, select

from nova_ui.settings import Settings
from storage.nova.tables import AssignmentRow, IdentityRow
from tests.bench.large_site import LargeSite, fill_once, open_site
from tests.bench.statements import recording, run_bare
from tests.bench.table import show
from tests.fakes.databases import postgresql_database

ROUNDS: Final = 30
WARM_UP: Final = 3


@dataclass(frozen=True, slots=True)
class Visit:
    """What somebody looks at: one request, or the requests of a page."""

    name: str
    requests: Sequence[tuple[str, Mapping[str, str]]]


@dataclass(slots=True)
class _Figures:
    whole_ms: list[float] = field(default_factory=list)
    bare_ms: list[float] = field(default_factory=list)


async def visits(site: LargeSite) -> list[Visit]:
    """Return what is measured, with names and cursors of this organisation."""
    async with site.database.reading() as session:
        people = (await session.exec(select(IdentityRow).order_by(col(IdentityRow.id)).limit(50))).all()
        held = select(AssignmentRow.identity_id).where(col(AssignmentRow.status) == "active").limit(1)
        holder = (await session.exec(held)).one()
    person = people[len(people) // 2]
    first = (await site.ask("GET /identities")).json()["next_cursor"]
    log = (await site.ask("GET /audit-log")).json()["next_cursor"]
    words = f"{person.given_name} {person.family_name[:4]}"
    one = f"/identities/{holder}"
    department = person.department or ""
    return [
        Visit("identities: first page", [("GET /identities", {})]),
        Visit("identities: next page", [("GET /identities", {"cursor": first})]),
        Visit("identities: filter by department", [("GET /identities", {"department": department})]),
        Visit("identities: filter by state", [("GET /identities", {"status": "suspended"})]),
        Visit("identities: words", [("GET /identities", {"q": words})]),
        Visit("identities: SCIM filter", [("GET /identities", {"filter": f'display_name co "{person.family_name}"'})]),
        Visit("directory: words", [("GET /directory", {"q": words})]),
        Visit("assignments of one identity", [("GET /assignments", {"identity_id": holder})]),
        Visit("groups: first page", [("GET /groups", {})]),
        Visit("requests: first page", [("GET /access-requests", {})]),
        Visit(
            "object page of an identity",
            [(f"GET {one}", {}), (f"GET {one}/access", {}), (f"GET {one}/timeline", {"limit": "20"})],
        ),
        Visit("audit log: newest", [("GET /audit-log", {})]),
        Visit("audit log: next page", [("GET /audit-log", {"cursor": log})]),
        Visit("audit log: one action", [("GET /audit-log", {"action": "identity.updated"})]),
        Visit("audit log: actions by pattern", [("GET /audit-log", {"action": "group.*"})]),
        Visit("audit log: one actor", [("GET /audit-log", {"actor_id": person.id})]),
        Visit("audit log: one target", [("GET /audit-log", {"target_id": person.id})]),
        Visit("audit log: from chats", [("GET /audit-log", {"origin": "ai_chat"})]),
        Visit("audit log: words", [("GET /audit-log", {"q": words})]),
        Visit("audit log: summary by day", [("GET /audit-log/summary", {"group_by": "day", "after": _month_ago()})]),
    ]


def _month_ago() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(time.time() - 30 * 86_400))


async def measure(site: LargeSite, visit: Visit) -> tuple[str, str]:
    """Make the visit and run its statements bare, in turns; return name and figures."""
    figures = _Figures()
    for number in range(WARM_UP + ROUNDS):
        with recording(site.database) as recorded:
            started = time.perf_counter()
            for endpoint, query in visit.requests:
                await site.ask(endpoint, query=query)
            whole = time.perf_counter() - started
        started = time.perf_counter()
        await run_bare(site.database, recorded)
        bare = time.perf_counter() - started
        if number >= WARM_UP:
            figures.whole_ms.append(whole * 1000)
            figures.bare_ms.append(bare * 1000)
        if whole > 1 and number >= WARM_UP:
            break  # as slow as that, one measurement tells enough
    whole_ms, bare_ms = statistics.median(figures.whole_ms), statistics.median(figures.bare_ms)
    return visit.name, f"{whole_ms:9.1f} ms {bare_ms:9.1f} ms bare {whole_ms / bare_ms:6.2f}"


async def _measure_all(settings: Settings) -> list[tuple[str, str]]:
    await fill_once(settings.database_address)
    site = await open_site(settings)
    try:
        return [await measure(site, visit) for visit in await visits(site)]
    finally:
        await site.close()


def _main(folder: Path) -> None:
    server = os.environ.pop("NOVA_TEST_POSTGRESQL_URL", "")
    title = f"Medians of {ROUNDS}: the whole API, its statements bare, ratio"
    show(f"SQLite. {title}", asyncio.run(_measure_all(Settings(data_dir=folder))), sys.stdout)
    if server:
        with postgresql_database(server) as address:
            settings = Settings(data_dir=folder, database_url=SecretStr(address))
            show(f"PostgreSQL. {title}", asyncio.run(_measure_all(settings)), sys.stdout)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    if len(sys.argv) > 1:
        _main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            _main(Path(made))
