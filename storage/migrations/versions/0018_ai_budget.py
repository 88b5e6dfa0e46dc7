"""Create the tables of the budget for models and of what was used; let assistants have an icon and a temperature."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_COUNTERS = (
    "messages",
    "requests",
    "estimated",
    "input_tokens",
    "output_tokens",
    "cost_micros",
    "reserved_tokens",
    "reserved_micros",
)


def upgrade() -> None:
    op.create_table(
        "ai_budget",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )
    op.create_table(
        "ai_usage",
        sa.Column("day", sa.String(), primary_key=True),
        sa.Column("identity_id", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("assistant_key", sa.String(), primary_key=True),
        sa.Column("profile", sa.String(), primary_key=True),
        sa.Column("model", sa.String(), primary_key=True),
        *(sa.Column(name, sa.BigInteger(), nullable=False, server_default="0") for name in _COUNTERS),
    )
    op.create_index("ix_ai_usage_identity", "ai_usage", ["identity_id", "day"])
    op.add_column("assistants", sa.Column("icon", sa.String(), nullable=False, server_default=""))
    op.add_column("assistants", sa.Column("temperature", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("assistants", "temperature")
    op.drop_column("assistants", "icon")
    op.drop_table("ai_usage")
    op.drop_table("ai_budget")
