"""Tables of the AI configuration and of the AI routine assistants with their runs."""

import hashlib
import json
from datetime import datetime
from typing import Final

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime
from storage.encryption import Place


class AiProfileRow(SQLModel, table=True):
    """One provider profile; `api_key`, `headers` and `proxy_password` are sealed (rule D5), each for one way only.

    `headers` holds names and values as JSON, `header_names` the names alone.
    """

    __tablename__ = "ai_profiles"

    id: str = Field(primary_key=True)
    key: str = Field(unique=True)
    name: str
    kind: str
    base_url: str
    models: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    allow_private: bool = False
    api_key: str | None = None
    api_key_set_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime(), nullable=True))
    limits: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    parameters: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    header_names: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    headers: str | None = None
    proxy_url: str | None = None
    proxy_user: str | None = None
    proxy_password: str | None = None
    proxy_allow_private: bool = False
    ca_certificates: str | None = None
    declared_mode: str | None = None
    version: int = 1
    created_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    updated_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))


class AiConfigurationRow(SQLModel, table=True):
    """The one row of what holds for all profiles; every change of anything raises `version`, which processes watch."""

    __tablename__ = "ai_configuration"

    id: str = Field(primary_key=True)
    default_profile: str | None = None
    fall_back: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    fall_back_may_widen: bool = False
    version: int = 1
    created_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    updated_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))


SECRET_COLUMNS: Final = ("api_key", "headers", "proxy_password")


def secret_place(row: AiProfileRow, column: str) -> Place:
    """Return where a profile's secret is sealed for: on another way, also in an edited row, it does not open.

    The way is the address, the proxy before it and who vouches for both; that of the proxy's password ends there.
    """
    if column == "proxy_password":
        return Place(table="ai_profiles", column=column, row_id=f"{row.id} {password_way(row)}")
    way = row.base_url
    if row.proxy_url or row.ca_certificates:
        rest = json.dumps([row.proxy_url, row.ca_certificates]).encode()
        way = f"{way} {hashlib.sha256(rest).hexdigest()}"
    return Place(table="ai_profiles", column=column, row_id=f"{row.id} {way}")


def password_way(row: AiProfileRow) -> str:
    """Return where a proxy's password goes, and who vouches for a proxy over TLS."""
    way = row.proxy_url or ""
    if row.ca_certificates and way.lower().startswith("https:"):
        way = f"{way} {hashlib.sha256(row.ca_certificates.encode()).hexdigest()}"
    return way


def api_key_place(row: AiProfileRow) -> Place:
    """Return where a profile's key is sealed for."""
    return secret_place(row, "api_key")


class AiRoutineRow(SQLModel, table=True):
    """An AI routine assistant; `scheduled_since` is when its schedule began to count."""

    __tablename__ = "ai_routines"

    id: str = Field(primary_key=True)
    key: str = Field(unique=True)
    names: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    search_text: str = Field(default="", description="folded key and names for `q`; filled when written")
    prompt: str = ""
    model: str | None = None
    tool_names: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    schedule: str
    timezone: str = "UTC"
    acts_as: str = Field(index=True)
    deliver_to: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    read_only: bool = True
    enabled: bool = False
    scheduled_since: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    version: int = 1
    created_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    updated_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))


class AiRoutineRunRow(SQLModel, table=True):
    """One run; each moment of a routine has at most one, over all processes."""

    __tablename__ = "ai_routine_runs"
    __table_args__ = (UniqueConstraint("routine_id", "due_at"),)

    id: str = Field(primary_key=True)
    routine_id: str
    routine_key: str = Field(index=True)
    names: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    cause: str = "schedule"
    due_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    started_by: str | None = None
    acts_as: str
    session_id: str | None = None
    status: str = Field(default="running", index=True)
    answer: str = ""
    notices: list[dict[str, JsonValue]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    calls: list[dict[str, JsonValue]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    model: str | None = None
    usage: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    delivered_to: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    worker: str
    heartbeat_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    started_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False, index=True))
    finished_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime(), nullable=True))
