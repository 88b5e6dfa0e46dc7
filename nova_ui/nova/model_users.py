"""Which assistants and AI routine assistants name a profile as their model."""

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.views import Ref
from storage.chat.tables import AssistantRow


async def users_of(session: AsyncSession) -> dict[str, list[Ref]]:
    """Return who names a profile, by the profile's key."""
    named = select(AssistantRow.key, AssistantRow.names, AssistantRow.model).where(col(AssistantRow.model).is_not(None))
    found: dict[str, list[Ref]] = {}
    for key, names, model in (await session.exec(named.order_by(col(AssistantRow.key)))).all():
        profile = str(model).partition("/")[0]
        found.setdefault(profile, []).append(Ref(id=key, display_name=str(names.get("en") or key)))
    return found
