"""How a run of an AI routine assistant ends: noted, its session over, its answer delivered, in one transaction."""

from typing import Final

from sqlmodel import col, select

from nova_ui.domain.ai_routine import RunResult, RunState
from nova_ui.domain.identity import SessionId
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.nova.ai_routine_views import name_of
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.writing import Write
from storage.nova import sessions as stored_sessions
from storage.nova.ai_tables import AiRoutineRow, AiRoutineRunRow
from storage.nova.sessions import ACTIVE
from storage.nova.tables import IdentityRow

RUN_PATH: Final = "/ai-routine-runs"
MAX_TOLD_CHARS: Final = 4_000


async def end_run(write: Write, run: AiRoutineRunRow, result: RunResult) -> None:
    """Note what a run has come to, end its session and tell whoever is to know."""
    languages = await _recipients(write, run)
    run.status = result.state.value
    run.answer = result.answer
    run.notices = [{"code": one.code, "params": dict(one.params)} for one in result.notices]
    run.calls = _calls_of(result)
    run.model = result.model
    run.usage = dict(result.usage)
    run.delivered_to = list(languages)
    run.finished_at = write.now
    write.session.add(run)
    await write.session.flush()
    if run.session_id is not None:
        await stored_sessions.end(write.session, SessionId(run.session_id), write.now)
    for language in sorted(set(languages.values())):
        told = [one for one, spoken in languages.items() if spoken == language]
        await notify(write, told, _notice(run, result, language))


async def _recipients(write: Write, run: AiRoutineRunRow) -> dict[str, str]:
    """Return who of those named now is still active, with their language; who left gets nothing any more."""
    routine = await write.session.get(AiRoutineRow, run.routine_id)
    named = [] if routine is None else routine.deliver_to
    active = select(IdentityRow.id, IdentityRow.preferred_language).where(
        col(IdentityRow.id).in_(named), col(IdentityRow.status) == ACTIVE
    )
    present = {found: language[:2] for found, language in (await write.session.exec(active)).all()}
    return {one: present[one] for one in named if one in present}


def _notice(run: AiRoutineRunRow, result: RunResult, language: str) -> Notice:
    values = {"routine": run.names.get(language) or name_of(run.names, run.routine_key)}
    link = f"{RUN_PATH}/{run.id}"
    if result.state is RunState.DONE:
        told = result.answer if len(result.answer) <= MAX_TOLD_CHARS else f"{result.answer[: MAX_TOLD_CHARS - 1]}…"
        return Notice(kind=NoticeKind.AI_ROUTINE_ANSWER, values={**values, "answer": told}, link=link)
    return Notice(kind=NoticeKind.AI_ROUTINE_FAILED, values=values, link=link)


def _calls_of(result: RunResult) -> list[JsonObject]:
    """Return the calls without their results: what was read stays with whose rights it was read by."""
    calls: list[JsonObject] = []
    for step in result.steps:
        for call in step.calls:
            kind: JsonValue = None if call.kind is None else call.kind.value
            calls.append(
                {
                    "name": call.tool_name,
                    "kind": kind,
                    "arguments": call.arguments,
                    "status": call.status.value,
                    "code": call.code,
                }
            )
    return calls
