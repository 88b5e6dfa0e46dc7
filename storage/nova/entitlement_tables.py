"""Entitlements, and which of them and which other roles a role bundles."""

from datetime import datetime

from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from storage.columns import UtcDateTime


def _moment() -> Column[datetime]:
    return Column(UtcDateTime(), nullable=False)


class EntitlementRow(SQLModel, table=True):
    """One right inside one application; `native_key` is its name there, folded, to be unique within it."""

    __tablename__ = "entitlements"
    __table_args__ = (UniqueConstraint("application_id", "native_key"),)

    id: str = Field(primary_key=True)
    application_id: str = Field(foreign_key="applications.id")
    native_name: str
    native_key: str
    display_name: str
    description: str = ""
    search_text: str = Field(default="", description="folded texts for `q`; filled when written")
    owner_ids: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    requestable: bool = False
    privileged: bool = False
    risk: str = "low"
    status: str = "managed"
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class RoleEntitlementRow(SQLModel, table=True):
    """A role gives this entitlement to whoever holds it."""

    __tablename__ = "role_entitlements"

    role_id: str = Field(primary_key=True, foreign_key="roles.id")
    entitlement_id: str = Field(primary_key=True, foreign_key="entitlements.id", index=True)


class RoleChildRow(SQLModel, table=True):
    """A role gives all that another role gives."""

    __tablename__ = "role_children"

    role_id: str = Field(primary_key=True, foreign_key="roles.id")
    child_role_id: str = Field(primary_key=True, foreign_key="roles.id", index=True)
