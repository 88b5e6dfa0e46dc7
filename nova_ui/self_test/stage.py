"""A whole Nova of its own in a folder that is thrown away: the only data that an attack can reach.

Nothing here takes a database, a door or a session from outside: what is built gets its address from a folder that is
made here, by settings that read no environment. The assistant comes as a value, and so does the model.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Protocol

from fastapi import FastAPI

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.clock import Clock
from nova_ui.guardrails.marks import Marks, read_marks
from nova_ui.llm.registry import ModelRegistry
from nova_ui.nova.services import NovaServices
from nova_ui.self_test.organisation import Cast, cast_for, rows
from nova_ui.self_test.scripted import StageModel
from nova_ui.self_test.subject import Subject
from nova_ui.self_test.watcher import Watcher
from nova_ui.services import Services
from nova_ui.settings import Settings
from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.encryption import Encryption

_TEMPLATE: Final = "template.sqlite3"
_UNHINDERED: Final = 6_000  # attacks come faster than people type, and the clock stands still
_BESIDE: Final = ("", "-wal", "-shm")


class StageClock:
    """A clock that only attacks move."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        """Return the moment, in UTC."""
        return self.moment

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self.moment += by


class StageParts(Protocol):
    """What is built: the same parts, put together in the same way, as those of the server."""

    @property
    def database(self) -> Database:
        """The stage's own database."""

    @property
    def encryption(self) -> Encryption:
        """The stage's own keys."""

    @property
    def api(self) -> FastAPI:
        """Nova's API with the chat."""

    @property
    def nova(self) -> NovaServices:
        """Nova itself."""

    @property
    def services(self) -> Services:
        """What pages may ask for."""


class BuildStage(Protocol):
    """Builds all parts of a server by settings, a clock and the models that answer; opens and reads nothing else."""

    def __call__(self, settings: Settings, *, clock: Clock, models: ModelRegistry) -> StageParts:
        """Return the parts; nothing runs yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The stage between attacks; `renew` puts everything back to how it was at the beginning."""

    subject: Subject
    parts: StageParts
    model: StageModel
    clock: StageClock
    watcher: Watcher
    cast: Cast
    marks: Marks
    folder: Path
    began: datetime

    async def renew(self) -> None:
        """Forget what the attack before has done."""
        await self.parts.database.close()
        for ending in _BESIDE:
            (self.folder / f"nova.sqlite3{ending}").unlink(missing_ok=True)
        shutil.copyfile(self.folder / _TEMPLATE, self.folder / "nova.sqlite3")
        self.model.use(None)
        self.model.forget()
        self.watcher.forget()
        self.clock.moment = self.began


def staged(assistant: Assistant) -> Assistant:
    """Return the assistant as it stands on the stage: on, and answered by the stage's model."""
    return replace(assistant, enabled=True, model=None, fall_back=())


@asynccontextmanager
async def open_stage(subject: Subject, build: BuildStage, now: Callable[[], datetime]) -> AsyncIterator[Stage]:
    """Build the stage in a folder of its own, and throw both away afterwards."""
    with TemporaryDirectory(prefix="nova-self-test-", ignore_cleanup_errors=True) as name:
        folder, clock, model, began = Path(name), StageClock(now()), StageModel(), now()
        # Neither the environment nor a file is asked: whatever the live server's settings are, these are others.
        settings = Settings.model_construct(
            data_dir=folder, session_idle_minutes=1440, session_max_hours=720, messages_per_minute=_UNHINDERED
        )
        registry = ModelRegistry(model, clock=clock)
        parts = await asyncio.to_thread(build, settings, clock=clock, models=registry)  # takes a second
        watcher = Watcher()
        parts.api.add_middleware(watcher.around)
        stage = Stage(
            subject=subject,
            parts=parts,
            model=model,
            clock=clock,
            watcher=watcher,
            cast=cast_for(subject.assistant),
            marks=read_marks(parts.api.openapi()),
            folder=folder,
            began=began,
        )
        try:
            await _furnish(stage)
            yield stage
        finally:
            await parts.services.live_turns.shut_down()
            await parts.nova.background.runner.shut_down()
            await parts.database.close()


async def _furnish(stage: Stage) -> None:
    database = stage.parts.database
    await database.migrate()
    async with database.transaction() as session:
        for row in rows(stage.cast, stage.began):
            session.add(row)
            await session.flush()
        await AssistantStore(session).save(staged(stage.subject.assistant), stage.began)
    await database.close()
    shutil.copyfile(stage.folder / "nova.sqlite3", stage.folder / _TEMPLATE)
