"""Let an assistant be open to groups."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("audience_group_ids", sa.JSON(), nullable=False, server_default=sa.text("'[]'"))
    op.add_column("assistants", column)


def downgrade() -> None:
    op.drop_column("assistants", "audience_group_ids")
