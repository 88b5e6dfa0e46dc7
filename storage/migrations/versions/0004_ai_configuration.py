"""Create the tables of the AI configuration."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ai_profiles",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("base_url", sa.String(), nullable=False),
        sa.Column("models", sa.JSON(), nullable=False),
        sa.Column("allow_private", sa.Boolean(), nullable=False),
        sa.Column("api_key", sa.String(), nullable=True),
        sa.Column("api_key_set_at", UtcDateTime(), nullable=True),
        sa.Column("limits", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.UniqueConstraint("key"),
    )
    op.create_table(
        "ai_configuration",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("default_profile", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("ai_configuration")
    op.drop_table("ai_profiles")
