"""Count how fast an identity sends messages."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "message_rates",
        sa.Column("identity_id", sa.String(), primary_key=True),
        sa.Column("whole_at_ms", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("message_rates")
