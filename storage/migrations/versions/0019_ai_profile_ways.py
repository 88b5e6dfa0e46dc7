"""Let profiles go through a proxy, trust own certificates, send headers and parameters of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_TEXTS = ("headers", "proxy_url", "proxy_user", "proxy_password", "ca_certificates")


def upgrade() -> None:
    for name in _TEXTS:
        op.add_column("ai_profiles", sa.Column(name, sa.String(), nullable=True))
    for name, empty in (("parameters", "'{}'"), ("header_names", "'[]'")):
        op.add_column("ai_profiles", sa.Column(name, sa.JSON(), nullable=False, server_default=sa.text(empty)))
    no = sa.false()
    op.add_column("ai_profiles", sa.Column("proxy_allow_private", sa.Boolean(), nullable=False, server_default=no))


def downgrade() -> None:
    for name in ("proxy_allow_private", "header_names", "parameters", *_TEXTS):
        op.drop_column("ai_profiles", name)
