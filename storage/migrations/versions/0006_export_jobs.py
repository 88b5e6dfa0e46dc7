"""Let exports be made by a job, and know which records they hold."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("exports") as batch:
        batch.add_column(sa.Column("record_ids", sa.JSON(none_as_null=True), nullable=True))
        batch.add_column(sa.Column("job_id", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("exports") as batch:
        batch.drop_column("job_id")
        batch.drop_column("record_ids")
