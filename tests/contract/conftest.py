"""The stage: built and filled once, put back for every test."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contract.stage import Stage, build_stage, fill


@pytest.fixture(scope="session")
def built_stage(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    stage = build_stage(tmp_path_factory.mktemp("stage"), sqlite_template)
    asyncio.run(fill(stage))
    return stage


@pytest.fixture
async def stage(built_stage: Stage) -> AsyncIterator[Stage]:
    """The stage as it was set up; its connections end with the test's event loop."""
    built_stage.reset()
    watch = built_stage.parts.nova.ai_configuration.watch
    watch.forget()
    await watch.refresh()
    yield built_stage
    await built_stage.parts.database.close()
