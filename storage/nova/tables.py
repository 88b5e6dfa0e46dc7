"""Nova's tables: identities, groups, roles, assignments, access requests, sessions, exports and the audit log."""

from datetime import datetime
from typing import Final

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Computed,
    Connection,
    Index,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    event,
    text,
)
from sqlalchemy.orm import Mapper
from sqlmodel import Field, SQLModel

from nova_ui.domain.folding import searchable
from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime
from storage.nova.entitlement_tables import EntitlementRow

CHAIN_ID: Final = "audit"  # of the only row of `audit_chain`


def _moment(*, nullable: bool = False, index: bool = False) -> Column[datetime]:
    return Column(UtcDateTime(), nullable=nullable, index=index)


class IdentityRow(SQLModel, table=True):
    """One person or technical identity; the unique keys hold folded forms (NFC, trimmed, case-folded)."""

    __tablename__ = "identities"

    id: str = Field(primary_key=True)
    user_name: str
    user_name_key: str = Field(unique=True)
    external_id: str | None = None
    given_name: str = ""
    family_name: str = ""
    display_name: str = ""
    search_text: str = Field(default="", description="folded display name, user name, e-mail for `q`")
    emails: list[dict[str, JsonValue]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    phone_numbers: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    title: str | None = None
    user_type: str = "employee"
    employee_number: str | None = Field(default=None, unique=True)
    organization: str | None = None
    division: str | None = None
    department: str | None = Field(default=None, index=True)
    cost_center: str | None = None
    location: str | None = None
    manager_id: str | None = Field(default=None, foreign_key="identities.id", index=True)
    preferred_language: str = "en"
    locale: str | None = None
    timezone: str | None = None
    theme: str = "system"
    start_date: str | None = None
    end_date: str | None = None
    status: str = Field(default="active", index=True)
    status_reason: str | None = None
    nova_roles: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    protected: bool = False
    password_hash: str | None = None
    password_changed_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    mfa_methods: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    last_sign_in_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    locked_until: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class GroupRow(SQLModel, table=True):
    """A group; `rule` finds its members where `membership` is `rule`, and they get the roles in `role_ids`."""

    __tablename__ = "groups"

    id: str = Field(primary_key=True)
    display_name: str
    name_key: str = Field(unique=True)
    description: str = ""
    owner_ids: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    membership: str = "manual"
    rule: str | None = None
    role_ids: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    source: str = "nova"
    protected: bool = False
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class MembershipRow(SQLModel, table=True):
    """Who is in which group."""

    __tablename__ = "memberships"

    group_id: str = Field(primary_key=True, foreign_key="groups.id")
    identity_id: str = Field(primary_key=True, foreign_key="identities.id", index=True)
    added_at: datetime = Field(sa_column=_moment())


class ApplicationRow(SQLModel, table=True):
    """An application that roles give access to; how it is reached stands in its connection."""

    __tablename__ = "applications"

    id: str = Field(primary_key=True)
    key: str = Field(unique=True)
    display_name: str
    description: str = ""
    search_text: str = Field(default="", description="folded texts for `q`; filled when written")
    owner_ids: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    status: str = "enabled"
    requestable: bool = True
    provisioning: str = "manual"
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class RoleRow(SQLModel, table=True):
    """A bundle of access that can be assigned or requested, and is held by all whom `birthright_rule` finds."""

    __tablename__ = "roles"

    id: str = Field(primary_key=True)
    key: str = Field(unique=True)
    display_name: str
    description: str = ""
    search_text: str = Field(default="", description="folded texts for `q`; filled when written")
    application_id: str | None = Field(default=None, foreign_key="applications.id", index=True)
    owner_ids: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    requestable: bool = True
    approval: str = "manager"
    max_days: int | None = None
    risk: str = "low"
    privileged: bool = False
    status: str = "active"
    birthright_rule: str | None = None
    protected: bool = False
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class AssignmentRow(SQLModel, table=True):
    """A role or an entitlement held by an identity, with its validity and where it came from."""

    __tablename__ = "assignments"
    __table_args__ = (
        Index("ix_assignments_identity_status", "identity_id", "status"),
        Index("ix_assignments_status_until", "status", "valid_until"),
        CheckConstraint("(role_id IS NULL) <> (entitlement_id IS NULL)", name="ck_assignments_one_right"),
        Index("ix_assignments_source", "source_id", "source"),
    )

    id: str = Field(primary_key=True)
    identity_id: str = Field(foreign_key="identities.id")
    role_id: str | None = Field(default=None, foreign_key="roles.id", index=True)
    entitlement_id: str | None = Field(default=None, foreign_key="entitlements.id", index=True)
    source: str = "direct"
    source_id: str | None = None
    valid_from: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    valid_until: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    justification: str = ""
    granted_by: str | None = None
    status: str = "active"
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class AccessRequestRow(SQLModel, table=True):
    """A request for access: `items` are `{role_id or entitlement_id, action, valid_until}`."""

    __tablename__ = "access_requests"

    id: str = Field(primary_key=True)
    requester_id: str = Field(index=True)
    beneficiary_id: str = Field(index=True)
    items: list[dict[str, JsonValue]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    justification: str = ""
    status: str = Field(default="pending", index=True)
    comments: list[dict[str, JsonValue]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    version: int = 1
    created_at: datetime = Field(sa_column=_moment(index=True))
    updated_at: datetime = Field(sa_column=_moment())


class ApprovalRow(SQLModel, table=True):
    """One decision that a request waits for."""

    __tablename__ = "approvals"

    id: str = Field(primary_key=True)
    request_id: str = Field(foreign_key="access_requests.id", index=True)
    step: int = 1
    role_id: str | None = Field(default=None, description="the role whose owner decides; None: the whole request")
    entitlement_id: str | None = Field(default=None, description="the entitlement whose owner decides")
    approver_id: str = Field(index=True)
    status: str = "open"
    due_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    decided_by: str | None = None
    decided_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    comment: str = ""
    escalated_from: str | None = Field(default=None, description="who passed the decision on")
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class SessionRow(SQLModel, table=True):
    """A signed-in period; of the token only its SHA-256 is kept."""

    __tablename__ = "sessions"

    id: str = Field(primary_key=True)
    token_hash: bytes = Field(sa_column=Column(LargeBinary(32), nullable=False, unique=True))
    csrf_token: str
    identity_id: str = Field(foreign_key="identities.id", index=True)
    ip: str | None = None
    user_agent: str | None = None
    methods: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_column=_moment())
    last_seen_at: datetime = Field(sa_column=_moment())
    expires_at: datetime = Field(sa_column=_moment())
    confirmed_at: datetime | None = Field(
        default=None, sa_column=_moment(nullable=True), description="when the person last entered its password again"
    )
    ended_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))


class SignInAttemptRow(SQLModel, table=True):
    """Failed sign-ins, counted by folded name and by address within a window."""

    __tablename__ = "sign_in_attempts"

    id: int | None = Field(default=None, primary_key=True)
    subject: str = Field(index=True, description="'name:<hash of the folded name>' or 'ip:<address>'")
    at: datetime = Field(sa_column=_moment(index=True))


class ExportRow(SQLModel, table=True):
    """A stored extract of a list; the file lies in `content` until it expires."""

    __tablename__ = "exports"

    id: str = Field(primary_key=True)
    resource: str
    query: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    format: str = "csv"
    rows: int = 0
    sha256: str = ""
    content: bytes = Field(default=b"", sa_column=Column(LargeBinary, nullable=False))
    status: str = "ready"
    created_by: str = Field(index=True)
    reach: list[str] | None = Field(
        default=None,
        sa_column=Column(JSON(none_as_null=True)),
        description="whose data the maker could read; NULL: all",
    )
    record_ids: list[str] | None = Field(
        default=None,
        sa_column=Column(JSON(none_as_null=True)),
        description="which records it holds; NULL: made by somebody who reads everything",
    )
    job_id: str | None = None
    origin: str = "interface"
    created_at: datetime = Field(sa_column=_moment())
    expires_at: datetime = Field(sa_column=_moment())


class IdempotencyRow(SQLModel, table=True):
    """The answer to a `POST` that carried an `Idempotency-Key`."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (UniqueConstraint("identity_id", "key"),)

    id: int | None = Field(default=None, primary_key=True)
    identity_id: str
    key: str
    request_digest: str
    status: int
    body: JsonValue = Field(default=None, sa_column=Column(JSON))
    created_at: datetime = Field(sa_column=_moment())


class AuditEntryRow(SQLModel, table=True):
    """One line of the audit log; names are copied in, so that it is readable after its target is gone.

    `via` is computed from the details, so that the filter follows exactly the mark (rule F2).
    """

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index("ix_audit_time", "time", "seq"),
        Index("ix_audit_actor", "actor_id", "time", "seq"),
        Index("ix_audit_action", "action", "time", "seq"),
        Index("ix_audit_target", "target_id", "time", "seq"),
        Index("ix_audit_request", "request_id"),
        *(
            Index(name, *columns, sqlite_where=text("via IS NOT NULL"), postgresql_where=text("via IS NOT NULL"))
            for name, *columns in (
                ("ix_audit_via", "via", "time", "seq"),
                ("ix_audit_chat_time", "time", "seq"),
                ("ix_audit_chat_actor", "actor_id", "time", "seq"),
                ("ix_audit_chat_action", "action", "time", "seq"),
            )
        ),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(unique=True)
    time: datetime = Field(sa_column=_moment())
    action: str
    outcome: str = "success"
    actor_type: str = "identity"
    actor_id: str | None = None
    actor_display: str = ""
    target_type: str | None = None
    target_id: str | None = None
    target_display: str = ""
    details: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    search_text: str = Field(default="", description="folded names and ids for `q`")
    via: str | None = Field(default=None, sa_column=Column(String, Computed("details ->> 'via'", persisted=None)))
    request_id: str | None = None
    caused_by: str | None = None
    ip: str | None = None
    session_id: str | None = None
    prev_hash: str | None = Field(default=None, description="of the entry before; NULL: older than the chain (rule F5)")
    hash: str | None = None


class AuditChainRow(SQLModel, table=True):
    """How long the chain of entries is and where it ends; locked by whoever adds to it."""

    __tablename__ = "audit_chain"

    id: str = Field(primary_key=True)
    length: int = 0
    begins_after_seq: int = 0
    end_seq: int = 0
    end_hash: str = ""


def _fill_search_text(
    _mapper: Mapper[SQLModel], _connection: Connection, row: IdentityRow | RoleRow | ApplicationRow | EntitlementRow
) -> None:
    """Keep `search_text` true whoever adds a row; statements that update one set it themselves."""
    if isinstance(row, IdentityRow):
        mails = [value for email in row.emails if isinstance(value := email.get("value"), str)]
        row.search_text = searchable(row.display_name, row.user_name, *mails)
    elif isinstance(row, EntitlementRow):
        row.search_text = searchable(row.display_name, row.native_name, row.description)
    else:
        row.search_text = searchable(row.display_name, row.key, row.description)


def _begin_chain(table: Table, connection: Connection, **_options: object) -> None:
    """Give a new table the one row that every transaction locks; in a migrated database the migration did."""
    connection.execute(table.insert().values(id=CHAIN_ID, length=0, begins_after_seq=0, end_seq=0, end_hash=""))


event.listen(SQLModel.metadata.tables["audit_chain"], "after_create", _begin_chain)
for _table in (IdentityRow, RoleRow, ApplicationRow, EntitlementRow):
    event.listen(_table, "before_insert", _fill_search_text)
