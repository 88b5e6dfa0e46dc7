"""What takes an application into service, out of it, and away, with what goes with it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict
from nova_ui.nova.application_rights import plan_lock_out, plan_removal, remove
from nova_ui.nova.applications import NO_CONNECTION, application_views, locked_application, visible_application
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.views import ApplicationView, Done, Impact, ObjectRef
from nova_ui.nova.writing import Write, check_version
from storage.nova.application_tables import ConnectionRow
from storage.nova.rows import lock_row
from storage.nova.tables import ApplicationRow

Ending = Literal["disable", "delete"]

_CONFLICT: Final = "state_conflict"
# What no longer happens once an application with such a connection is disabled.
_STOPS: Final[Mapping[str, str]] = {"oidc": "sign_in", "scim": "synchronisation", "ldap": "synchronisation"}


class ApplicationStates:
    """Enable, disable, delete."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def impact(self, context: RequestContext, application_id: str, action: Ending) -> Impact:
        """Return what an action would do, or the refusal it would give."""
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            row = await visible_application(session, context.identity, application_id)
            subject = ObjectRef(type="application", id=row.id, display=row.display_name)
            plan = _plan_disable if action == "disable" else _plan_delete
            return await weigh(subject, plan(session, context, row, now))

    async def enable(
        self, context: RequestContext, application_id: str, reason: str | None, if_match: str | None
    ) -> ApplicationView:
        """Take an application into service.

        Raises:
            NovaConflict: it is already, or its connection has not passed a test.

        """
        target = Target("application", application_id)
        async with self._core.writer.writing(context, "application.enabled", target) as write:
            row = await locked_application(write, context.identity, application_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            if row.status == "enabled":
                raise NovaConflict("The application is enabled already.", code=_CONFLICT)
            connection = await lock_row(write.session, ConnectionRow, row.id)
            if connection is not None and connection.kind != NO_CONNECTION and connection.test_state != "ok":
                raise NovaConflict(
                    f"The connection is {connection.test_state}. Test it successfully before enabling the application.",
                    code=_CONFLICT,
                )
            await _write_status(write, row, "enabled", reason, if_match)
            return (await application_views(write.session, [row]))[0]

    async def disable(
        self, context: RequestContext, application_id: str, reason: str | None, if_match: str | None
    ) -> Done[ApplicationView]:
        """Take an application out of service; who has access keeps it for the day it comes back."""
        target = Target("application", application_id)
        async with self._core.writer.writing(context, "application.disabled", target) as write:
            row = await locked_application(write, context.identity, application_id)
            check_version(row.version, if_match)
            planned = await _plan_disable(write.session, context, row, write.now)
            await _write_status(write, row, "disabled", reason, if_match)
            return Done(object=(await application_views(write.session, [row]))[0], effects=effects_of(planned))

    async def delete(self, context: RequestContext, application_id: str, if_match: str | None) -> Done[ApplicationView]:
        """Delete a disabled application: its roles retire, its entitlements and secrets are gone, nobody holds any."""
        target = Target("application", application_id)
        async with self._core.writer.writing(context, "application.deleted", target) as write:
            row = await locked_application(write, context.identity, application_id)
            check_version(row.version, if_match)
            planned = await _plan_delete(write.session, context, row, write.now)
            last = (await application_views(write.session, [row]))[0]
            cause = await write.log("application.deleted", write.target, details={"key": row.key})
            await remove(write, planned, cause)
            connection = await write.session.get(ConnectionRow, row.id)
            if connection is not None:
                await write.session.delete(connection)
                await write.session.flush()
            await write.session.delete(row)
            return Done(object=last, effects=effects_of(planned))


async def _write_status(
    write: Write, row: ApplicationRow, status: str, reason: str | None, if_match: str | None
) -> None:
    changes = changes_between({"status": row.status}, {"status": status})
    await write.change(row, {"status": status}, if_match)
    details = {"changes": changes, "reason": reason} if reason else {"changes": changes}
    await write.log(f"application.{status}", Target("application", row.id, row.display_name), details=details)


async def _plan_disable(
    session: AsyncSession, context: RequestContext, row: ApplicationRow, now: datetime
) -> list[Planned]:
    require_administrator(context.identity)
    if row.status == "disabled":
        raise NovaConflict("The application is disabled already.", code=_CONFLICT)
    kind = await _kind_of(session, row)
    stops = [] if kind is None else [Planned(type=_STOPS[kind], id=row.id, display=row.display_name, result="stopped")]
    return [*stops, *await plan_lock_out(session, row.id, now)]


async def _plan_delete(
    session: AsyncSession, context: RequestContext, row: ApplicationRow, now: datetime
) -> list[Planned]:
    require_administrator(context.identity)
    if row.status != "disabled":
        raise NovaConflict("Only a disabled application can be deleted. Disable it first.", code=_CONFLICT)
    kind = await _kind_of(session, row)
    gone = [] if kind is None else [Planned(type="connection", id=row.id, display=kind.upper(), result="deleted")]
    return [*gone, *await plan_removal(session, row.id, now)]


async def _kind_of(session: AsyncSession, row: ApplicationRow) -> str | None:
    connection = await session.get(ConnectionRow, row.id)
    return None if connection is None or connection.kind == NO_CONNECTION else connection.kind
