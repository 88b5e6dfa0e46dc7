"""Keep the audit log as a hash chain; entries that are there already stay outside of it."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("audit_entries", sa.Column("prev_hash", sa.String(), nullable=True))
    op.add_column("audit_entries", sa.Column("hash", sa.String(), nullable=True))
    chain = op.create_table(
        "audit_chain",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("begins_after_seq", sa.Integer(), nullable=False),
        sa.Column("end_seq", sa.Integer(), nullable=False),
        sa.Column("end_hash", sa.String(), nullable=False),
    )
    newest = op.get_bind().scalar(sa.text("SELECT max(seq) FROM audit_entries")) or 0
    op.bulk_insert(chain, [{"id": "audit", "length": 0, "begins_after_seq": newest, "end_seq": newest, "end_hash": ""}])


def downgrade() -> None:
    op.drop_table("audit_chain")
    op.drop_column("audit_entries", "hash")
    op.drop_column("audit_entries", "prev_hash")
