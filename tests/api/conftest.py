"""A site with people for every test of the API; once with each kind of database."""

from collections.abc import AsyncIterator

import pytest

from storage.database import Database
from tests.api.site import Parts, Site, build_parts, open_site


@pytest.fixture(scope="session")
def parts() -> Parts:
    return build_parts()


@pytest.fixture
async def site(parts: Parts, database: Database) -> AsyncIterator[Site]:
    async with open_site(parts, database) as opened:
        yield opened
