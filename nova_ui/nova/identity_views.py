"""How a stored identity is shown."""

from collections.abc import Mapping, Sequence
from datetime import date

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonObject
from nova_ui.nova.views import DirectoryView, EmailView, IdentityView, Ref
from storage.nova.names import identity_names
from storage.nova.tables import IdentityRow


async def identity_view(session: AsyncSession, row: IdentityRow) -> IdentityView:
    """Return one identity in full."""
    return identity_from(row, await identity_names(session, [row.manager_id]))


async def identity_list(session: AsyncSession, rows: Sequence[IdentityRow]) -> list[IdentityView]:
    """Return a page of identities; their managers' names are looked up together."""
    names = await identity_names(session, (row.manager_id for row in rows))
    return [identity_from(row, names) for row in rows]


def identity_from(row: IdentityRow, names: Mapping[str, str]) -> IdentityView:
    """Return one identity in full; `names` holds its manager's."""
    return IdentityView(
        id=row.id,
        user_name=row.user_name,
        external_id=row.external_id,
        display_name=row.display_name,
        given_name=row.given_name,
        family_name=row.family_name,
        email=primary_email(row.emails),
        emails=[EmailView.model_validate(email) for email in row.emails],
        phone_numbers=row.phone_numbers,
        title=row.title,
        user_type=row.user_type,
        employee_number=row.employee_number,
        organization=row.organization,
        division=row.division,
        department=row.department,
        cost_center=row.cost_center,
        location=row.location,
        manager=ref(row.manager_id, names),
        preferred_language=row.preferred_language,
        locale=row.locale,
        timezone=row.timezone,
        start_date=_day(row.start_date),
        end_date=_day(row.end_date),
        status=row.status,
        active=row.status == "active",
        status_reason=row.status_reason,
        nova_roles=row.nova_roles,
        protected=row.protected,
        last_sign_in_at=row.last_sign_in_at,
        locked_until=row.locked_until,
        mfa_methods=row.mfa_methods,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def directory_from(row: IdentityRow) -> DirectoryView:
    """Return what everyone signed in may read."""
    return DirectoryView(
        id=row.id,
        display_name=row.display_name,
        title=row.title,
        department=row.department,
        email=primary_email([email for email in row.emails if email.get("type", "work") == "work"]),
    )


def primary_email(emails: Sequence[JsonObject]) -> str | None:
    """Return the primary address, else the first one."""
    chosen = next((email for email in emails if email.get("primary") is True), emails[0] if emails else None)
    value = chosen.get("value") if chosen else None
    return value if isinstance(value, str) else None


def ref(identity_id: str | None, names: Mapping[str, str]) -> Ref | None:
    """Return id and name; an empty name says that the object is gone."""
    return None if identity_id is None else Ref(id=identity_id, display_name=names.get(identity_id, ""))


def ref_of(object_id: str, names: Mapping[str, str]) -> Ref:
    """Return id and name of an object that is always there to be named."""
    return Ref(id=object_id, display_name=names.get(object_id, ""))


def _day(stored: str | None) -> date | None:
    return None if not stored else date.fromisoformat(stored)
