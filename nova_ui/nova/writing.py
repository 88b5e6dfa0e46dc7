"""One write: one transaction for the change and its audit entries, and an entry of its own when it is refused."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import IdentityId, SessionId
from nova_ui.errors import NovaConflict, NovaPreconditionFailed, NovaProblem
from nova_ui.nova.audit_trail import Target, entry, is_logged
from nova_ui.nova.context import RequestContext, Unattended
from nova_ui.reactive import Event
from storage.database import Database
from storage.nova.audit import append
from storage.nova.rows import Versioned, change_row


class _Undone(Exception):
    """Ends a write that is not kept."""


SessionsEnded = Event[frozenset[SessionId]]


@dataclass(slots=True, kw_only=True)
class Write:
    """A change that is under way; `target` is what a refusal would be logged about."""

    session: AsyncSession
    context: RequestContext | Unattended
    now: datetime
    target: Target
    ended_sessions: set[SessionId] = field(default_factory=set)
    notified: set[str] = field(default_factory=set)

    @property
    def asker(self) -> RequestContext:
        """The request of the person who asks.

        Raises:
            TypeError: nobody asks; a routine or the clock is at work.

        """
        if not isinstance(self.context, RequestContext):
            raise TypeError("nobody asks for this write")
        return self.context

    async def log(
        self, action: str, target: Target, *, details: Mapping[str, object] | None = None, caused_by: str | None = None
    ) -> str:
        """Add an audit entry to the transaction; return its id, for `caused_by` of what follows."""
        return await append(
            self.session, entry(self.context, self.now, action, target, details=details, caused_by=caused_by)
        )

    async def change(self, row: Versioned, values: dict[str, object], if_match: str | None = None) -> None:
        """Write `values` in the version that was read.

        Raises:
            NovaPreconditionFailed: somebody else was quicker, and `If-Match` was given.
            NovaConflict: somebody else was quicker.

        """
        if await change_row(self.session, row, values, self.now):
            return
        if if_match is not None:
            raise NovaPreconditionFailed("The object has changed meanwhile. Read it again.")
        raise NovaConflict("The object was changed at the same moment. Read it again.")

    def note_ended(self, sessions: Iterable[str]) -> None:
        """Remember sessions whose pages and turns end once this is committed."""
        self.ended_sessions.update(SessionId(one) for one in sessions)


class Writer:
    """Opens writes; the only way in which Nova changes anything.

    `notified` tells, after the commit, who has got notifications or has read some.
    """

    def __init__(self, database: Database, clock: Clock, sessions_ended: SessionsEnded) -> None:
        self._database = database
        self._clock = clock
        self._sessions_ended = sessions_ended
        self.notified = Event[frozenset[IdentityId]]()

    @asynccontextmanager
    async def writing(self, context: RequestContext, action: str, target: Target) -> AsyncIterator[Write]:
        """Open a write that attempts `action` on `target`; commits on the way out.

        Raises:
            NovaConflict: a key is taken, or something that was referred to is gone; whatever else the block raises.

        """
        write: Write | None = None
        try:
            async with self._database.transaction() as session:
                write = Write(session=session, context=context, now=self._clock.now(), target=target)
                yield write
        except IntegrityError:
            conflict = NovaConflict("Another change at the same moment stands against this. Read again and retry.")
            await self.log_refusal(context, action, write.target if write else target, conflict)
            raise conflict from None
        except NovaProblem as problem:
            await self.log_refusal(context, action, write.target if write else target, problem)
            raise
        self._tell(write)

    @asynccontextmanager
    async def unattended(self, context: Unattended) -> AsyncIterator[Write]:
        """Open a write that nobody asked for; what it raises is the caller's to record. Commits on the way out."""
        async with self._database.transaction() as session:
            target = Target(context.actor.type, context.actor.id, context.actor.display)
            write = Write(session=session, context=context, now=self._clock.now(), target=target)
            yield write
        self._tell(write)

    def _tell(self, write: Write) -> None:
        """Tell this process of what is committed."""
        if write.ended_sessions:
            self._sessions_ended.emit(frozenset(write.ended_sessions))
        if write.notified:
            self.notified.emit(frozenset(IdentityId(one) for one in write.notified))

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Read, to find out what is to be written."""
        async with self._database.reading() as session:
            yield session

    @asynccontextmanager
    async def rehearsing(self, context: RequestContext) -> AsyncIterator[Write]:
        """Open a write that is never kept: all of it is undone on the way out. For impacts that only doing can tell."""
        with suppress(_Undone):
            async with self._database.transaction() as session:
                target = Target("rehearsal", None)
                yield Write(session=session, context=context, now=self._clock.now(), target=target)
                raise _Undone

    async def log_refusal(self, context: RequestContext, action: str, target: Target, problem: NovaProblem) -> None:
        """Add the entry of a refused attempt; a request that was not valid at all leaves none."""
        if not is_logged(problem):
            return
        refused = entry(context, self._clock.now(), action, target, details={"code": problem.code}, outcome="refused")
        async with self._database.transaction() as session:
            await append(session, refused)


def check_version(version: int, if_match: str | None) -> None:
    """Refuse a change of an object that is no longer what the caller saw.

    Raises:
        NovaPreconditionFailed: `If-Match` names another version.

    """
    if if_match is None or if_match.strip() == "*":
        return
    tags = [tag.strip().removeprefix("W/") for tag in if_match.split(",")]
    if etag_of(version) not in tags:
        raise NovaPreconditionFailed("The object has changed since you read it. Read it again.")


def etag_of(version: int) -> str:
    """Return the entity tag of a version."""
    return f'"{version}"'
