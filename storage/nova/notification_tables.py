"""What Nova tells its identities in the interface."""

from datetime import datetime

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field, SQLModel

from storage.columns import UtcDateTime


class NotificationRow(SQLModel, table=True):
    """One message to one identity; `kind` says what it is about and `values` fill its sentence."""

    __tablename__ = "notifications"
    __table_args__ = (Index("ix_notifications_identity_created", "identity_id", "created_at", "id"),)

    id: str = Field(primary_key=True)
    identity_id: str = Field(foreign_key="identities.id")
    kind: str
    values: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    link: str | None = Field(default=None, description="a path of the interface")
    read_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime(), nullable=True))
    created_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
