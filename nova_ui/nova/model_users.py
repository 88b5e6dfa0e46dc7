"""Which assistants and AI routine assistants name a profile as their model, or in their own fall-back order."""

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.views import Ref
from storage.chat.tables import AssistantRow
from storage.nova.ai_tables import AiRoutineRow


async def users_of(session: AsyncSession) -> dict[str, list[Ref]]:
    """Return who names a profile, by the profile's key."""
    found: dict[str, list[Ref]] = {}
    for table in (AssistantRow, AiRoutineRow):
        named = select(table.key, table.names, table.model).where(col(table.model).is_not(None))
        for key, names, model in (await session.exec(named.order_by(col(table.key)))).all():
            _add(found, str(model), Ref(id=key, display_name=str(names.get("en") or key)))
    ordered = select(AssistantRow.key, AssistantRow.names, AssistantRow.fall_back)
    for key, names, order in (await session.exec(ordered.order_by(col(AssistantRow.key)))).all():
        for model in order or ():
            _add(found, model, Ref(id=key, display_name=str(names.get("en") or key)))
    return found


def _add(found: dict[str, list[Ref]], model: str, user: Ref) -> None:
    users = found.setdefault(model.partition("/")[0], [])
    if user not in users:
        users.append(user)
