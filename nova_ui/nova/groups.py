"""Groups: read, create, update, delete. Their members are in `group_members`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import fold
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid
from nova_ui.nova.assistant_views import name_in
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.given import Difference, carry_out
from nova_ui.nova.group_views import group_views, visible_group
from nova_ui.nova.list_filters import GROUPS, filtered
from nova_ui.nova.permissions import oversees, require_administrator, require_overseer
from nova_ui.nova.rule_changes import GroupState, check_group, difference_for_group
from nova_ui.nova.rules import change_alone, check_rule, sample_of
from nova_ui.nova.views import (
    Done,
    FoundView,
    GroupChanged,
    GroupCreate,
    GroupPatch,
    GroupQuery,
    GroupView,
    Impact,
    ObjectRef,
    Page,
    RuleCheck,
    RuleFound,
)
from nova_ui.nova.writing import Write, check_version
from storage.chat.assistants import AssistantStore
from storage.ids import new_id
from storage.nova.folded import contains_words
from storage.nova.identities import json_holds, owns_any
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import GroupRow, IdentityRow, MembershipRow

SORT_COLUMNS: Final = {"display_name": "name_key", "created_at": "created_at", "updated_at": "updated_at"}


class Groups:
    """Groups as the caller may see and change them: administrators and auditors all, owners their own."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: GroupQuery) -> Page[GroupView]:
        """Return a page of groups.

        Raises:
            NovaForbidden: the caller neither oversees nor owns any group.

        """
        async with self._core.database.reading() as session:
            statement = select(GroupRow).where(*_conditions(query), await filtered(session, query.filter, GROUPS))
            if not oversees(context.identity):
                if not await owns_any(session, GroupRow, context.identity.id):
                    raise NovaForbidden("Groups are shown to administrators, auditors and their owners.")
                statement = statement.where(json_holds(GroupRow.owner_ids, context.identity.id))
            found = await read_slice(
                session,
                statement,
                Order.by(GroupRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await group_views(session, found.rows))

    async def get(self, context: RequestContext, group_id: str) -> GroupView:
        """Return one group.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            row = await visible_group(session, context.identity, group_id)
            return (await group_views(session, [row]))[0]

    async def create(self, context: RequestContext, body: GroupCreate) -> GroupChanged:
        """Add a group.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaConflict: the name is taken.

        """
        async with self._core.writer.writing(
            context, "group.created", Target("group", None, body.display_name)
        ) as write:
            require_administrator(context.identity)
            await change_alone(write.session)
            await _check_name(write.session, "", body.display_name)
            await check_owners(write.session, body.owner_ids)
            moments = {"created_at": write.now, "updated_at": write.now}
            values = {**body.model_dump(), "name_key": fold(body.display_name), **moments}
            row = GroupRow.model_validate({"id": new_id("grp"), **values})
            await check_group(write.session, state_of(row))
            write.session.add(row)
            await write.session.flush()
            found = await difference_for_group(write.session, state_of(row), write.now)
            details = {"changes": changes_between({}, body.model_dump()), **found.counts}
            cause = await write.log("group.created", Target("group", row.id, row.display_name), details=details)
            await carry_out(write, found, cause, changed_group=row.id)
            return await _changed_view(write, row, found)

    async def update(
        self, context: RequestContext, group_id: str, body: GroupPatch, if_match: str | None
    ) -> GroupChanged:
        """Change fields of a group; what the patch does not name stays."""
        async with self._core.writer.writing(context, "group.updated", Target("group", group_id)) as write:
            await change_alone(write.session)
            row = await locked_group(write, group_id)
            require_administrator(context.identity)
            check_version(row.version, if_match)
            check_manual(row)
            before = row.model_dump()
            changed = _changed(before, body.model_dump(exclude_unset=True))
            if "display_name" in changed:
                await _check_name(write.session, row.id, str(changed["display_name"]))
            await check_owners(write.session, body.owner_ids if "owner_ids" in changed else [])
            found = Difference()
            if changed:
                derived = {"name_key": fold(str(changed.get("display_name", row.display_name)))}
                found = await _find_difference(write, row, changed)
                _check_origin(context, found)
                await write.change(row, {**changed, **derived}, if_match)
                target = Target("group", row.id, row.display_name)
                details = {"changes": changes_between(before, changed), **found.counts}
                cause = await write.log("group.updated", target, details=details)
                await carry_out(write, found, cause, changed_group=row.id)
            return await _changed_view(write, row, found)

    async def evaluate(self, context: RequestContext, body: RuleCheck) -> RuleFound:
        """Tell whom a rule finds now, without changing anything.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaInvalid: the rule can't be used.

        """
        require_overseer(context.identity)
        check_rule(body.rule, "rule")
        async with self._core.database.reading() as session:
            count, rows = await sample_of(session, body.rule)
        sample = [FoundView.model_validate(row.model_dump(include=set(FoundView.model_fields))) for row in rows]
        return RuleFound(count=count, sample=sample)

    async def impact_of_delete(self, context: RequestContext, group_id: str) -> Impact:
        """Return what deleting a group would do, or the refusal it would give."""
        async with self._core.database.reading() as session:
            row = await visible_group(session, context.identity, group_id)
            subject = ObjectRef(type="group", id=row.id, display=row.display_name)
            return await weigh(subject, _plan_delete(session, context, row, self._core.clock.now()))

    async def delete(self, context: RequestContext, group_id: str, if_match: str | None) -> Done[GroupView]:
        """Delete a group; its members lose what it grants."""
        async with self._core.writer.writing(context, "group.deleted", Target("group", group_id)) as write:
            await change_alone(write.session)
            row = await locked_group(write, group_id)
            check_version(row.version, if_match)
            found = await _find_deletion(write.session, context, row, write.now)
            last = (await group_views(write.session, [row]))[0]
            closing = await _closing_assistants(write.session, row.id)
            named = {"assistants": [one.id for one in closing]} if closing else {}
            cause = await write.log("group.deleted", write.target, details={**found.counts, **named})
            await carry_out(write, found, cause, changed_group=row.id)
            await write.session.delete(row)
            return Done(object=last, effects=effects_of([*found.planned(by="person"), *closing]))


async def _changed_view(write: Write, row: GroupRow, found: Difference) -> GroupChanged:
    view = (await group_views(write.session, [row]))[0]
    return GroupChanged(**view.model_dump(), followed=found.counts)


async def locked_group(write: Write, group_id: str) -> GroupRow:
    """Return a visible group under a lock, for a change."""
    await lock_row(write.session, GroupRow, group_id)
    row = await visible_group(write.session, write.asker.identity, group_id)
    write.target = Target("group", row.id, row.display_name)
    return row


def state_of(row: GroupRow) -> GroupState:
    """Return what a group is, as far as it gives something."""
    return GroupState(
        id=row.id, name=row.display_name, membership=row.membership, rule=row.rule, role_ids=tuple(row.role_ids)
    )


def check_manual(row: GroupRow) -> None:
    """Refuse to change what a connector keeps.

    Raises:
        NovaConflict: the group comes from a connector.

    """
    if row.source != "nova":
        raise NovaConflict("This group is kept by a connector and read-only here.", code="state_conflict")


async def check_owners(session: AsyncSession, owner_ids: Sequence[str]) -> None:
    """Refuse owners that do not exist or are out of service.

    Raises:
        NovaInvalid: one of them can't own anything.

    """
    in_service = col(IdentityRow.status).in_(["active", "staged", "suspended"])
    found = select(IdentityRow.id).where(col(IdentityRow.id).in_(owner_ids), in_service)
    if set((await session.exec(found)).all()) != set(owner_ids):
        raise NovaInvalid("An owner does not exist or is out of service.", field="owner_ids")


def _conditions(query: GroupQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.q is not None:
        conditions.append(or_(contains_words(GroupRow.name_key, query.q), col(GroupRow.id) == query.q))
    if query.source is not None:
        conditions.append(col(GroupRow.source) == query.source)
    if query.membership is not None:
        conditions.append(col(GroupRow.membership) == query.membership)
    if query.role_id is not None:
        conditions.append(json_holds(GroupRow.role_ids, query.role_id))
    if query.owner_id is not None:
        conditions.append(json_holds(GroupRow.owner_ids, query.owner_id))
    if query.member_id is not None:
        mine = select(MembershipRow.group_id).where(col(MembershipRow.identity_id) == query.member_id)
        conditions.append(col(GroupRow.id).in_(mine))
    return conditions


async def _find_deletion(session: AsyncSession, context: RequestContext, row: GroupRow, now: datetime) -> Difference:
    require_administrator(context.identity)
    if row.protected:
        raise NovaConflict("This group is protected.", code="protected_object")
    check_manual(row)
    empty = GroupState(id=row.id, name=row.display_name, membership="manual", rule=None, role_ids=())
    return await difference_for_group(session, empty, now, members={})


async def _plan_delete(session: AsyncSession, context: RequestContext, row: GroupRow, now: datetime) -> list[Planned]:
    found = (await _find_deletion(session, context, row, now)).planned(by="person")
    return [*found, *await _closing_assistants(session, row.id)]


async def _closing_assistants(session: AsyncSession, group_id: str) -> list[Planned]:
    """Return the assistants that are open to the group: to its members they are no longer, once it is gone."""
    return [
        Planned(
            type="assistant",
            id=one.assistant.key,
            display=name_in(one.assistant.names, one.assistant.key),
            result="closed",
        )
        for one in await AssistantStore(session).list_all()
        if group_id in one.assistant.audience.asks_for_groups
    ]


def _changed(before: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """Return what a patch changes; a group that becomes manual loses its rule, if the patch says nothing of it."""
    if given.get("membership") == "manual" and "rule" not in given:
        given = {**given, "rule": None}
    return {name: value for name, value in given.items() if before[name] != value}


async def _find_difference(write: Write, row: GroupRow, changed: Mapping[str, object]) -> Difference:
    """Return what a change of the group does to its members and what they hold."""
    if not changed.keys() & {"membership", "rule", "role_ids"}:
        return Difference()
    after = state_of(GroupRow.model_validate({**row.model_dump(), **changed}))
    await check_group(write.session, after)
    return await difference_for_group(write.session, after, write.now)


def _check_origin(context: RequestContext, found: Difference) -> None:
    """Refuse a chat that takes members out or roles away: it does so at once, and no card was shown before (C1).

    Raises:
        NovaForbidden: a model asks for such a change.

    """
    if context.origin.is_chat and (found.leaving or found.revoked):
        raise NovaForbidden(
            f"This would take {len(found.leaving)} members out of the group and {len(found.revoked)} roles away from "
            "people at once. It is done in the interface only, never from a chat.",
            code="interface_only",
        )


async def _check_name(session: AsyncSession, own_id: str, name: str) -> None:
    taken = select(GroupRow.id).where(col(GroupRow.name_key) == fold(name), col(GroupRow.id) != own_id)
    if (await session.exec(taken)).first() is not None:
        raise NovaConflict("A group with this display_name exists already.", field="display_name")
