"""Give groups a rule and roles to give, and roles a rule of birthright."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("groups", sa.Column("membership", sa.String(), nullable=False, server_default="manual"))
    op.add_column("groups", sa.Column("rule", sa.String(), nullable=True))
    op.add_column("groups", sa.Column("role_ids", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("roles", sa.Column("birthright_rule", sa.String(), nullable=True))
    op.create_index("ix_assignments_source", "assignments", ["source_id", "source"])


def downgrade() -> None:
    op.drop_index("ix_assignments_source", "assignments")
    op.drop_column("roles", "birthright_rule")
    op.drop_column("groups", "role_ids")
    op.drop_column("groups", "rule")
    op.drop_column("groups", "membership")
