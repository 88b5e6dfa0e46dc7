"""The sites of the bounded part: made once, since each server takes seconds to start."""

from collections.abc import Iterator

import pytest

from tests.fakes.databases import postgresql_database
from tests.races.site import RaceSite, race_site


@pytest.fixture(scope="session", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RaceSite]:
    """Two servers over one file, then three over one PostgreSQL database."""
    folder = tmp_path_factory.mktemp("site")
    if request.param == "sqlite":
        with race_site(folder) as started:
            yield started
        return
    with (
        postgresql_database(request.getfixturevalue("postgresql_server")) as address,
        race_site(folder, address) as one,
    ):
        yield one
