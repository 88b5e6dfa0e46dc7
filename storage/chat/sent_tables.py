"""Tables of what models were sent: requests, and the parts that their bodies are made of."""

from datetime import datetime

from sqlalchemy import Column, LargeBinary
from sqlmodel import Field, SQLModel

from storage.columns import UtcDateTime


class SentRequestRow(SQLModel, table=True):
    """One request; `parts` names the parts of its chat, in order, as ranges of their numbers: `0-12,15`."""

    __tablename__ = "sent_requests"

    turn_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    chat_id: str = Field(index=True)
    step: int
    sent_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    profile: str
    wire: str
    model: str
    mode: str
    host: str
    path: str
    words_only: bool = False
    left_out: int = 0
    size_bytes: int
    sha256: str
    parts: str = ""
    outcome: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0


class SentPartRow(SQLModel, table=True):
    """A part of bodies, kept once for its chat; deflated where that makes it smaller."""

    __tablename__ = "sent_parts"

    chat_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    digest: bytes = Field(sa_column=Column(LargeBinary(), nullable=False))
    is_deflated: bool = False
    content: bytes = Field(sa_column=Column(LargeBinary(), nullable=False))
