"""Tables of the AI configuration and of the AI routine assistants with their runs."""

from datetime import datetime

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime
from storage.encryption import Place


class AiProfileRow(SQLModel, table=True):
    """One provider profile; `api_key` is sealed (rule D5), and for its address only."""

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
    version: int = 1
    created_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    updated_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))


class AiConfigurationRow(SQLModel, table=True):
    """The one row of what holds for all profiles; every change of anything raises `version`, which processes watch."""

    __tablename__ = "ai_configuration"

    id: str = Field(primary_key=True)
    default_profile: str | None = None
    version: int = 1
    created_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    updated_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))


def api_key_place(row: AiProfileRow) -> Place:
    """Return where a profile's key is sealed for: under another address, also in an edited row, it does not open."""
    return Place(table="ai_profiles", column="api_key", row_id=f"{row.id} {row.base_url}")
