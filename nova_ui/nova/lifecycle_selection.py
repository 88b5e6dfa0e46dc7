"""Whom a routine concerns now, what it would do to each, and why: read only, for previews and runs alike."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.lifecycle import RoutineAction, RoutineType
from nova_ui.nova.assignment_status import is_held
from nova_ui.nova.list_filters import IDENTITIES, filtered
from storage.nova.lifecycle_tables import LifecycleRoutineRow, LifecycleStepRow
from storage.nova.names import roles_by_id
from storage.nova.tables import AssignmentRow, AuditEntryRow, IdentityRow

NOTICE: Final = "notice"
_MOVED_BY: Final = ("identity.updated", "ownership.transferred")
_MOVED_FIELDS: Final = frozenset({"department", "manager_id", "title"})
_IN_SERVICE: Final = ("active", "suspended", "staged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """One step: an action for an identity. `key` and `occasion` together happen once; `reason` has a `code`."""

    identity: IdentityRow
    action: str
    parameters: Mapping[str, JsonValue]
    occasion: str
    reason: Mapping[str, str]

    @property
    def key(self) -> str:
        """The action with what tells it from another of its kind."""
        told_apart = self.parameters.get("role_id") or self.parameters.get("group_id")
        return f"{self.action}:{told_apart}" if told_apart else self.action


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What a selection is made for: the routine, the moment, and the day where the routine lives."""

    session: AsyncSession
    routine: LifecycleRoutineRow
    now: datetime
    today: date
    condition: ColumnElement[bool]


async def propose(session: AsyncSession, routine: LifecycleRoutineRow, now: datetime) -> list[Proposed]:
    """Return every step that a run would take now, in order; what was done for the same reason is left out."""
    question = _Question(
        session=session,
        routine=routine,
        now=now,
        today=now.astimezone(ZoneInfo(routine.timezone)).date(),
        condition=await filtered(session, routine.condition, IDENTITIES),
    )
    steps = await _BY_TYPE[RoutineType(routine.type)](question)
    done = await _done(session, routine.id)
    return [step for step in steps if (step.identity.id, step.key, step.occasion) not in done]


async def _done(session: AsyncSession, routine_id: str) -> frozenset[tuple[str, str, str]]:
    found = select(LifecycleStepRow.identity_id, LifecycleStepRow.action, LifecycleStepRow.occasion).where(
        col(LifecycleStepRow.routine_id) == routine_id, col(LifecycleStepRow.occasion).is_not(None)
    )
    return frozenset((who, key, str(occasion)) for who, key, occasion in (await session.exec(found)).all())


async def _identities(question: _Question, *conditions: ColumnElement[bool]) -> Sequence[IdentityRow]:
    found = select(IdentityRow).where(question.condition, col(IdentityRow.protected).is_(False), *conditions)
    return (await question.session.exec(found.order_by(col(IdentityRow.user_name_key)))).all()


async def _joiners(question: _Question) -> list[Proposed]:
    rows = await _identities(question, col(IdentityRow.status) == "staged", col(IdentityRow.start_date).is_not(None))
    steps: list[Proposed] = []
    for row in rows:
        steps += _at_day(question, row, "start_date", date.fromisoformat(str(row.start_date)))
    return steps


async def _ends(question: _Question) -> list[Proposed]:
    rows = await _identities(question, col(IdentityRow.status).in_(_IN_SERVICE), col(IdentityRow.end_date).is_not(None))
    steps: list[Proposed] = []
    for row in rows:
        last_day = date.fromisoformat(str(row.end_date))
        # The last day is still worked; whoever leaves does so with its end, or later by the days of grace.
        due = last_day + timedelta(days=1 + question.routine.grace_days)
        steps += _at_day(question, row, "end_date", last_day, due)
    return steps


async def _inactive(question: _Question) -> list[Proposed]:
    days = timedelta(days=question.routine.inactive_days or 0)
    last = func.coalesce(col(IdentityRow.last_sign_in_at), col(IdentityRow.created_at))
    ahead = timedelta(days=max(question.routine.notice_days, default=0))
    rows = await _identities(question, col(IdentityRow.status) == "active", last <= question.now - days + ahead)
    steps: list[Proposed] = []
    for row in rows:
        seen = (row.last_sign_in_at or row.created_at).astimezone(ZoneInfo(question.routine.timezone)).date()
        code = "inactive" if row.last_sign_in_at else "never_signed_in"
        steps += _at_day(question, row, code, seen, seen + days)
    return steps


def _at_day(question: _Question, row: IdentityRow, code: str, day: date, due: date | None = None) -> Iterator[Proposed]:
    """Propose the actions once `due` has come, and before that the nearest notice."""
    due = due or day
    reason = {"code": code, "date": day.isoformat(), "due": due.isoformat()}
    if question.today >= due:
        yield from _actions(question, row, f"{code}:{day}", reason)
        return
    reached = [days for days in question.routine.notice_days if question.today >= due - timedelta(days=days)]
    if reached:
        yield _notice(question, row, f"{code}:{day}:{min(reached)}", reason)


async def _expiring(question: _Question) -> list[Proposed]:
    horizon = question.now + timedelta(days=max(question.routine.notice_days, default=0))
    ending = select(AssignmentRow).where(
        is_held(question.now), col(AssignmentRow.valid_until).is_not(None), col(AssignmentRow.valid_until) <= horizon
    )
    rows = (await question.session.exec(ending.order_by(col(AssignmentRow.valid_until), col(AssignmentRow.id)))).all()
    roles = await roles_by_id(question.session, (row.role_id for row in rows))
    holders = {
        row.id: row
        for row in await _identities(
            question,
            col(IdentityRow.status) == "active",
            col(IdentityRow.id).in_({row.identity_id for row in rows}),
        )
    }
    steps = []
    for row in rows:
        holder, end = holders.get(row.identity_id), row.valid_until
        reached = (
            []
            if end is None
            else [days for days in question.routine.notice_days if question.now >= end - timedelta(days=days)]
        )
        if holder is None or end is None or not reached:
            continue
        role = roles.get(row.role_id or "")
        reason = {
            "code": "expiring",
            "date": end.date().isoformat(),
            "role": role.display_name if role else "",
            "assignment_id": row.id,
        }
        steps.append(_notice(question, holder, f"expiring:{row.id}:{end.date()}:{min(reached)}", reason))
    return steps


async def _movers(question: _Question) -> list[Proposed]:
    latest: dict[str, tuple[AuditEntryRow, set[str]]] = {}
    for entry in await _entries(question, _MOVED_BY, question.now):
        changes = entry.details.get("changes")
        fields = (
            {str(one.get("field")) for one in changes if isinstance(one, dict)} if isinstance(changes, list) else set()
        )
        if entry.target_id and fields & _MOVED_FIELDS:
            seen = latest[entry.target_id][1] if entry.target_id in latest else set()
            latest[entry.target_id] = entry, seen | (fields & _MOVED_FIELDS)
    rows = await _identities(question, col(IdentityRow.status) == "active", col(IdentityRow.id).in_(latest.keys()))
    steps: list[Proposed] = []
    for row in rows:
        entry, fields = latest[row.id]
        reason = {"code": "moved", "date": entry.time.date().isoformat(), "fields": ", ".join(sorted(fields))}
        steps += _actions(question, row, f"moved:{entry.id}", reason)
    return steps


async def _leavers(question: _Question) -> list[Proposed]:
    until = question.now - timedelta(days=question.routine.grace_days)
    latest = {entry.target_id: entry for entry in await _entries(question, ("identity.disabled",), until)}
    rows = await _identities(question, col(IdentityRow.status) == "disabled", col(IdentityRow.id).in_(latest.keys()))
    steps: list[Proposed] = []
    for row in rows:
        entry = latest[row.id]
        reason = {"code": "disabled", "date": entry.time.date().isoformat()}
        steps += _actions(question, row, f"left:{entry.id}", reason)
    return steps


async def _entries(question: _Question, actions: Sequence[str], until: datetime) -> Sequence[AuditEntryRow]:
    """Return what was logged of identities since the routine counts, oldest first.

    The log is written in the transaction of the change, so that no change escapes, whatever way it came.
    """
    since = question.routine.counts_from or question.routine.created_at
    found = select(AuditEntryRow).where(
        col(AuditEntryRow.action).in_(actions),
        col(AuditEntryRow.outcome) == "success",
        col(AuditEntryRow.target_type) == "identity",
        col(AuditEntryRow.time) > since,
        col(AuditEntryRow.time) <= until,
    )
    return (await question.session.exec(found.order_by(col(AuditEntryRow.seq)))).all()


def _actions(question: _Question, row: IdentityRow, occasion: str, reason: Mapping[str, str]) -> Iterator[Proposed]:
    for stored in question.routine.actions:
        parameters = {name: value for name, value in stored.items() if name != "action" and value is not None}
        action = str(stored["action"])
        yield Proposed(identity=row, action=action, parameters=parameters, occasion=occasion, reason=reason)


def _notice(question: _Question, row: IdentityRow, occasion: str, reason: Mapping[str, str]) -> Proposed:
    """Propose to announce; to whom the routine's own notify says, else to the identity and its manager."""
    told = next((one for one in question.routine.actions if one["action"] == RoutineAction.NOTIFY), None)
    recipients: JsonValue = told["recipients"] if told else ["identity", "manager"]
    return Proposed(
        identity=row, action=NOTICE, parameters={"recipients": recipients}, occasion=occasion, reason=reason
    )


_BY_TYPE: Final[Mapping[RoutineType, Callable[[_Question], Awaitable[list[Proposed]]]]] = {
    RoutineType.JOINER: _joiners,
    RoutineType.MOVER: _movers,
    RoutineType.LEAVER: _leavers,
    RoutineType.INACTIVITY: _inactive,
    RoutineType.END_DATE: _ends,
    RoutineType.EXPIRING_ACCESS: _expiring,
}
