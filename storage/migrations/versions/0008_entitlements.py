"""Add entitlements and bundles; an assignment holds a role or an entitlement.

Revision: 0008, after 0007
"""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_entitlements()
    _create_bundles()
    _open_assignments_to_entitlements()
    with op.batch_alter_table("approvals") as approvals:
        approvals.add_column(sa.Column("entitlement_id", sa.String(), nullable=True))
        approvals.add_column(sa.Column("escalated_from", sa.String(), nullable=True))


def _create_entitlements() -> None:
    op.create_table(
        "entitlements",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("application_id", sa.String(), nullable=False),
        sa.Column("native_name", sa.String(), nullable=False),
        sa.Column("native_key", sa.String(), nullable=False),
        sa.Column("display_name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column("owner_ids", sa.JSON(), nullable=False),
        sa.Column("requestable", sa.Boolean(), nullable=False),
        sa.Column("privileged", sa.Boolean(), nullable=False),
        sa.Column("risk", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["application_id"], ["applications.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("application_id", "native_key"),
    )


def _create_bundles() -> None:
    for table, column, points_to in (
        ("role_entitlements", "entitlement_id", "entitlements"),
        ("role_children", "child_role_id", "roles"),
    ):
        op.create_table(
            table,
            sa.Column("role_id", sa.String(), nullable=False),
            sa.Column(column, sa.String(), nullable=False),
            sa.ForeignKeyConstraint(["role_id"], ["roles.id"]),
            sa.ForeignKeyConstraint([column], [f"{points_to}.id"]),
            sa.PrimaryKeyConstraint("role_id", column),
        )
        op.create_index(f"ix_{table}_{column}", table, [column], unique=False)


def _open_assignments_to_entitlements() -> None:
    with op.batch_alter_table("assignments") as assignments:
        assignments.add_column(sa.Column("entitlement_id", sa.String(), nullable=True))
        assignments.alter_column("role_id", existing_type=sa.String(), nullable=True)
        assignments.create_foreign_key("fk_assignments_entitlement", "entitlements", ["entitlement_id"], ["id"])
        assignments.create_check_constraint("ck_assignments_one_right", "(role_id IS NULL) <> (entitlement_id IS NULL)")
    op.create_index("ix_assignments_entitlement_id", "assignments", ["entitlement_id"], unique=False)
    op.create_index("ix_assignments_status_until", "assignments", ["status", "valid_until"], unique=False)


def downgrade() -> None:
    op.execute("DELETE FROM assignments WHERE role_id IS NULL")
    op.drop_index("ix_assignments_status_until", table_name="assignments")
    op.drop_index("ix_assignments_entitlement_id", table_name="assignments")
    with op.batch_alter_table("assignments") as assignments:
        assignments.drop_constraint("ck_assignments_one_right", type_="check")
        assignments.drop_constraint("fk_assignments_entitlement", type_="foreignkey")
        assignments.alter_column("role_id", existing_type=sa.String(), nullable=False)
        assignments.drop_column("entitlement_id")
    with op.batch_alter_table("approvals") as approvals:
        approvals.drop_column("escalated_from")
        approvals.drop_column("entitlement_id")
    for table in ("role_children", "role_entitlements", "entitlements"):
        op.drop_table(table)
