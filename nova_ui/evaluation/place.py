"""A throw-away organisation to try a model on: the product itself over a database of its own, soon put back."""

import shutil
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from nova_ui.bootstrap import Parts, build_parts
from nova_ui.domain.assistant import ADMIN_CHAT_KEY, Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.domain.identity import Caller, Identity, Language, SessionId
from nova_ui.llm.profiles import KeyedProfile
from nova_ui.nova.sample_organisation import load, sample_id
from nova_ui.nova.sample_organisation.people import make_people
from nova_ui.nova.sample_organisation.requests import SampleRequest, make_requests
from nova_ui.nova_client.client import NovaDoor
from nova_ui.settings import Settings
from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.key_file import load_or_create
from storage.nova.tables import AccessRequestRow, ApprovalRow, IdentityRow, SessionRow

NOW: Final = datetime(2026, 3, 18, 9, 30, tzinfo=UTC)  # a Wednesday; what the sets say of days is meant from here
WHO: Final = "mara.koenig"  # an administrator
EVALUATION_KEY: Final = AssistantKey("evaluation")
_DEVICES: Final = {"here": "Firefox on Linux", "iphone": "Safari on iPhone", "ipad": "Safari on iPad"}
_OWN_REQUESTS: Final = ("crm-editor", "code-reader")
_TO_DECIDE: Final = {"greta.lorenz": "crm-editor", "peter.maier": "warehouse-analyst"}  # both report to WHO
_SESSION: Final = SessionId(sample_id("ses", "here"))
_AT_ONCE: Final = 6000  # the clock stands, so all messages come within one minute
_FILE: Final = "nova.sqlite3"
_TEMPLATE: Final = "template.sqlite3"


class StandingClock:
    """Stands still, so that every run sees the same organisation."""

    def now(self) -> datetime:
        """Return the moment of all evaluations."""
        return NOW


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """The model to try: a stored profile (one of its models by `name`), an address of its own, or the built-in one."""

    name: str = "built-in"
    keyed: KeyedProfile | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None
    model: str | None = None


@dataclass(slots=True)
class Place:
    """The organisation, and whoever asks in it."""

    parts: Parts
    caller: Caller
    assistant: AssistantKey
    path: Path
    template: Path
    language: Language = Language.ENGLISH

    @property
    def identity(self) -> Identity:
        """Whoever asks."""
        return self.caller.identity

    @property
    def door(self) -> NovaDoor:
        """The way to the endpoints."""
        return NovaDoor(self.parts.api)

    async def put_back(self) -> None:
        """Put everything back as it was at the beginning, once nothing writes any more."""
        await self.parts.nova.ai_routine_runs.settle()
        await self.parts.background.settle()
        _copy(self.template, self.path)
        self.language = Language.ENGLISH

    async def speak(self, language: Language) -> None:
        """Let whoever asks prefer `language`, in which Nova then names what has a name in both."""
        if language is not self.language:
            async with self.parts.database.transaction() as session:
                person = await session.get_one(IdentityRow, self.identity.id)
                person.preferred_language = language.value
            self.language = language

    async def close(self) -> None:
        """Let go of everything."""
        await self.parts.background.settle()
        await self.parts.services.live_turns.shut_down()
        await self.parts.services.models.aclose()
        await self.parts.database.close()


async def make_template(folder: Path, tools: Collection[str] | None = None) -> None:
    """Fill a folder with an organisation of its own; with `tools` it has an assistant of just these."""
    _make(folder)
    settings = _settings(folder, ModelChoice())
    database = Database(settings.database_address)
    await database.migrate()
    await load(database, StandingClock(), load_or_create(settings.key_path), _no_hash, "")
    async with database.transaction() as session:
        session.add_all(_sessions())
        for rows in _requests():
            session.add_all(rows)
            await session.flush()
        if tools is not None:
            await AssistantStore(session).save(_assistant(tools), NOW)
    await database.close()


async def open_place(folder: Path, template: Path, choice: ModelChoice, assistant: AssistantKey) -> Place:
    """Open a copy of a template, with the model that is to be tried behind every assistant."""
    _make(folder)
    shutil.copy(template / "keys.json", folder / "keys.json")
    for name in (_FILE, _TEMPLATE):
        _copy(template / _FILE, folder / name)
    parts = build_parts(_settings(folder, choice), clock=StandingClock())
    if choice.keyed is not None:
        parts.services.models.use([choice.keyed], choice.name)
    identity = await parts.auth.sessions.identity_of(_SESSION)
    if identity is None:
        raise LookupError(WHO)
    return Place(
        parts=parts,
        caller=Caller(identity=identity, session_id=_SESSION),
        assistant=assistant,
        path=folder / _FILE,
        template=folder / _TEMPLATE,
    )


def assistant_for(tools: Collection[str] | None) -> AssistantKey:
    """Return the assistant that is asked: the one with all tools, or the one of the template."""
    return ADMIN_CHAT_KEY if tools is None else EVALUATION_KEY


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target)) as written:
        read.backup(written)


def _settings(folder: Path, choice: ModelChoice) -> Settings:
    """Return settings that name nothing but the folder and the model, whatever the environment says."""
    return Settings(
        data_dir=folder,
        database_url=None,
        key_file=None,
        demo=False,
        demo_password=None,
        ai_base_url=choice.base_url,
        ai_api_key=choice.api_key,
        ai_model=choice.model,
        allow_private_addresses=False,
        messages_per_minute=_AT_ONCE,
    )


def _assistant(tools: Collection[str]) -> Assistant:
    return Assistant(
        key=EVALUATION_KEY,
        names={Language.ENGLISH: "Evaluation"},
        descriptions={},
        prompt="",
        tools=ToolList(names=frozenset(tools)),
        audience=Audience(kind=AudienceKind.ADMINISTRATORS),
    )


def _sessions() -> Sequence[SessionRow]:
    """Return the signed-in periods of whoever asks; nobody holds their tokens."""
    return [
        SessionRow(
            id=sample_id("ses", name),
            token_hash=sha256(name.encode()).digest(),
            csrf_token=name,
            identity_id=sample_id("idn", WHO),
            ip="192.0.2.7",
            user_agent=agent,
            methods=["pwd"],
            created_at=NOW - timedelta(minutes=5),
            last_seen_at=NOW,
            expires_at=NOW + timedelta(hours=9),
        )
        for name, agent in _DEVICES.items()
    ]


def _requests() -> tuple[list[AccessRequestRow], list[ApprovalRow]]:
    """Return what whoever asks has asked for, and what waits for its decision."""
    mine = [SampleRequest(by=WHO, role=role, why="Evaluation", days_ago=1) for role in _OWN_REQUESTS]
    others = [SampleRequest(by=name, role=role, why="Evaluation", days_ago=1) for name, role in _TO_DECIDE.items()]
    requests, approvals = make_requests(make_people(NOW, ""), NOW, [*mine, *others])
    for row, role in zip(requests, _OWN_REQUESTS, strict=False):
        row.id = sample_id("req", role)
    names = {one.id: one.by for one in others}
    for approval in approvals:
        if approval.request_id in names:
            approval.id = sample_id("apv", names[approval.request_id])
        else:
            approval.request_id = sample_id("req", next(one.role for one in mine if one.id == approval.request_id))
    return requests, approvals


async def _no_hash(_password: str) -> str:
    return "!"  # nobody signs in here
