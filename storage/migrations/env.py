"""How Alembic runs our migrations: on the connection that the application hands in."""

from alembic import context
from sqlmodel import SQLModel

import storage.all_tables  # noqa: F401 - fills SQLModel.metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
