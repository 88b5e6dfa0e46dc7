"""Let administrators declare where a model's data goes."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ai_profiles", sa.Column("declared_mode", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("ai_profiles", "declared_mode")
