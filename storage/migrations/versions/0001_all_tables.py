"""Create every table of Nova and of the chat.

Revision: 0001, the first
"""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_access_requests()
    _create_applications()
    _create_assistants()
    _create_audit_entries()
    _create_chats()
    _create_exports()
    _create_groups()
    _create_idempotency_keys()
    _create_identities()
    _create_message_counters()
    _create_previews()
    _create_sign_in_attempts()
    _create_turn_events()
    _create_turns()
    _create_approvals()
    _create_memberships()
    _create_roles()
    _create_sessions()
    _create_assignments()


def _via_from_details() -> sa.Computed:
    # Kept on PostgreSQL, which before version 18 knows nothing else; computed when read on SQLite.
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    return sa.Computed("details ->> 'via'", persisted=is_postgresql)


def downgrade() -> None:
    for table in (
        "assignments",
        "sessions",
        "roles",
        "memberships",
        "approvals",
        "turns",
        "turn_events",
        "sign_in_attempts",
        "previews",
        "message_counters",
        "identities",
        "idempotency_keys",
        "groups",
        "exports",
        "chats",
        "audit_entries",
        "assistants",
        "applications",
        "access_requests",
    ):
        op.drop_table(table)


def _create_access_requests() -> None:
    op.create_table(
        "access_requests",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("requester_id", sa.String(), nullable=False),
        sa.Column("beneficiary_id", sa.String(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("justification", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("comments", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_access_requests_beneficiary_id", "access_requests", ["beneficiary_id"], unique=False)
    op.create_index("ix_access_requests_created_at", "access_requests", ["created_at"], unique=False)
    op.create_index("ix_access_requests_requester_id", "access_requests", ["requester_id"], unique=False)
    op.create_index("ix_access_requests_status", "access_requests", ["status"], unique=False)


def _create_applications() -> None:
    op.create_table(
        "applications",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("display_name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column("owner_ids", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("client_id", sa.String(), nullable=True),
        sa.Column("client_secret", sa.String(), nullable=True),
        sa.Column("client_secret_set_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )


def _create_assistants() -> None:
    op.create_table(
        "assistants",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("descriptions", sa.JSON(), nullable=False),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("starters", sa.JSON(), nullable=False),
        sa.Column("all_tools", sa.Boolean(), nullable=False),
        sa.Column("tool_names", sa.JSON(), nullable=False),
        sa.Column("audience", sa.String(), nullable=False),
        sa.Column("audience_roles", sa.JSON(), nullable=False),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )


def _create_audit_entries() -> None:
    op.create_table(
        "audit_entries",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("time", UtcDateTime(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("actor_type", sa.String(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=True),
        sa.Column("actor_display", sa.String(), nullable=False),
        sa.Column("target_type", sa.String(), nullable=True),
        sa.Column("target_id", sa.String(), nullable=True),
        sa.Column("target_display", sa.String(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column(
            "via",
            sa.String(),
            _via_from_details(),
            nullable=True,
        ),
        sa.Column("request_id", sa.String(), nullable=True),
        sa.Column("caused_by", sa.String(), nullable=True),
        sa.Column("ip", sa.String(), nullable=True),
        sa.Column("session_id", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("seq"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("ix_audit_action", "audit_entries", ["action", "time", "seq"], unique=False)
    op.create_index("ix_audit_actor", "audit_entries", ["actor_id", "time", "seq"], unique=False)
    op.create_index("ix_audit_request", "audit_entries", ["request_id"], unique=False)
    op.create_index("ix_audit_target", "audit_entries", ["target_id", "time", "seq"], unique=False)
    op.create_index("ix_audit_time", "audit_entries", ["time", "seq"], unique=False)
    for name, *columns in (
        ("ix_audit_via", "via", "time", "seq"),
        ("ix_audit_chat_time", "time", "seq"),
        ("ix_audit_chat_actor", "actor_id", "time", "seq"),
        ("ix_audit_chat_action", "action", "time", "seq"),
    ):
        op.create_index(
            name,
            "audit_entries",
            columns,
            unique=False,
            sqlite_where=sa.text("via IS NOT NULL"),
            postgresql_where=sa.text("via IS NOT NULL"),
        )


def _create_chats() -> None:
    op.create_table(
        "chats",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("assistant_key", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("title_key", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_chats_owner", "chats", ["owner_id", "updated_at", "id"], unique=False)


def _create_exports() -> None:
    op.create_table(
        "exports",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("query", sa.JSON(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("reach", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_exports_created_by", "exports", ["created_by"], unique=False)


def _create_groups() -> None:
    op.create_table(
        "groups",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("display_name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("owner_ids", sa.JSON(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("protected", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name_key"),
    )


def _create_idempotency_keys() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("identity_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("request_digest", sa.String(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("identity_id", "key"),
    )


def _create_identities() -> None:
    op.create_table(
        "identities",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("user_name", sa.String(), nullable=False),
        sa.Column("user_name_key", sa.String(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("given_name", sa.String(), nullable=False),
        sa.Column("family_name", sa.String(), nullable=False),
        sa.Column("display_name", sa.String(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column("emails", sa.JSON(), nullable=False),
        sa.Column("phone_numbers", sa.JSON(), nullable=False),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("user_type", sa.String(), nullable=False),
        sa.Column("employee_number", sa.String(), nullable=True),
        sa.Column("organization", sa.String(), nullable=True),
        sa.Column("division", sa.String(), nullable=True),
        sa.Column("department", sa.String(), nullable=True),
        sa.Column("cost_center", sa.String(), nullable=True),
        sa.Column("location", sa.String(), nullable=True),
        sa.Column("manager_id", sa.String(), nullable=True),
        sa.Column("preferred_language", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=True),
        sa.Column("timezone", sa.String(), nullable=True),
        sa.Column("theme", sa.String(), nullable=False),
        sa.Column("start_date", sa.String(), nullable=True),
        sa.Column("end_date", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("status_reason", sa.String(), nullable=True),
        sa.Column("nova_roles", sa.JSON(), nullable=False),
        sa.Column("protected", sa.Boolean(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("last_sign_in_at", UtcDateTime(), nullable=True),
        sa.Column("locked_until", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["manager_id"],
            ["identities.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("employee_number"),
        sa.UniqueConstraint("user_name_key"),
    )
    op.create_index("ix_identities_department", "identities", ["department"], unique=False)
    op.create_index("ix_identities_manager_id", "identities", ["manager_id"], unique=False)
    op.create_index("ix_identities_status", "identities", ["status"], unique=False)


def _create_message_counters() -> None:
    op.create_table(
        "message_counters",
        sa.Column("identity_id", sa.String(), nullable=False),
        sa.Column("assistant_key", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("identity_id", "assistant_key"),
    )


def _create_previews() -> None:
    op.create_table(
        "previews",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("identity_id", sa.String(), nullable=False),
        sa.Column("assistant_key", sa.String(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("tool_name", sa.String(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("canonical", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.Column("shown_digest", sa.String(), nullable=False),
        sa.Column("shown_at", UtcDateTime(), nullable=False),
        sa.Column("by_person", sa.Boolean(), nullable=False),
        sa.Column("closed", sa.String(), nullable=True),
        sa.Column("consumed_at", UtcDateTime(), nullable=True),
        sa.Column("consumed_by", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_previews_chat_id", "previews", ["chat_id"], unique=False)
    op.create_index("ix_previews_consumed_by", "previews", ["consumed_by"], unique=False)
    op.create_index("ix_previews_open", "previews", ["identity_id", "assistant_key", "closed"], unique=False)


def _create_sign_in_attempts() -> None:
    op.create_table(
        "sign_in_attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_sign_in_attempts_at", "sign_in_attempts", ["at"], unique=False)
    op.create_index("ix_sign_in_attempts_subject", "sign_in_attempts", ["subject"], unique=False)


def _create_turn_events() -> None:
    op.create_table(
        "turn_events",
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("turn_id", "id"),
    )


def _create_turns() -> None:
    op.create_table(
        "turns",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("chat_id", sa.String(), nullable=False),
        sa.Column("identity_id", sa.String(), nullable=False),
        sa.Column("assistant_key", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("message", sa.JSON(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("steps", sa.JSON(), nullable=False),
        sa.Column("notices", sa.JSON(), nullable=False),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("usage", sa.JSON(), nullable=False),
        sa.Column("idempotency_key", sa.String(), nullable=True),
        sa.Column("request_digest", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("heartbeat_at", UtcDateTime(), nullable=False),
        sa.Column("stop_requested", sa.Boolean(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("identity_id", "idempotency_key"),
    )
    op.create_index("ix_turns_chat", "turns", ["chat_id", "number"], unique=False)
    op.create_index(
        "ux_turns_running",
        "turns",
        ["identity_id", "assistant_key"],
        unique=True,
        sqlite_where=sa.text("state = 'running'"),
        postgresql_where=sa.text("state = 'running'"),
    )


def _create_approvals() -> None:
    op.create_table(
        "approvals",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=True),
        sa.Column("approver_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("decided_at", UtcDateTime(), nullable=True),
        sa.Column("comment", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["request_id"],
            ["access_requests.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_approvals_approver_id", "approvals", ["approver_id"], unique=False)
    op.create_index("ix_approvals_request_id", "approvals", ["request_id"], unique=False)


def _create_memberships() -> None:
    op.create_table(
        "memberships",
        sa.Column("group_id", sa.String(), nullable=False),
        sa.Column("identity_id", sa.String(), nullable=False),
        sa.Column("added_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"],
            ["groups.id"],
        ),
        sa.ForeignKeyConstraint(
            ["identity_id"],
            ["identities.id"],
        ),
        sa.PrimaryKeyConstraint("group_id", "identity_id"),
    )
    op.create_index("ix_memberships_identity_id", "memberships", ["identity_id"], unique=False)


def _create_roles() -> None:
    op.create_table(
        "roles",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("display_name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("search_text", sa.String(), nullable=False),
        sa.Column("application_id", sa.String(), nullable=True),
        sa.Column("owner_ids", sa.JSON(), nullable=False),
        sa.Column("requestable", sa.Boolean(), nullable=False),
        sa.Column("approval", sa.String(), nullable=False),
        sa.Column("max_days", sa.Integer(), nullable=True),
        sa.Column("risk", sa.String(), nullable=False),
        sa.Column("privileged", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("protected", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["application_id"],
            ["applications.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_roles_application_id", "roles", ["application_id"], unique=False)


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("csrf_token", sa.String(), nullable=False),
        sa.Column("identity_id", sa.String(), nullable=False),
        sa.Column("ip", sa.String(), nullable=True),
        sa.Column("user_agent", sa.String(), nullable=True),
        sa.Column("methods", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("last_seen_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["identity_id"],
            ["identities.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index("ix_sessions_identity_id", "sessions", ["identity_id"], unique=False)


def _create_assignments() -> None:
    op.create_table(
        "assignments",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("identity_id", sa.String(), nullable=False),
        sa.Column("role_id", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=True),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_until", UtcDateTime(), nullable=True),
        sa.Column("justification", sa.String(), nullable=False),
        sa.Column("granted_by", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["identity_id"],
            ["identities.id"],
        ),
        sa.ForeignKeyConstraint(
            ["role_id"],
            ["roles.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_assignments_identity_status", "assignments", ["identity_id", "status"], unique=False)
    op.create_index("ix_assignments_role_id", "assignments", ["role_id"], unique=False)
