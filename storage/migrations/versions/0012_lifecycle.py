"""Create the tables of lifecycle routines, their runs and steps."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_routines()
    _create_runs()
    _create_steps()


def _create_routines() -> None:
    op.create_table(
        "lifecycle_routines",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False, unique=True),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("condition", sa.String(), nullable=True),
        sa.Column("actions", sa.JSON(), nullable=False),
        sa.Column("inactive_days", sa.Integer(), nullable=True),
        sa.Column("grace_days", sa.Integer(), nullable=False),
        sa.Column("notice_days", sa.JSON(), nullable=False),
        sa.Column("schedule", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("dry_run", sa.Boolean(), nullable=False),
        sa.Column("max_affected", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("counts_from", UtcDateTime(), nullable=True),
        sa.Column("scheduled_from", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )


def _create_runs() -> None:
    op.create_table(
        "lifecycle_runs",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("routine_id", sa.String(), nullable=False),
        sa.Column("routine_key", sa.String(), nullable=False),
        sa.Column("routine_names", sa.JSON(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=True),
        sa.Column("started_by", sa.String(), nullable=True),
        sa.Column("dry_run", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("is_planned", sa.Boolean(), nullable=False),
        sa.Column("affected", sa.Integer(), nullable=False),
        sa.Column("max_affected", sa.Integer(), nullable=False),
        sa.Column("error_code", sa.String(), nullable=True),
        sa.Column("error_detail", sa.String(), nullable=True),
        sa.Column("entry_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_lifecycle_runs_routine_id", "lifecycle_runs", ["routine_id"])
    op.create_index("ix_lifecycle_runs_started_at", "lifecycle_runs", ["started_at"])


def _create_steps() -> None:
    op.create_table(
        "lifecycle_steps",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), sa.ForeignKey("lifecycle_runs.id"), nullable=False),
        sa.Column("routine_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("identity_id", sa.String(), nullable=False),
        sa.Column("identity_display", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("occasion", sa.String(), nullable=True),
        sa.Column("reason", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("error_code", sa.String(), nullable=True),
        sa.Column("error_detail", sa.String(), nullable=True),
        sa.Column("entry_id", sa.String(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.UniqueConstraint("routine_id", "identity_id", "action", "occasion"),
    )
    op.create_index("ix_lifecycle_steps_run", "lifecycle_steps", ["run_id", "position"])
    op.create_index("ix_lifecycle_steps_identity_id", "lifecycle_steps", ["identity_id"])


def downgrade() -> None:
    op.drop_table("lifecycle_steps")
    op.drop_table("lifecycle_runs")
    op.drop_table("lifecycle_routines")
