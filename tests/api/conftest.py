"""A site with people for every test of the API; once with each kind of database."""

import pytest

from storage.database import Database
from tests.api.site import Site, open_site


@pytest.fixture
async def site(database: Database) -> Site:
    return await open_site(database)
