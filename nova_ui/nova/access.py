"""What an identity may use, and why for each right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.assignment_status import is_open, status_at
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.identities import visible_identity
from nova_ui.nova.identity_views import ref, ref_of
from nova_ui.nova.reached import reached_entitlements
from nova_ui.nova.rights import Right, right_id_of, right_ref
from nova_ui.nova.views import AccessItem, AccessView, ApprovedBy, Ref
from storage.nova.belongings import groups_of
from storage.nova.names import application_names, identity_names, rights_by_id
from storage.nova.tables import ApprovalRow, AssignmentRow, GroupRow, RoleRow


class Access:
    """Access of identities within the caller's reach."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def of(self, context: RequestContext, identity_id: str) -> AccessView:
        """Return what an identity holds now or is going to, what that comes to, and why.

        Raises:
            NovaNotFound: there is no such identity, or its data may not be read.

        """
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            row = await visible_identity(session, context, identity_id)
            held = select(AssignmentRow).where(col(AssignmentRow.identity_id) == row.id, is_open(now))
            groups = await groups_of(session, row.id)
            rows = (await session.exec(held.order_by(col(AssignmentRow.created_at), col(AssignmentRow.id)))).all()
            items = await _items(session, rows, now)
            why = {item.assignment_id: item.why for item in items}
            return AccessView(
                identity=Ref(id=row.id, display_name=row.display_name),
                items=items,
                entitlements=await reached_entitlements(
                    session, [one for one in rows if status_at(one, now) == "active"], why
                ),
                groups=[Ref(id=group.id, display_name=group.display_name) for group in groups],
                nova_roles=row.nova_roles,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grounds:
    """What the reasons for rights are told from."""

    names: Mapping[str, str]
    groups: Mapping[str, str]
    approvals: Mapping[str, list[ApprovedBy]]


async def _items(session: AsyncSession, rows: Sequence[AssignmentRow], now: datetime) -> list[AccessItem]:
    rights = await rights_by_id(session, (right_id_of(row) for row in rows))
    applications = await application_names(session, (right.application_id for right in rights.values()))
    grounds = _Grounds(
        names=await identity_names(session, (row.granted_by for row in rows)),
        groups=await _group_names(session, [row.source_id for row in rows if row.source == "group" and row.source_id]),
        approvals=await _approvals(
            session, [row.source_id for row in rows if row.source == "request" and row.source_id]
        ),
    )
    items = []
    for row in rows:
        right = rights.get(right_id_of(row))
        items.append(
            AccessItem(
                assignment_id=row.id,
                role=right_ref(row.role_id, rights, "rol_"),
                entitlement=right_ref(row.entitlement_id, rights, "ent_"),
                application=ref(right.application_id if right else None, applications),
                privileged=bool(right and right.privileged),
                risk=right.risk if right else "low",
                status=status_at(row, now),
                valid_from=row.valid_from,
                valid_until=row.valid_until,
                source=row.source,
                source_id=row.source_id,
                granted_by=ref(row.granted_by, grounds.names),
                justification=row.justification,
                approved_by=_approved_by(row, grounds),
                rule=_rule_of(row, right),
                why=_why(row, grounds, right),
            )
        )
    return items


async def _group_names(session: AsyncSession, ids: list[str]) -> Mapping[str, str]:
    found = select(GroupRow.id, GroupRow.display_name).where(col(GroupRow.id).in_(ids))
    return dict((await session.exec(found)).all()) if ids else {}


async def _approvals(session: AsyncSession, request_ids: list[str]) -> Mapping[str, list[ApprovedBy]]:
    if not request_ids:
        return {}
    given = select(ApprovalRow).where(
        col(ApprovalRow.request_id).in_(request_ids), col(ApprovalRow.status) == "approved"
    )
    rows = (await session.exec(given.order_by(col(ApprovalRow.step), col(ApprovalRow.id)))).all()
    names = await identity_names(session, (row.decided_by for row in rows))
    found: dict[str, list[ApprovedBy]] = {}
    for row in rows:
        approver = ref_of(row.decided_by or row.approver_id, names)
        found.setdefault(row.request_id, []).append(ApprovedBy(approver=approver, at=row.decided_at))
    return found


def _approved_by(row: AssignmentRow, grounds: _Grounds) -> list[ApprovedBy]:
    return grounds.approvals.get(row.source_id or "", []) if row.source == "request" else []


def _why(row: AssignmentRow, grounds: _Grounds, right: Right | None) -> str:
    since = f"since {row.created_at:%Y-%m-%d}"
    granter = grounds.names.get(row.granted_by or "", "")
    group = grounds.groups.get(row.source_id or "", row.source_id or "")
    by = {
        "direct": f"Granted {f'by {granter} ' if granter else 'directly '}{since}.",
        "request": f"Requested and approved in {row.source_id or 'a request'}{_deciders(row, grounds)}, {since}.",
        "birthright": f"Comes by the rule of the role{_rule(row, right)}, {since}.",
        "group": f"Comes with the group {group}, {since}.",
        "routine": f"Granted by a lifecycle routine {since}.",
        "review": f"Kept by an access review {since}.",
    }
    return by.get(row.source, f"Granted {since}.")


def _rule_of(row: AssignmentRow, right: Right | None) -> str | None:
    return right.birthright_rule if row.source == "birthright" and isinstance(right, RoleRow) else None


def _rule(row: AssignmentRow, right: Right | None) -> str:
    rule = _rule_of(row, right)
    return f": {rule}" if rule else ""


def _deciders(row: AssignmentRow, grounds: _Grounds) -> str:
    named = [
        f"{one.approver.display_name} on {one.at:%Y-%m-%d}" if one.at else one.approver.display_name
        for one in _approved_by(row, grounds)
    ]
    return f" by {' and '.join(named)}" if named else ""
