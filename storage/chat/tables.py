"""Tables of assistants, chats, turns with their events, previews and message counters."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, Column, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.columns import UtcDateTime


def _moment(*, nullable: bool = False, index: bool = False) -> Column[datetime]:
    return Column(UtcDateTime(), nullable=nullable, index=index)


class AssistantRow(SQLModel, table=True):
    """A configured assistant; `all_tools` and `audience` are bound to each other by a check (rule B3)."""

    __tablename__ = "assistants"

    key: str = Field(primary_key=True)
    names: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    descriptions: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    prompt: str = ""
    starters: dict[str, list[str]] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    all_tools: bool = False
    tool_names: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    audience: str = "administrators"
    audience_roles: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    audience_group_ids: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    model: str | None = None
    fall_back: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    temperature: float | None = None
    icon: str = ""
    button_only: bool = False
    type_name_for: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    ask_before_changes: bool = False
    enabled: bool = True
    position: int = 100
    version: int = 1
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class ChatRow(SQLModel, table=True):
    """One stored conversation."""

    __tablename__ = "chats"
    __table_args__ = (Index("ix_chats_owner", "owner_id", "updated_at", "id"),)

    id: str = Field(primary_key=True)
    owner_id: str
    assistant_key: str
    title: str = ""
    title_key: str = Field(default="", description="the folded title, for the search")
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())


class MessageCounterRow(SQLModel, table=True):
    """How many messages an identity has sent to an assistant; nothing resets it (rule C4)."""

    __tablename__ = "message_counters"

    identity_id: str = Field(primary_key=True)
    assistant_key: str = Field(primary_key=True)
    number: int = 0


class MessageRateRow(SQLModel, table=True):
    """From when on an identity may again send as many messages at once as anybody; deleting chats changes nothing."""

    __tablename__ = "message_rates"

    identity_id: str = Field(primary_key=True)
    whole_at_ms: int = Field(sa_column=Column(BigInteger, nullable=False), description="milliseconds since 1970, UTC")


class TurnRow(SQLModel, table=True):
    """One turn. At most one runs per identity and assistant: the partial unique index says so to every process."""

    __tablename__ = "turns"
    __table_args__ = (
        Index("ix_turns_chat", "chat_id", "number"),
        Index(
            "ux_turns_running",
            "identity_id",
            "assistant_key",
            unique=True,
            sqlite_where=text("state = 'running'"),
            postgresql_where=text("state = 'running'"),
        ),
        UniqueConstraint("identity_id", "idempotency_key"),
    )

    id: str = Field(primary_key=True)
    chat_id: str
    identity_id: str
    assistant_key: str
    number: int
    message: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    search_text: str = ""
    state: str = "running"
    steps: list[dict[str, JsonValue]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    notices: list[dict[str, JsonValue]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    model: str | None = None
    usage: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    idempotency_key: str | None = None
    request_digest: str = ""
    language: str = "en"
    worker: str = ""
    heartbeat_at: datetime = Field(sa_column=_moment())
    stop_requested: bool = False
    started_at: datetime = Field(sa_column=_moment())
    finished_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))


class TurnEventRow(SQLModel, table=True):
    """One event of a turn, kept so that it can be followed again."""

    __tablename__ = "turn_events"

    turn_id: str = Field(primary_key=True)
    id: int = Field(primary_key=True)
    name: str
    data: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class PreviewRow(SQLModel, table=True):
    """A destructive call that waits; used up by one conditional write (rule C10)."""

    __tablename__ = "previews"
    __table_args__ = (Index("ix_previews_open", "identity_id", "assistant_key", "closed"),)

    id: str = Field(primary_key=True)
    identity_id: str
    assistant_key: str
    chat_id: str = Field(index=True)
    turn_id: str
    turn_number: int
    call_id: str
    tool_name: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    canonical: str
    digest: str
    shown: dict[str, JsonValue] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    shown_digest: str
    shown_at: datetime = Field(sa_column=_moment())
    button_only: bool = False
    name_to_type: str | None = None
    by_person: bool = False
    closed: str | None = None
    consumed_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    consumed_by: str | None = Field(default=None, index=True)
    outcome: str | None = None
