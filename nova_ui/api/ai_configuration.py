"""`/administration/ai-configuration`: provider profiles and the default, from the interface only (rule B6)."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import Kind, marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.ai_configuration_rows import UPDATED
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import DeleteImpactQuery, Done, Impact
from nova_ui.nova.views.ai_configuration import (
    AiConfigurationBody,
    AiConfigurationView,
    AiFallBackBody,
    AiProfileCreate,
    AiProfilePatch,
    AiProfileView,
    AiTrialBody,
    AiTrialView,
)
from nova_ui.nova.views.ai_places import AiPlacesView
from nova_ui.nova.views.types import AssistantKeyText

_IMPACT: Final = "get_ai_profile_impact"


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._ai = nova.ai_configuration
        self._places = nova.ai_places
        self._profiles = nova.ai_profiles

    async def get(self, context: Signed) -> AiConfigurationView:
        """Read the AI configuration; keys are never part of it."""
        return await self._ai.get(context)

    async def places(self, context: Signed) -> AiPlacesView:
        """Tell where the data of each assistant and AI routine assistant may go."""
        return await self._places.list_all(context)

    async def put(self, context: Signed, body: AiConfigurationBody, if_match: IfMatch = None) -> AiConfigurationView:
        """Choose the default profile."""
        return await self._ai.choose_default(context, body, if_match)

    async def order(self, context: Signed, body: AiFallBackBody, if_match: IfMatch = None) -> AiConfigurationView:
        """Choose which models are asked, in order, where an assistant's own does not answer."""
        return await self._ai.order(context, body, if_match)

    async def create(self, context: Signed, body: AiProfileCreate) -> AiProfileView:
        """Add a provider profile."""
        return await self._profiles.create(context, body)

    async def get_profile(self, context: Signed, key: AssistantKeyText) -> AiProfileView:
        """Read one provider profile."""
        return await self._ai.get_profile(context, key)

    async def patch(
        self, context: Signed, key: AssistantKeyText, body: AiProfilePatch, if_match: IfMatch = None
    ) -> AiProfileView:
        """Change a provider profile; another address needs the key again."""
        return await self._profiles.update(context, key, body, if_match)

    async def delete(self, context: Signed, key: AssistantKeyText, if_match: IfMatch = None) -> Done[AiProfileView]:
        """Delete a provider profile with its key."""
        return await self._profiles.delete(context, key, if_match)

    async def impact(
        self, context: Signed, key: AssistantKeyText, query: Annotated[DeleteImpactQuery, Query()]
    ) -> Impact:
        """Tell what deleting a provider profile would do."""
        del query
        return await self._profiles.impact_of_delete(context, key)

    async def test(self, context: Signed, key: AssistantKeyText, body: AiTrialBody) -> AiTrialView:
        """Ask a model of the profile and tell what it can do."""
        return await self._ai.try_profile(context, key, body)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of the AI configuration."""
    routes, ai = NovaRoutes(nova, "Administration"), _Endpoints(nova)
    base = "/administration/ai-configuration"
    one = f"{base}/profiles/{{key}}"
    routes.add(f"GET {base}", ai.get, "get_ai_configuration", _only("read"))
    routes.add(f"GET {base}/places", ai.places, "list_ai_places", _only("read"))
    routes.add(f"PUT {base}", ai.put, "update_ai_configuration", _only("write", UPDATED))
    routes.add(f"PUT {base}/fall-back", ai.order, "order_ai_fall_back", _only("write", UPDATED))
    create = _only("write", UPDATED)
    routes.add(f"POST {base}/profiles", ai.create, "create_ai_profile", create, status=201)
    routes.add(f"GET {one}", ai.get_profile, "get_ai_profile", _only("read"))
    routes.add(f"PATCH {one}", ai.patch, "update_ai_profile", _only("write", UPDATED))
    routes.add(f"DELETE {one}", ai.delete, "delete_ai_profile", _only("destructive", UPDATED, impact=_IMPACT))
    routes.add(f"GET {one}/impact", ai.impact, _IMPACT, _only("read"))
    routes.add(f"POST {one}/test", ai.test, "test_ai_profile", _only("read"))
    return routes.router


def _only(kind: Kind, *audit: str, impact: str | None = None) -> dict[str, Any]:
    return marks(kind, "A", audit=audit, impact=impact, interface_only=True)
