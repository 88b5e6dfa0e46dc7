"""Tables of the budget for models and of what was used, which no chat's end takes along (rule E6)."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, Column, Index
from sqlmodel import Field, SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime


def _counter() -> Column[int]:
    return Column(BigInteger(), nullable=False, server_default="0")


class AiBudgetRow(SQLModel, table=True):
    """The one row of what is set: currency, time zone, prices and limits; without it there is no budget."""

    __tablename__ = "ai_budget"

    id: str = Field(primary_key=True)
    settings: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    version: int = 1
    created_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    updated_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))


class AiUsageRow(SQLModel, table=True):
    """What one identity used on one day, by assistant (`kind` chat or routine), profile and model; no content.

    `reserved_…` belong to requests under way. What a process reserved that died stays: it may have been spent.
    """

    __tablename__ = "ai_usage"
    __table_args__ = (Index("ix_ai_usage_identity", "identity_id", "day"),)

    day: str = Field(primary_key=True, description="ISO date in the time zone of the budget when it was used")
    identity_id: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    assistant_key: str = Field(primary_key=True)
    profile: str = Field(primary_key=True, description="empty where no model was asked")
    model: str = Field(primary_key=True)
    messages: int = Field(default=0, sa_column=_counter())
    requests: int = Field(default=0, sa_column=_counter())
    estimated: int = Field(default=0, sa_column=_counter())
    input_tokens: int = Field(default=0, sa_column=_counter())
    output_tokens: int = Field(default=0, sa_column=_counter())
    cost_micros: int = Field(default=0, sa_column=_counter())
    reserved_tokens: int = Field(default=0, sa_column=_counter())
    reserved_micros: int = Field(default=0, sa_column=_counter())
