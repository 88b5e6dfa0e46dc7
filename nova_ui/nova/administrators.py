"""Administrators: named by administrators who have just entered their password; the last one can't be lost."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth.policies import Policies
from nova_ui.domain.identity import IdentityId, Role
from nova_ui.errors import NovaConflict
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.fresh_sign_in import require_fresh_sign_in, require_still_administrator
from nova_ui.nova.identities import locked_identity, visible_identity
from nova_ui.nova.identity_views import identity_view
from nova_ui.nova.notices import Notice, NoticeKind, notify, tell_administrators
from nova_ui.nova.own_credentials import clear_factors
from nova_ui.nova.permissions import require_administrator, require_overseer
from nova_ui.nova.sign_in_policy import end_outsiders
from nova_ui.nova.views import Done, IdentityView, Impact, ObjectRef
from nova_ui.nova.views.sign_in import AdministratorsView, AdministratorView
from nova_ui.nova.writing import Write, check_version
from storage.nova.identities import has_other_administrator, json_holds, lock_administrators
from storage.nova.sessions import end_sessions_of
from storage.nova.tables import IdentityRow

_ROLE: Final = Role.ADMINISTRATOR.value


class Administrators:
    """Who administers Nova."""

    def __init__(self, core: Core, policies: Policies) -> None:
        self._core = core
        self._policies = policies

    async def list_all(self, context: RequestContext) -> AdministratorsView:
        """Return every administrator.

        Raises:
            NovaForbidden: the caller oversees nothing.

        """
        require_overseer(context.identity)
        holders = select(IdentityRow).where(json_holds(IdentityRow.nova_roles, _ROLE))
        async with self._core.database.reading() as session:
            rows = (await session.exec(holders.order_by(col(IdentityRow.search_text), col(IdentityRow.id)))).all()
        return AdministratorsView(items=[_view(row) for row in rows], total=len(rows))

    async def add(self, context: RequestContext, identity_id: str, if_match: str | None) -> AdministratorView:
        """Make somebody an administrator; every administrator is told.

        Raises:
            NovaForbidden: the caller is none, or has not entered the password again.
            NovaConflict: the identity is not active, is technical, or is one already.

        """
        async with self._core.writer.writing(context, "administrator.added", Target("identity", identity_id)) as write:
            row = await self._prepare(write, context, identity_id, if_match)
            if row.status != "active":
                raise NovaConflict(f"The identity is {row.status}.", code="state_conflict")
            if row.user_type == "service":
                raise NovaConflict("A technical identity can't be an administrator.", code="state_conflict")
            if _ROLE in row.nova_roles:
                raise NovaConflict("The identity is an administrator already.", code="state_conflict")
            cause = await _change_roles(write, row, sorted({*row.nova_roles, _ROLE}), "administrator.added")
            policy = await self._policies.within(write.session)
            await end_outsiders(write, policy, cause, identity_id=row.id)
            await tell_administrators(write, row, NoticeKind.ADMINISTRATOR_ADDED)
            return _view(row)

    async def impact_of_removal(self, context: RequestContext, identity_id: str) -> Impact:
        """Return what taking the role away would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            row = await visible_identity(session, context, identity_id)
            subject = ObjectRef(type="identity", id=row.id, display=row.display_name)
            return await weigh(subject, _plan_removal(session, context, row, self._core.clock.now()))

    async def remove(self, context: RequestContext, identity_id: str, if_match: str | None) -> Done[AdministratorView]:
        """Take the role away; every administrator is told, and the one who was.

        Raises:
            NovaForbidden: the caller is none, or has not entered the password again.
            NovaConflict: oneself, the last one, or none at all.

        """
        target = Target("identity", identity_id)
        async with self._core.writer.writing(context, "administrator.removed", target) as write:
            row = await self._prepare(write, context, identity_id, if_match)
            planned = await _plan_removal(write.session, context, row, write.now)
            roles = [role for role in row.nova_roles if role != _ROLE]
            await _change_roles(write, row, roles, "administrator.removed")
            await tell_administrators(write, row, NoticeKind.ADMINISTRATOR_REMOVED)
            return Done(object=_view(row), effects=effects_of(planned))

    async def reset_mfa(self, context: RequestContext, identity_id: str, if_match: str | None) -> IdentityView:
        """Clear somebody's second factor who has lost it, and end its sessions.

        Raises:
            NovaForbidden: the caller is no administrator, or has not entered the password again.
            NovaConflict: there is none, or it is one's own.

        """
        async with self._core.writer.writing(context, "identity.mfa_reset", Target("identity", identity_id)) as write:
            row = await self._prepare(write, context, identity_id, if_match)
            if row.id == context.identity.id:
                raise NovaConflict("Change your own second factor in your own settings.", code="self_lockout")
            if not row.mfa_methods:
                raise NovaConflict("The identity has no second factor.", code="state_conflict")
            await clear_factors(write.session, row.id)
            changes = changes_between({"mfa_methods": row.mfa_methods}, {"mfa_methods": []})
            await write.change(row, {"mfa_methods": []}, if_match)
            cause = await write.log("identity.mfa_reset", write.target, details={"changes": changes})
            ended = await end_sessions_of(write.session, IdentityId(row.id), write.now)
            for one in ended:
                await write.log("session.ended", Target("session", one, row.display_name), caused_by=cause)
            write.note_ended(ended)
            await notify(write, [row.id], Notice(kind=NoticeKind.MFA_RESET, link="/me"))
            return await identity_view(write.session, row)

    async def _prepare(
        self, write: Write, context: RequestContext, identity_id: str, if_match: str | None
    ) -> IdentityRow:
        await lock_administrators(write.session)
        row = await locked_identity(write, identity_id)
        require_administrator(context.identity)
        await require_still_administrator(write.session, context)
        await require_fresh_sign_in(write.session, context, write.now)
        check_version(row.version, if_match)
        return row


async def _plan_removal(
    session: AsyncSession, context: RequestContext, row: IdentityRow, now: datetime
) -> Sequence[Planned]:
    require_administrator(context.identity)
    await require_fresh_sign_in(session, context, now)
    if row.id == context.identity.id:
        raise NovaConflict("Another administrator has to take the role from you.", code="self_lockout")
    if _ROLE not in row.nova_roles:
        raise NovaConflict("The identity is no administrator.", code="state_conflict")
    if row.protected:
        raise NovaConflict("This identity is protected.", code="protected_object")
    if not await has_other_administrator(session, row.id):
        raise NovaConflict("This is the last administrator.", code="last_administrator")
    return []


async def _change_roles(
    write: Write,
    row: IdentityRow,
    roles: list[str],
    action: Literal["administrator.added", "administrator.removed"],
) -> str:
    changes = changes_between({"nova_roles": row.nova_roles}, {"nova_roles": roles})
    await write.change(row, {"nova_roles": roles})
    return await write.log(action, write.target, details={"changes": changes})


def _view(row: IdentityRow) -> AdministratorView:
    return AdministratorView(
        id=row.id,
        display_name=row.display_name,
        user_name=row.user_name,
        status=row.status,
        mfa_methods=row.mfa_methods,
        last_sign_in_at=row.last_sign_in_at,
    )
