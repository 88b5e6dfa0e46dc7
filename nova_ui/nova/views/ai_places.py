"""Where the data of each assistant may go: interface only, as the rest of the AI configuration (rule B6)."""

from typing import Literal

from pydantic import Field

from nova_ui.domain.ai_profile import DeclaredMode
from nova_ui.llm.port import Mode
from nova_ui.nova.views.common import View


class AiPlaceView(View):
    """A model that may get data; never its key."""

    name: str = Field(description="a profile's key, or key/model")
    model: str
    mode: Mode = Field(description="where data goes: what the address says, or further where that was declared")
    mode_by_address: Mode | None = Field(description="null where there is no profile to look at")
    declared_mode: DeclaredMode | None
    host: str = Field(description="host of the address; empty for the built-in model")


class AiUserPlacesView(View):
    """An assistant or AI routine assistant, and the models that it may ask, in the order in which they are asked."""

    type: Literal["assistant", "ai_routine"]
    key: str
    names: dict[str, str]
    enabled: bool
    mode: Mode = Field(description="the furthest of its places")
    places: list[AiPlaceView]


class AiPlacesView(View):
    """All of them."""

    items: list[AiUserPlacesView]
