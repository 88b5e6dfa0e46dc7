"""Let other models stand in for one that does not answer."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    empty, no = sa.text("'[]'"), sa.false()
    op.add_column("ai_configuration", sa.Column("fall_back", sa.JSON(), nullable=False, server_default=empty))
    op.add_column("ai_configuration", sa.Column("fall_back_may_widen", sa.Boolean(), nullable=False, server_default=no))
    op.add_column("assistants", sa.Column("fall_back", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("assistants", "fall_back")
    op.drop_column("ai_configuration", "fall_back_may_widen")
    op.drop_column("ai_configuration", "fall_back")
