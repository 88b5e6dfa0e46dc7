"""Create the table of notifications."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notifications",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("identity_id", sa.String(), sa.ForeignKey("identities.id"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("link", sa.String(), nullable=True),
        sa.Column("read_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_notifications_identity_created", "notifications", ["identity_id", "created_at", "id"])


def downgrade() -> None:
    op.drop_table("notifications")
