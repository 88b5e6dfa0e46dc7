"""The migrations lead to exactly the tables that the code knows."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url
from sqlmodel import SQLModel

import storage.all_tables  # noqa: F401 - fills SQLModel.metadata


def test_the_migrated_schema_is_the_one_of_the_tables(sqlite_url: str) -> None:
    engine = create_engine(make_url(sqlite_url).set(drivername="sqlite"))

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": False})
        differences = compare_metadata(context, SQLModel.metadata)
    engine.dispose()

    assert differences == []
