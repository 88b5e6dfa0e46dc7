"""Several real servers over one database, as an operator runs them, with a model that obeys."""

import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.fakes.databases import postgresql_database
from tests.fakes.running_server import DEMO_PASSWORD, RunningServer
from tests.journeys.person import JsonObject, Person
from tests.races.kill_points import KILL_VARIABLE
from tests.races.obedient_model import ObedientModel

ADMINISTRATOR: Final = "mara.koenig"
TOOLS: Final = ("create_group", "update_group", "delete_group", "list_groups")
SQLITE_PROCESSES: Final = 2
POSTGRESQL_PROCESSES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceSite:
    """The servers, their model, and an administrator who looks on from outside."""

    servers: Sequence[RunningServer]
    model: ObedientModel
    folder: Path
    settings: Mapping[str, str]
    database: str = ""

    @property
    def is_sqlite(self) -> bool:
        return not self.database

    @property
    def file(self) -> Path:
        """The SQLite file."""
        return self.folder / "data" / "nova.sqlite3"

    def order_file(self, place: int) -> Path:
        """The file that tells one server at which point to die: see `tests/races/kill_points.py`."""
        return _order_file(self.folder, place)

    @contextmanager
    def one_more(self, fault: str) -> Iterator[RunningServer]:
        """Run one more server over the same database, with a fault; its place is the one after the others."""
        server = _make_server(self.folder, len(self.servers), fault, self.settings)
        server.start()
        try:
            yield server
        finally:
            stop_if_running(server)

    def sign_in(self, place: int = 0, login: str = ADMINISTRATOR) -> Person:
        """Sign in at one of the servers; sessions count at each of them."""
        return Person(self.servers[place].url, login, DEMO_PASSWORD)

    def make_assistants(self, count: int) -> list[str]:
        """Make assistants of their own for those who run side by side: one turn at a time is one for each."""
        keys = [f"race-{secrets.token_hex(3)}-{number}" for number in range(count)]
        with self.sign_in() as mara:
            for key in keys:
                body: JsonObject = {"key": key, "names": {"en": key}, "tool_names": [*TOOLS]}
                answer = mara.request("POST", "/administration/assistants", body)
                assert answer.status_code == 201, answer.text
        return keys

    @property
    def log_text(self) -> str:
        return "\n".join(server.log_text for server in self.servers)


def start_together(servers: Sequence[RunningServer]) -> None:
    """Start servers at the same time: each waits until it is ready."""
    with ThreadPoolExecutor(max(len(servers), 1)) as pool:
        for starting in [pool.submit(server.start) for server in servers]:
            starting.result()


@contextmanager
def race_site(
    folder: Path, database: str = "", *, processes: int = 0, fault: str = "", **more: str
) -> Iterator[RaceSite]:
    """Run two servers over an SQLite file in `folder`, or three over the PostgreSQL database `database`.

    `fault` names what is planted in each server's own process: see `tests/races/planted.py`.
    """
    with ObedientModel() as model, ExitStack() as stack:
        settings = {
            "NOVA_AI_BASE_URL": model.url,
            "NOVA_AI_MODEL": "obedient",
            "NOVA_AI_API_KEY": "key-of-the-races",
            **({"NOVA_DATABASE_URL": database} if database else {}),
            **more,
        }
        count = processes or (POSTGRESQL_PROCESSES if database else SQLITE_PROCESSES)
        servers = [_make_server(folder, place, fault, settings) for place in range(count)]
        for server in servers:
            stack.callback(stop_if_running, server)
        servers[0].start()  # alone: it makes the schema, the keys and the organisation
        start_together(servers[1:])
        yield RaceSite(servers=servers, model=model, folder=folder, settings=settings, database=database)


def _make_server(folder: Path, place: int, fault: str, settings: Mapping[str, str]) -> RunningServer:
    return RunningServer(
        folder / "data",
        name=f"server-{place}",
        program=("-m", "tests.races.planted", fault),
        **settings,
        **{KILL_VARIABLE: str(_order_file(folder, place))},
    )


def _order_file(folder: Path, place: int) -> Path:
    return folder / f"server-{place}.kill"


def stop_if_running(server: RunningServer) -> None:
    if server.is_running:
        server.stop()


@contextmanager
def site_of_command(database: str, *, fault: str = "") -> Iterator[RaceSite]:
    """Run the site of a campaign: over a fresh PostgreSQL database of the server `database`, or over SQLite."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        address = stack.enter_context(postgresql_database(database)) if database else ""
        site = stack.enter_context(race_site(Path(folder), address, fault=fault))
        kind = "PostgreSQL" if database else "SQLite"
        print(f"{len(site.servers)} processes over {kind}, Python {sys.version.split()[0]}", flush=True)  # noqa: T201
        yield site
