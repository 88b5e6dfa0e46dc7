"""What all tests share: databases by backend, the site within this process, the server in its own."""

import gc
import os
import shutil
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from typing import Final

import hypothesis
import pytest

from storage.database import Database
from tests.fakes.databases import copy_sqlite, empty_postgresql, make_sqlite_template, postgresql_database

POSTGRESQL_URL: Final = os.environ.get("NOVA_TEST_POSTGRESQL_URL", "")
CHROMIUM: Final = os.environ.get("NOVA_TEST_CHROMIUM", "") or shutil.which("chromium") or ""
GENERATED_EXAMPLES: Final = int(os.environ.get("NOVA_TEST_EXAMPLES", "") or 3)  # of each operation: tests/contract
NOTHING_SKIPPED: Final = os.environ.get("NOVA_TEST_NOTHING_SKIPPED", "") == "1"

if not os.environ.get("CI"):  # there hypothesis tries the same examples each time, however slow
    hypothesis.settings.register_profile("patient", deadline=None)
    hypothesis.settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Take our variables out of the environment of what runs tests: the product refuses to start with strange ones.

    The process that only hands tests out keeps them, for those it starts.
    """
    hands_out = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    for name in [] if hands_out else [name for name in os.environ if name.startswith("NOVA_TEST_")]:
        del os.environ[name]


def pytest_collection_finish() -> None:
    """Keep what the imports made out of every later garbage collection: NiceGUI's tests collect twice each."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if NOTHING_SKIPPED and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but nothing may be: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if NOTHING_SKIPPED and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped, but nothing may be: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_sqlite_template(tmp_path_factory.mktemp("template"))


@pytest.fixture(scope="session")
def postgresql_server() -> str:
    """The address of a server on which databases can be made."""
    if not POSTGRESQL_URL:
        pytest.skip("NOVA_TEST_POSTGRESQL_URL names no server")
    return POSTGRESQL_URL


@pytest.fixture(scope="session")
def postgresql_for_all(postgresql_server: str) -> Iterator[str]:
    with postgresql_database(postgresql_server) as url:
        yield url


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """The address of a fresh SQLite database with the current schema."""
    return copy_sqlite(sqlite_template, tmp_path)


@pytest.fixture
def postgresql_url(postgresql_for_all: str) -> str:
    """The address of an empty PostgreSQL database with the current schema."""
    empty_postgresql(postgresql_for_all)
    return postgresql_for_all


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a fresh database; the test runs once with each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A fresh database with the current schema; the test runs once with each kind."""
    opened = Database(database_url)
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a real Chromium."""
    if not CHROMIUM:
        pytest.skip("neither NOVA_TEST_CHROMIUM nor the path names a Chromium")
    return CHROMIUM
