"""What two identities have in common and what parts them, and who reports to whom."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import CTE, Select, func, literal
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.access import Access
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.identities import visible_identity
from nova_ui.nova.identity_lists import SORT_COLUMNS
from nova_ui.nova.identity_views import ref
from nova_ui.nova.views import (
    AccessItem,
    AccessView,
    ComparedItem,
    ComparisonView,
    HeldThrough,
    Page,
    Ref,
    ReportLine,
    ReportLinesQuery,
)
from storage.nova.folded import contains_words
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.tables import IdentityRow

_ORDER_OF_KINDS: Final = {"role": 0, "entitlement": 1, "group": 2}
Held = Mapping[tuple[str, str], tuple[ComparedItem, list[HeldThrough]]]


class Comparing:
    """Identities beside each other and in their tree, within the caller's reach."""

    def __init__(self, core: Core, access: Access) -> None:
        self._core = core
        self._access = access

    async def compare(self, context: RequestContext, left_id: str, right_id: str) -> ComparisonView:
        """Return what both hold, and what only one of them holds, with where it comes from.

        Raises:
            NovaNotFound: one of the identities does not exist, or its data may not be read.

        """
        left = await self._access.of(context, left_id)
        right = await self._access.of(context, right_id)
        return compared(left, right)

    async def reports(self, context: RequestContext, identity_id: str, query: ReportLinesQuery) -> Page[ReportLine]:
        """Return a page of those who report to an identity, by name.

        Raises:
            NovaNotFound: there is no such identity, or its data may not be read.

        """
        async with self._core.database.reading() as session:
            await visible_identity(session, context, identity_id)
            tree = _tree(identity_id, query.levels)
            statement = select(IdentityRow).where(col(IdentityRow.id).in_(select(tree.c.id)))
            if query.q is not None:
                statement = statement.where(contains_words(IdentityRow.search_text, query.q))
            found = await read_slice(
                session,
                statement,
                Order.by(IdentityRow, "display_name", SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await _lines(session, found.rows, tree))


def compared(left: AccessView, right: AccessView) -> ComparisonView:
    """Return the comparison of two views of access."""
    ours, theirs = _held(left), _held(right)
    keys = sorted({*ours, *theirs}, key=lambda key: (_ORDER_OF_KINDS[key[0]], _name(ours, theirs, key), key[1]))
    items = [_both(ours, theirs, key) for key in keys]
    return ComparisonView(
        left=left.identity,
        right=right.identity,
        shared=[item for item in items if item.left and item.right],
        only_left=[item for item in items if not item.right],
        only_right=[item for item in items if not item.left],
    )


def _held(view: AccessView) -> Held:
    """Return by kind and id what an identity holds, and through what; one thing may come from several sides."""
    found: dict[tuple[str, str], tuple[ComparedItem, list[HeldThrough]]] = {}
    for item in view.items:
        bare = _bare(item)
        found.setdefault((bare.type, bare.id), (bare, []))[1].append(_through(item))
    for group in view.groups:
        found["group", group.id] = (_bare_group(group), [_member()])
    return found


def _bare(item: AccessItem) -> ComparedItem:
    right = item.role or item.entitlement
    return ComparedItem(
        type="role" if item.role else "entitlement",
        id=right.id if right else "",
        display_name=right.display_name if right else "",
        application=item.application,
        privileged=item.privileged,
        left=[],
        right=[],
    )


def _bare_group(group: Ref) -> ComparedItem:
    return ComparedItem(
        type="group",
        id=group.id,
        display_name=group.display_name,
        application=None,
        privileged=False,
        left=[],
        right=[],
    )


def _through(item: AccessItem) -> HeldThrough:
    return HeldThrough(
        assignment_id=item.assignment_id,
        source=item.source,
        source_id=item.source_id,
        status=item.status,
        valid_until=item.valid_until,
        why=item.why,
    )


def _member() -> HeldThrough:
    return HeldThrough(
        assignment_id=None, source="membership", source_id=None, status="active", valid_until=None, why="Member."
    )


def _name(ours: Held, theirs: Held, key: tuple[str, str]) -> str:
    return (ours.get(key) or theirs[key])[0].display_name.casefold()


def _both(ours: Held, theirs: Held, key: tuple[str, str]) -> ComparedItem:
    bare, _ = ours.get(key) or theirs[key]
    left, right = ours.get(key), theirs.get(key)
    return bare.model_copy(update={"left": left[1] if left else [], "right": right[1] if right else []})


def _tree(manager_id: str, levels: int) -> CTE:
    """Return who is below a manager with the level; a circle, which none may close, ends at the last level."""
    first: Select[*tuple[Any, ...]] = select(col(IdentityRow.id).label("id"), literal(1).label("level")).where(
        col(IdentityRow.manager_id) == manager_id
    )
    tree = first.cte("reports", recursive=True)
    below = select(col(IdentityRow.id), tree.c.level + 1).where(
        col(IdentityRow.manager_id) == tree.c.id, tree.c.level < levels
    )
    return tree.union(below)


async def _lines(session: AsyncSession, rows: Sequence[IdentityRow], tree: CTE) -> list[ReportLine]:
    ids = [row.id for row in rows]
    names = await identity_names(session, (row.manager_id for row in rows))
    found = select(tree.c.id, func.min(tree.c.level)).where(tree.c.id.in_(ids)).group_by(tree.c.id)
    levels: dict[str, int] = dict((await session.exec(found)).all())
    below = select(IdentityRow.manager_id, func.count()).where(col(IdentityRow.manager_id).in_(ids))
    counted = dict((await session.exec(below.group_by(col(IdentityRow.manager_id)))).all())
    return [
        ReportLine(
            id=row.id,
            display_name=row.display_name,
            title=row.title,
            department=row.department,
            status=row.status,
            manager=ref(row.manager_id, names),
            level=levels.get(row.id, 1),
            direct_reports=counted.get(row.id, 0),
        )
        for row in rows
    ]
