"""How a running turn stands: whether it is to go on, and its assistant as of now, in one statement."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, exists, literal_column, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.chat import TurnId, TurnState
from storage.chat.assistants import stored_assistant

_ASSISTANT_TABLE: Final = SQLModel.metadata.tables["assistants"]
_TURNS: Final = SQLModel.metadata.tables["turns"].c

# Written once: a turn asks before each of its calls. The one row that stands before the join is there with or without
# an assistant.
_ONE: Final = select(literal_column("1").label("one")).subquery("one")
_STANDING: Final = select(
    exists()
    .where(
        _TURNS.id == bindparam("turn_id"),
        _TURNS.worker == bindparam("worker"),
        _TURNS.state == TurnState.RUNNING.value,
        _TURNS.stop_requested.is_(False),
    )
    .label("goes_on"),
    _ASSISTANT_TABLE,
).select_from(_ONE.join(_ASSISTANT_TABLE, _ASSISTANT_TABLE.c.key == bindparam("assistant_key"), isouter=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a turn stands; `goes_on` is whether it still runs, is still the worker's, and nobody has asked to stop it."""

    goes_on: bool
    assistant: Assistant | None


async def find_standing(
    connection: AsyncConnection, turn_id: TurnId, worker: str, assistant_key: AssistantKey
) -> Standing:
    """Return how the turn stands that `worker` runs."""
    values = {"turn_id": turn_id, "worker": worker, "assistant_key": assistant_key}
    row = (await connection.execute(_STANDING, values)).one()
    stored = stored_assistant(assistant_key, None if row.key is None else row)
    return Standing(goes_on=bool(row.goes_on), assistant=None if stored is None else stored.assistant)
