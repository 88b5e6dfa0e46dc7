"""Which models may get the data of each assistant and AI routine assistant, for administrators."""

from typing import Literal

from sqlmodel import col, select

from nova_ui.domain.assistant import Assistant
from nova_ui.llm.fallback import ModelPlace, widest
from nova_ui.llm.registry import ModelRegistry
from nova_ui.nova.ai_routine_views import routine_of
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.permissions import require_interface
from nova_ui.nova.views.ai_places import AiPlacesView, AiPlaceView, AiUserPlacesView
from storage.chat.assistants import AssistantStore
from storage.nova.ai_tables import AiRoutineRow


class AiPlaces:
    """What is sent where, as it is configured now."""

    def __init__(self, core: Core, models: ModelRegistry) -> None:
        self._core = core
        self._models = models

    async def list_all(self, context: RequestContext) -> AiPlacesView:
        """Return every assistant in the order set, then every AI routine assistant."""
        require_interface(context)
        async with self._core.database.reading() as session:
            assistants = [one.assistant for one in await AssistantStore(session).list_all()]
            rows = (await session.exec(select(AiRoutineRow).order_by(col(AiRoutineRow.key)))).all()
        routines = [(routine_of(row).as_assistant(), row.enabled) for row in rows]
        return AiPlacesView(
            items=[
                *(self._user("assistant", one, enabled=one.enabled) for one in assistants),
                *(self._user("ai_routine", one, enabled=enabled) for one, enabled in routines),
            ]
        )

    def _user(self, kind: Literal["assistant", "ai_routine"], user: Assistant, *, enabled: bool) -> AiUserPlacesView:
        places = self._models.places_for(user)
        return AiUserPlacesView(
            type=kind,
            key=user.key,
            names={language.value: name for language, name in user.names.items()},
            enabled=enabled,
            mode=widest(places),
            places=[place_view(place) for place in places],
        )


def place_view(place: ModelPlace) -> AiPlaceView:
    """Return a place without anything that is secret."""
    return AiPlaceView(
        name=place.name,
        model=place.model,
        mode=place.mode,
        mode_by_address=place.by_address,
        declared_mode=place.declared,
        host=place.host,
    )
