"""What signing in rests on beside the password: the policy, old passwords, second factors, sign-ins under way."""

from datetime import datetime

from sqlalchemy import JSON, Column, LargeBinary
from sqlmodel import Field, SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime


def _moment(*, nullable: bool = False, index: bool = False) -> Column[datetime]:
    return Column(UtcDateTime(), nullable=nullable, index=index)


class SignInPolicyRow(SQLModel, table=True):
    """The one sign-in policy, once somebody has stored one; the session's times stand alone for each request."""

    __tablename__ = "sign_in_policies"

    id: str = Field(primary_key=True)
    rules: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    idle_minutes: int
    max_hours: int
    version: int = 2
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class OldPasswordRow(SQLModel, table=True):
    """The hash of a password that an identity had before."""

    __tablename__ = "old_passwords"

    id: int | None = Field(default=None, primary_key=True)
    identity_id: str = Field(foreign_key="identities.id", index=True)
    password_hash: str
    replaced_at: datetime = Field(sa_column=_moment())


class TotpFactorRow(SQLModel, table=True):
    """An authenticator app; counts once it is confirmed. `seed` is sealed, `last_step` is the last code's number."""

    __tablename__ = "totp_factors"

    id: str = Field(primary_key=True)
    identity_id: str = Field(foreign_key="identities.id", index=True)
    seed: str
    attempts: int = 0
    last_step: int | None = None
    confirmed_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    created_at: datetime = Field(sa_column=_moment())


class RecoveryCodeRow(SQLModel, table=True):
    """A code that replaces the authenticator app once; it has 80 random bits, so a plain hash is enough."""

    __tablename__ = "recovery_codes"

    id: int | None = Field(default=None, primary_key=True)
    identity_id: str = Field(foreign_key="identities.id", index=True)
    code_hash: str
    used_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    created_at: datetime = Field(sa_column=_moment())


class PendingSignInRow(SQLModel, table=True):
    """A sign-in whose password was right and that still needs a step; of its token only a hash is kept."""

    __tablename__ = "pending_sign_ins"

    id: str = Field(primary_key=True)
    token_hash: bytes = Field(sa_column=Column(LargeBinary(32), nullable=False, unique=True))
    identity_id: str = Field(foreign_key="identities.id", index=True)
    password_hash: str = Field(description="the one that was right: another one ends the sign-in")
    methods: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    attempts: int = 0
    created_at: datetime = Field(sa_column=_moment())
    expires_at: datetime = Field(sa_column=_moment(index=True))
