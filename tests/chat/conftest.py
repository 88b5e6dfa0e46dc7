"""The engine's world on each kind of database."""

from collections.abc import AsyncIterator

import pytest

from storage.database import Database
from tests.chat.world import World


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    made = World(database)
    await made.add_usual_assistants()
    yield made
    await made.live.shut_down()
