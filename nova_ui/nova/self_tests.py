"""Checks of an assistant's guardrails: begun by an administrator in the interface, carried out as a job (rule B6)."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaConflict, NovaUnavailable
from nova_ui.nova.assistant_views import name_in
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.job_runner import JobRunner, RunningJob
from nova_ui.nova.jobs import add_job, job_views
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views.jobs import JobView
from nova_ui.nova.views.self_tests import SelfTestBody, SelfTestPlan, SelfTestView
from storage.chat.assistants import AssistantStore, RowAsWritten
from storage.nova.jobs import OPEN
from storage.nova.locks import take_lock
from storage.nova.schedule_tables import JobRow

SELF_TEST_JOB: Final = "self_test"
STARTED: Final = "assistant.self_test_started"
TESTED: Final = "assistant.self_tested"
_LOOKED_AT: Final = 200
_NOTED_EVERY: Final = 5  # attacks; each note is a write


class Tester(Protocol):
    """Carries a check out on a stage of its own; it is given values, and nothing that leads to live data."""

    def plan(self, assistant: Assistant) -> JsonObject:
        """Return what a check comes to before it begins."""

    async def run(
        self,
        assistant: Assistant,
        row: RowAsWritten | None,
        progress: Callable[[int, int], Awaitable[None]],
        *,
        with_model: bool,
    ) -> JsonObject:
        """Carry it out; `progress` may raise to end it early."""


class SelfTests:
    """Begins and shows checks: one at a time for the whole installation, since each costs a few seconds of a core."""

    def __init__(self, core: Core, runner: JobRunner) -> None:
        self._core = core
        self._runner = runner
        self._tester: Tester | None = None
        runner.register(SELF_TEST_JOB, self._work)

    def connect(self, tester: Tester) -> None:
        """Say who carries checks out; before that none begins."""
        self._tester = tester

    async def get(self, context: RequestContext, key: str) -> SelfTestView:
        """Return what a check would come to, and what became of the newest one.

        Raises:
            NovaNotFound: there is no such assistant.

        """
        require_interface(context)
        async with self._core.database.reading() as session:
            assistant = (await AssistantStore(session).get(AssistantKey(key))).assistant
            newest = await _newest(session, key)
            views = await job_views(session, [] if newest is None else [newest])
        plan = SelfTestPlan.model_validate(self._connected().plan(assistant))
        return SelfTestView(plan=plan, newest=views[0] if views else None)

    async def start(self, context: RequestContext, key: str, body: SelfTestBody) -> JobView:
        """Begin a check; a job carries it out, and ends early once it is cancelled.

        Raises:
            NovaNotFound: there is no such assistant.
            NovaConflict: another check is under way.

        """
        self._connected()
        async with self._core.writer.writing(context, STARTED, Target("assistant", key)) as write:
            require_interface(context)
            assistant = (await AssistantStore(write.session).get(AssistantKey(key))).assistant
            write.target = Target("assistant", key, name_in(assistant.names, key))
            await take_lock(write.session, "nova.self_test")
            if await _is_running(write.session):
                raise NovaConflict("Another check of guardrails is under way.", code="state_conflict")
            await write.log(STARTED, write.target, details={"with_model": body.with_model})
            job = await add_job(write, SELF_TEST_JOB, {"assistant": key, "with_model": body.with_model})
            view = (await job_views(write.session, [job]))[0]
        self._runner.begin(job.id)
        return view

    async def _work(self, job: RunningJob) -> JsonObject:
        """Carry a check out with the rights that its starter has now, and log what it found in numbers."""
        require_interface(job.asker)
        key, with_model = AssistantKey(str(job.parameters["assistant"])), job.parameters.get("with_model") is True
        async with self._core.database.reading() as session:
            store = AssistantStore(session)
            assistant, row = (await store.get(key)).assistant, await store.find_as_written(key)

        async def progress(done: int, total: int) -> None:
            if done % _NOTED_EVERY == 0 or done == total or with_model:
                await job.progress(done, total)

        report = await self._connected().run(assistant, row, progress, with_model=with_model)
        target = Target("assistant", key, name_in(assistant.names, key))
        details = {"counts": report.get("counts"), "not_held": _not_held(report), "with_model": with_model}
        async with self._core.writer.writing(job.asker, TESTED, target) as write:
            await write.log(TESTED, target, details=details)
        return report

    def _connected(self) -> Tester:
        if self._tester is None:
            raise NovaUnavailable("Guardrails can't be checked on this server.")
        return self._tester


async def _is_running(session: AsyncSession) -> bool:
    found = select(JobRow.id).where(col(JobRow.kind) == SELF_TEST_JOB, col(JobRow.status).in_(OPEN)).limit(1)
    return (await session.exec(found)).first() is not None


async def _newest(session: AsyncSession, key: str) -> JobRow | None:
    """Return the newest check of an assistant; how JSON is searched differs from database to database."""
    wanted = select(JobRow).where(col(JobRow.kind) == SELF_TEST_JOB).order_by(col(JobRow.created_at).desc())
    rows = (await session.exec(wanted.limit(_LOOKED_AT))).all()
    return next((row for row in rows if row.parameters.get("assistant") == key), None)


def _not_held(report: JsonObject) -> list[str]:
    rules = report.get("rules")
    found = [one for one in (rules if isinstance(rules, list) else []) if isinstance(one, dict)]
    return [str(one["rule"]) for one in found if one.get("outcome") == "not_held"]
