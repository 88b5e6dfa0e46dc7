"""Let an assistant demand how its cards are confirmed."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, columns in (
        ("assistants", (sa.Column("button_only", sa.Boolean(), nullable=False, server_default=sa.false()),)),
        (
            "assistants",
            (sa.Column("type_name_for", sa.JSON(), nullable=False, server_default=sa.text("'[]'")),),
        ),
        ("previews", (sa.Column("button_only", sa.Boolean(), nullable=False, server_default=sa.false()),)),
        ("previews", (sa.Column("name_to_type", sa.String(), nullable=True),)),
    ):
        for column in columns:
            op.add_column(table, column)


def downgrade() -> None:
    for table, column in (
        ("previews", "name_to_type"),
        ("previews", "button_only"),
        ("assistants", "type_name_for"),
        ("assistants", "button_only"),
    ):
        op.drop_column(table, column)
