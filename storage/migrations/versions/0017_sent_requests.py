"""Keep what models were sent, as long as the chat."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sent_requests",
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("sent_at", UtcDateTime(), nullable=False),
        sa.Column("profile", sa.String(), nullable=False),
        sa.Column("wire", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("words_only", sa.Boolean(), nullable=False),
        sa.Column("left_out", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("parts", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("turn_id", "number"),
    )
    op.create_index("ix_sent_requests_chat_id", "sent_requests", ["chat_id"])
    op.create_table(
        "sent_parts",
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("is_deflated", sa.Boolean(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("chat_id", "number"),
    )


def downgrade() -> None:
    op.drop_table("sent_parts")
    op.drop_index("ix_sent_requests_chat_id", "sent_requests")
    op.drop_table("sent_requests")
