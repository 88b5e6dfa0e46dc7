"""Give each application a connection of its own, and take over the client it had."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    connections = op.create_table(
        "connections",
        sa.Column("id", sa.String(), sa.ForeignKey("applications.id"), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("client_secret", sa.String(), nullable=True),
        sa.Column("bearer_token", sa.String(), nullable=True),
        sa.Column("bind_password", sa.String(), nullable=True),
        sa.Column("secret_set_at", UtcDateTime(), nullable=True),
        sa.Column("rotated_at", UtcDateTime(), nullable=True),
        sa.Column("test_state", sa.String(), nullable=False),
        sa.Column("tested_at", UtcDateTime(), nullable=True),
        sa.Column("test_code", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )
    before = sa.table(
        "applications",
        sa.column("id", sa.String()),
        sa.column("client_id", sa.String()),
        sa.column("client_secret", sa.String()),
        sa.column("client_secret_set_at", UtcDateTime()),
        sa.column("created_at", UtcDateTime()),
        sa.column("updated_at", UtcDateTime()),
    )
    has_client = sa.or_(before.c.client_id.is_not(None), before.c.client_secret.is_not(None))
    found = op.get_bind().execute(sa.select(before).where(has_client)).mappings().all()
    if found:
        op.bulk_insert(connections, [_taken_over(dict(row)) for row in found])
    # Never a new table in the place of the old one: roles refer to it, and SQLite would take them for orphans.
    with op.batch_alter_table("applications", recreate="never") as batch:
        batch.drop_column("client_id")
        batch.drop_column("client_secret")
        batch.drop_column("client_secret_set_at")
        batch.add_column(sa.Column("requestable", sa.Boolean(), nullable=False, server_default=sa.true()))
        batch.add_column(sa.Column("provisioning", sa.String(), nullable=False, server_default="manual"))


def _taken_over(row: dict[str, object]) -> dict[str, object]:
    """Return the connection of an application that had a client; what nobody ever entered stays open."""
    settings = {
        "issuer": None,
        "client_id": row["client_id"],
        "redirect_uris": [],
        "post_logout_redirect_uris": [],
        "grant_types": ["authorization_code"],
        "token_endpoint_auth_method": "client_secret_basic",
    }
    return {
        "id": row["id"],
        "kind": "oidc",
        "settings": settings,
        "client_secret": row["client_secret"],
        "secret_set_at": row["client_secret_set_at"],
        "test_state": "untested",
        "version": 1,
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def downgrade() -> None:
    op.drop_table("connections")
    with op.batch_alter_table("applications", recreate="never") as batch:
        batch.drop_column("provisioning")
        batch.drop_column("requestable")
        batch.add_column(sa.Column("client_id", sa.String(), nullable=True))
        batch.add_column(sa.Column("client_secret", sa.String(), nullable=True))
        batch.add_column(sa.Column("client_secret_set_at", UtcDateTime(), nullable=True))
