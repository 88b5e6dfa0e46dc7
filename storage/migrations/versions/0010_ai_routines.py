"""Create the tables of AI routine assistants and their runs."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ai_routines",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("tool_names", sa.JSON(), nullable=False),
        sa.Column("schedule", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("acts_as", sa.String(), nullable=False),
        sa.Column("deliver_to", sa.JSON(), nullable=False),
        sa.Column("read_only", sa.Boolean(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("scheduled_since", UtcDateTime(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_ai_routines_acts_as", "ai_routines", ["acts_as"])
    op.create_table(
        "ai_routine_runs",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("routine_id", sa.String(), nullable=False),
        sa.Column("routine_key", sa.String(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=False),
        sa.Column("started_by", sa.String(), nullable=True),
        sa.Column("acts_as", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("notices", sa.JSON(), nullable=False),
        sa.Column("calls", sa.JSON(), nullable=False),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("usage", sa.JSON(), nullable=False),
        sa.Column("delivered_to", sa.JSON(), nullable=False),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("heartbeat_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.UniqueConstraint("routine_id", "due_at"),
    )
    op.create_index("ix_ai_routine_runs_routine_key", "ai_routine_runs", ["routine_key"])
    op.create_index("ix_ai_routine_runs_status", "ai_routine_runs", ["status"])
    op.create_index("ix_ai_routine_runs_started_at", "ai_routine_runs", ["started_at"])


def downgrade() -> None:
    op.drop_table("ai_routine_runs")
    op.drop_table("ai_routines")
