"""How Nova reaches an application: the settings of its connection, and its secrets, sealed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime
from storage.encryption import Place

# The one secret of each kind of connection; the column is called as the field is.
SECRET_OF: Final[Mapping[str, str]] = {"oidc": "client_secret", "scim": "bearer_token", "ldap": "bind_password"}


def _moment(*, nullable: bool = False) -> Column[datetime]:
    return Column(UtcDateTime(), nullable=nullable)


class ConnectionRow(SQLModel, table=True):
    """The connection of one application, whose id it bears; without a row there is none.

    `settings` hold what is no secret. Of the secrets at most the one of this kind is set (rule D5).
    """

    __tablename__ = "connections"

    id: str = Field(primary_key=True, foreign_key="applications.id")
    kind: str = "none"
    settings: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    client_secret: str | None = None
    bearer_token: str | None = None
    bind_password: str | None = None
    secret_set_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    rotated_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    test_state: str = "untested"
    tested_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    test_code: str | None = None
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


def secret_place(column: str, application_id: str) -> Place:
    """Return where a secret of a connection lives.

    The table is that of the application to which it belongs: secrets that were sealed when they still stood there
    open unchanged, and none opens for another application or as another secret.
    """
    return Place(table="applications", column=column, row_id=application_id)
