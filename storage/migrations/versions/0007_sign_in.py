"""Create what the sign-in policy, old passwords and second factors need."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("identities") as identities:
        identities.add_column(sa.Column("password_changed_at", UtcDateTime(), nullable=True))
        identities.add_column(sa.Column("mfa_methods", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    with op.batch_alter_table("sessions") as sessions:
        sessions.add_column(sa.Column("confirmed_at", UtcDateTime(), nullable=True))
    op.create_table(
        "sign_in_policies",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("idle_minutes", sa.Integer(), nullable=False),
        sa.Column("max_hours", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )
    _create_factors()
    op.create_table(
        "pending_sign_ins",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False, unique=True),
        _identity(),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("methods", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_pending_sign_ins_expires_at", "pending_sign_ins", ["expires_at"])
    for table in ("old_passwords", "totp_factors", "recovery_codes", "pending_sign_ins"):
        op.create_index(f"ix_{table}_identity_id", table, ["identity_id"])


def _create_factors() -> None:
    op.create_table(
        "old_passwords",
        sa.Column("id", sa.Integer(), primary_key=True),
        _identity(),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("replaced_at", UtcDateTime(), nullable=False),
    )
    op.create_table(
        "totp_factors",
        sa.Column("id", sa.String(), primary_key=True),
        _identity(),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_step", sa.Integer(), nullable=True),
        sa.Column("confirmed_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("id", sa.Integer(), primary_key=True),
        _identity(),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
    )


def _identity() -> sa.Column[str]:
    return sa.Column("identity_id", sa.String(), sa.ForeignKey("identities.id"), nullable=False)


def downgrade() -> None:
    for table in ("pending_sign_ins", "recovery_codes", "totp_factors", "old_passwords", "sign_in_policies"):
        op.drop_table(table)
    with op.batch_alter_table("sessions") as sessions:
        sessions.drop_column("confirmed_at")
    with op.batch_alter_table("identities") as identities:
        identities.drop_column("mfa_methods")
        identities.drop_column("password_changed_at")
