"""Archiving: what is left of an identity that has gone for good, so that records stay readable and no more."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict
from nova_ui.nova import follow_ups
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.identities import derived_values, locked_identity, visible_identity
from nova_ui.nova.identity_views import identity_view
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.views import Done, IdentityView, Impact, ObjectRef
from nova_ui.nova.writing import check_version
from storage.nova.belongings import delete_notifications_of
from storage.nova.second_factors import delete_sign_in_rows_of
from storage.nova.tables import IdentityRow

PERSONAL_FIELD: Final = "personal_field"

# Kept: both names that entries and requests refer to, kind, state, organisation and dates of the time in service.
REDUCED: Final[dict[str, object]] = {
    "given_name": "",
    "family_name": "",
    "emails": [],
    "phone_numbers": [],
    "external_id": None,
    "employee_number": None,
    "title": None,
    "cost_center": None,
    "location": None,
    "manager_id": None,
    "preferred_language": "en",
    "locale": None,
    "timezone": None,
    "theme": "system",
    "password_hash": None,
    "last_sign_in_at": None,
    "locked_until": None,
    "nova_roles": [],
}
# Not worth a line: a preference of nobody, and what no person sees.
_UNSPOKEN: Final = frozenset({"preferred_language", "theme", "password_hash", "locked_until"})


class Archiving:
    """Archives identities that are disabled; there is no way back."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def impact(self, context: RequestContext, identity_id: str) -> Impact:
        """Return what archiving would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            row = await visible_identity(session, context, identity_id)
            subject = ObjectRef(type="identity", id=row.id, display=row.display_name)
            return await weigh(subject, plan(session, context, row, self._core.clock.now()))

    async def archive(
        self, context: RequestContext, identity_id: str, reason: str | None, if_match: str | None
    ) -> Done[IdentityView]:
        """Reduce a disabled identity to what records need, and end what it still holds.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaNotFound: there is no such identity, or it is not visible.
            NovaConflict: it is protected, or not disabled.
            NovaPreconditionFailed: it is no longer what `if_match` names.

        """
        async with self._core.writer.writing(context, "identity.archived", Target("identity", identity_id)) as write:
            row = await locked_identity(write, identity_id)
            check_version(row.version, if_match)
            planned = await plan(write.session, context, row, write.now)
            fields = [one.id for one in planned if one.type == PERSONAL_FIELD]
            after = {**REDUCED, "status": "archived", "status_reason": reason}
            await write.change(row, {**after, **derived_values({**row.model_dump(), **after})}, if_match)
            # By name only: an entry with the old values would keep what is to go.
            changes = [
                {"field": "status", "before": "disabled", "after": "archived"},
                *({"field": name} for name in fields),
            ]
            details: dict[str, object] = (
                {"changes": changes} if reason is None else {"changes": changes, "reason": reason}
            )
            cause = await write.log("identity.archived", write.target, details=details)
            await delete_sign_in_rows_of(write.session, row.id)
            await delete_notifications_of(write.session, row.id)
            others = [one for one in planned if one.type != PERSONAL_FIELD]
            await follow_ups.carry_out(write, others, cause, row.id)
            return Done(object=await identity_view(write.session, row), effects=effects_of(planned))


async def plan(session: AsyncSession, context: RequestContext, row: IdentityRow, now: datetime) -> Sequence[Planned]:
    """Return everything that goes with archiving an identity.

    Raises:
        NovaForbidden: the caller is no administrator.
        NovaConflict: it is protected, or not disabled.

    """
    require_administrator(context.identity)
    if row.protected:
        raise NovaConflict("This identity is protected.", code="protected_object")
    if row.status != "disabled":
        raise NovaConflict(
            f"The identity is {row.status}; only a disabled identity can be archived.", code="state_conflict"
        )
    held = await follow_ups.open_assignments(session, row.id, now)
    return [
        *await follow_ups.plan_sessions(session, row.id, now),
        *await follow_ups.plan_cancellations(session, row.id),
        *await follow_ups.plan_revocations(session, held),
        *await follow_ups.plan_memberships(session, row.id),
        *await follow_ups.plan_chats(session, row.id),
        *_plan_reduction(row),
    ]


def _plan_reduction(row: IdentityRow) -> list[Planned]:
    stored = row.model_dump()
    return [
        Planned(type=PERSONAL_FIELD, id=name, display=name, result="removed")
        for name, emptied in REDUCED.items()
        if name not in _UNSPOKEN and stored[name] != emptied
    ]
