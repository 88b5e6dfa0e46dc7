"""Oneself: one's own data, the few fields one may change, one's own sessions."""

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.identities import change_identity, locked_identity, stored_values, visible_identity
from nova_ui.nova.identity_views import identity_view
from nova_ui.nova.views import MePatch, MeView
from nova_ui.nova.writing import check_version
from storage.nova.tables import IdentityRow


class Profile:
    """The caller's own identity."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def get(self, context: RequestContext) -> MeView:
        """Return oneself."""
        async with self._core.database.reading() as session:
            return await _me(session, context, await visible_identity(session, context, context.identity.id))

    async def update(self, context: RequestContext, body: MePatch, if_match: str | None) -> MeView:
        """Change one's own display name, phone numbers, language, locale, time zone and looks.

        Raises:
            NovaPreconditionFailed: the profile is no longer what `if_match` names.

        """
        target = Target("identity", context.identity.id, context.identity.display_name)
        async with self._core.writer.writing(context, "identity.updated", target) as write:
            row = await locked_identity(write, context.identity.id)
            check_version(row.version, if_match)
            await change_identity(write, row, stored_values(body.model_dump(exclude_unset=True)), if_match)
            return await _me(write.session, context, row)


async def _me(session: AsyncSession, context: RequestContext, row: IdentityRow) -> MeView:
    view = await identity_view(session, row)
    return MeView(**view.model_dump(), roles=sorted(context.identity.roles), theme=row.theme)
