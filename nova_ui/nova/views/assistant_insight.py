"""What an assistant's tool list comes to: for one identity, at the least, and in which order assistants stand."""

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.guardrails.forecast import Verdict
from nova_ui.nova.views.common import Body, Query, Ref, View
from nova_ui.nova.views.types import AssistantKeyText, IdentityRef

MAX_ASSISTANTS = 1_000


class ForecastQuery(Query):
    """For whom."""

    identity_id: IdentityRef


class ToolForecast(View):
    """What would become of a call of one tool with usable arguments; endpoints decide again by the object."""

    tool: str
    verdict: Verdict
    rule: str = Field(description="number of the rule that refuses or asks for a confirmation; empty where allowed")
    reason: str = Field(description="the refusal's stable word; empty where there is none")


class AssistantForecast(View):
    """What the assistant, as it is stored, could do for an identity right now."""

    identity: Ref
    roles: list[Role]
    is_active: bool
    is_open: bool = Field(description="whether the assistant exists for the identity at all (rule B5)")
    items: list[ToolForecast]
    next_cursor: None = None
    total: int


class StarterNeeds(View):
    """What a prompt starter needs, as the built-in model understands it."""

    text: str
    language: Language
    is_clear: bool = Field(description="false: it is not understood, or could mean several tools, which are named")
    tools: list[str]


class SmallestToolList(View):
    """The tools that the prompt starters need: a proposal, which nothing applies by itself."""

    tool_names: list[str]
    missing: list[str] = Field(description="needed, and not on the list as it is stored")
    spare: list[str] = Field(description="on the list as it is stored, and not needed")
    items: list[StarterNeeds]
    next_cursor: None = None
    total: int


class AssistantOrder(Body):
    """Every assistant's key, in the order wished."""

    keys: list[AssistantKeyText] = Field(min_length=1, max_length=MAX_ASSISTANTS)
