"""Identities: read, create, update. What ends them is in `identity_endings`."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Final

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import fold, searchable
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, load_reach, page_of
from nova_ui.nova.following import follow
from nova_ui.nova.identity_lists import SORT_COLUMNS, identity_conditions, visible_identities
from nova_ui.nova.identity_views import directory_from, identity_list, identity_view
from nova_ui.nova.list_filters import IDENTITIES, filtered
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.permissions import require_administrator, require_found
from nova_ui.nova.rules import stand_still
from nova_ui.nova.views import (
    DirectoryQuery,
    DirectoryView,
    IdentityCreate,
    IdentityPatch,
    IdentityQuery,
    IdentityView,
    Page,
)
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.folded import contains_words, matches_folded
from storage.nova.identities import is_below
from storage.nova.locks import take_lock
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import IdentityRow

_UNIQUE: Final = {"external_id": IdentityRow.external_id, "employee_number": IdentityRow.employee_number}


class Identities:
    """Identities as the caller may see and change them."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: IdentityQuery) -> Page[IdentityView]:
        """Return a page of those whose data the caller may read."""
        async with self._core.database.reading() as session:
            reach = await load_reach(session, context.identity)
            conditions = await identity_conditions(session, query, self._core.clock.now())
            wanted = await filtered(session, query.filter, IDENTITIES)
            found = await read_slice(
                session,
                visible_identities(reach).where(*conditions, wanted),
                Order.by(IdentityRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            items = await identity_list(session, found.rows)
        return page_of(found, items)

    async def directory(self, query: DirectoryQuery) -> Page[DirectoryView]:
        """Return a page of active people, by the fields that everyone signed in may read."""
        async with self._core.database.reading() as session:
            people = select(IdentityRow).where(
                col(IdentityRow.status) == "active", contains_words(IdentityRow.search_text, query.q)
            )
            if query.department is not None:
                people = people.where(await matches_folded(session, IdentityRow.department, query.department))
            found = await read_slice(
                session,
                people,
                Order.by(IdentityRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
        return page_of(found, [directory_from(row) for row in found.rows])

    async def get(self, context: RequestContext, identity_id: str) -> IdentityView:
        """Return one identity.

        Raises:
            NovaNotFound: there is none, or its data may not be read.

        """
        async with self._core.database.reading() as session:
            return await identity_view(session, await visible_identity(session, context, identity_id))

    async def create(self, context: RequestContext, body: IdentityCreate) -> IdentityView:
        """Add an identity.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaInvalid: the manager does not exist, or the end lies before the start.
            NovaConflict: a unique field is taken.

        """
        target = Target("identity", None, body.display_name)
        async with self._core.writer.writing(context, "identity.created", target) as write:
            require_administrator(context.identity)
            await stand_still(write.session)
            values = stored_values(body.model_dump())
            check_period(body.start_date, body.end_date)
            moments = {"created_at": write.now, "updated_at": write.now}
            row = IdentityRow.model_validate({"id": new_id("idn"), **values, **derived_values(values), **moments})
            await _check_unique(write.session, row.id, {**values, "user_name_key": row.user_name_key})
            await _check_manager(write.session, row.id, body.manager_id)
            write.session.add(row)
            await write.session.flush()
            changes = changes_between(
                {}, {name: value for name, value in values.items() if value not in (None, "", [])}
            )
            target = Target("identity", row.id, row.display_name)
            await follow(write, row.id, await write.log("identity.created", target, details={"changes": changes}))
            await _tell_manager(write, row)
            return await identity_view(write.session, row)

    async def update(
        self, context: RequestContext, identity_id: str, body: IdentityPatch, if_match: str | None
    ) -> IdentityView:
        """Change fields of an identity; what the patch does not name stays.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaNotFound: there is no such identity, or it is not visible.
            NovaConflict: the identity is archived.
            NovaPreconditionFailed: it is no longer what `if_match` names.

        """
        async with self._core.writer.writing(context, "identity.updated", Target("identity", identity_id)) as write:
            row = await locked_identity(write, identity_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            if row.status == "archived":
                raise NovaConflict("An archived identity stays as it is.", code="state_conflict")
            if body.manager_id is not None:
                await take_lock(write.session, "nova.managers")  # two moves at once could close a circle
            # not exclude_unset, which would also leave out what an address does not say
            given = body.model_dump(include=body.model_fields_set)
            if body.end_date is not None:
                _check_origin(context, body.end_date, write.now)
            await change_identity(write, row, stored_values(given), if_match)
            return await identity_view(write.session, row)


def _check_origin(context: RequestContext, end_date: date, now: datetime) -> None:
    """Refuse a chat that lets an identity have ended: a routine would disable it without a card (rule C1).

    Raises:
        NovaForbidden: a model gives a last day that is over.

    """
    if context.origin.is_chat and end_date < now.astimezone(UTC).date():
        raise NovaForbidden(
            "A last day that is over ends an identity as soon as lifecycle routines run. From a chat it is offboarded "
            "or disabled instead, which is confirmed.",
            code="interface_only",
        )


async def visible_identity(session: AsyncSession, context: RequestContext, identity_id: str) -> IdentityRow:
    """Return an identity whose data the caller may read.

    Raises:
        NovaNotFound: there is none, or its data may not be read.

    """
    reach = await load_reach(session, context.identity)
    row = await session.get(IdentityRow, identity_id) if reach.covers(identity_id) else None
    return require_found(row, "identity")


async def locked_identity(write: Write, identity_id: str) -> IdentityRow:
    """Return an identity under a lock, for a change.

    Raises:
        NovaNotFound: there is none, or its data may not be read.

    """
    await stand_still(write.session)
    await lock_row(write.session, IdentityRow, identity_id)
    row = await visible_identity(write.session, write.asker, identity_id)
    write.target = Target("identity", row.id, row.display_name)
    return row


async def change_identity(
    write: Write, row: IdentityRow, values: Mapping[str, object], if_match: str | None = None
) -> None:
    """Check and write `values`, with one audit entry that tells the differences; nothing to change is no change.

    What rules look at follows.
    """
    before = row.model_dump()
    changed = {name: value for name, value in values.items() if before[name] != value}
    if not changed:
        return
    now = {**before, **changed}
    check_period(_day(now["start_date"]), _day(now["end_date"]))
    derived = derived_values(now)
    await _check_unique(write.session, row.id, {**changed, "user_name_key": derived["user_name_key"]})
    if "manager_id" in changed:
        await _check_manager(write.session, row.id, row_id(changed["manager_id"]))
    await write.change(row, {**changed, **derived}, if_match)
    target = Target("identity", row.id, row.display_name)
    cause = await write.log("identity.updated", target, details={"changes": changes_between(before, changed)})
    await follow(write, row.id, cause)
    if "manager_id" in changed:
        await _tell_manager(write, row)


async def _tell_manager(write: Write, row: IdentityRow) -> None:
    """Tell a manager who reports to them from now on, unless it is their own doing."""
    if row.manager_id is not None and row.manager_id != write.context.actor.identity_id:
        notice = Notice(kind=NoticeKind.NEW_REPORT, values={"identity": row.display_name}, link=f"/identities/{row.id}")
        await notify(write, [row.manager_id], notice)


def stored_values(given: Mapping[str, object]) -> dict[str, object]:
    """Return request values as the table keeps them."""
    values = dict(given)
    for name in ("start_date", "end_date"):
        day = values.get(name)
        if isinstance(day, date):
            values[name] = day.isoformat()
    for name in ("user_type", "preferred_language", "theme"):
        if name in values:
            values[name] = str(values[name])
    emails = values.get("emails")
    if isinstance(emails, list) and emails:
        primary = next((place for place, email in enumerate(emails) if email["primary"]), 0)
        values["emails"] = [{**email, "primary": place == primary} for place, email in enumerate(emails)]
    return values


def derived_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return the folded forms that go with a user name, a display name and addresses."""
    emails = values.get("emails")
    mails = [str(email["value"]) for email in emails] if isinstance(emails, list) else []
    user_name, display_name = str(values["user_name"]), str(values["display_name"])
    return {"user_name_key": fold(user_name), "search_text": searchable(display_name, user_name, *mails)}


def check_period(start: date | None, end: date | None) -> None:
    """Refuse an end before the start.

    Raises:
        NovaInvalid: the end lies before the start.

    """
    if start is not None and end is not None and end < start:
        raise NovaInvalid("end_date must not be before start_date.", field="end_date")


async def _check_unique(session: AsyncSession, own_id: str, values: Mapping[str, object]) -> None:
    taken = select(IdentityRow.id).where(
        col(IdentityRow.user_name_key) == values["user_name_key"], col(IdentityRow.id) != own_id
    )
    if (await session.exec(taken)).first() is not None:
        raise NovaConflict("This user_name is taken.", field="user_name")
    for name, column in _UNIQUE.items():
        value = values.get(name)
        if not isinstance(value, str):
            continue
        same = func.lower(col(column)) == func.lower(value)
        if (await session.exec(select(IdentityRow.id).where(same, col(IdentityRow.id) != own_id))).first() is not None:
            raise NovaConflict(f"This {name} is taken.", field=name)


async def _check_manager(session: AsyncSession, identity_id: str, manager_id: str | None) -> None:
    if manager_id is None:
        return
    if manager_id == identity_id:
        raise NovaInvalid("Nobody can be their own manager.", field="manager_id")
    manager = await session.get(IdentityRow, manager_id)
    if manager is None or manager.status in {"disabled", "archived"}:
        raise NovaInvalid("There is no such manager in service.", field="manager_id")
    if await is_below(session, manager_id, identity_id):
        raise NovaInvalid("The manager reports to this identity; that would close a circle.", field="manager_id")


def row_id(value: object) -> str | None:
    """Return an id as it is stored."""
    return value if isinstance(value, str) else None


def _day(stored: object) -> date | None:
    return date.fromisoformat(stored) if isinstance(stored, str) and stored else None
