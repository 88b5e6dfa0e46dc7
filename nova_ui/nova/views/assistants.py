"""Administration of assistants: interface only (rule B6)."""

from datetime import datetime
from typing import Annotated, Final

from pydantic import AfterValidator, Field, StrictInt, StringConstraints
from pydantic_core import PydanticCustomError

from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.assistant_icons import ASSISTANT_ICONS, DEFAULT_ICON
from nova_ui.domain.identity import Language, Role
from nova_ui.nova.views.common import Body, ObjectRef, View
from nova_ui.nova.views.types import AssistantKeyText, GroupRef, Line, Name

MAX_GROUPS: Final = 50


def _known_icon(name: str) -> str:
    if name not in ASSISTANT_ICONS:
        raise PydanticCustomError("icon", "must be one of the icons that assistants can have")
    return name


Prompt = Annotated[str, StringConstraints(max_length=20_000)]
AssistantIcon = Annotated[str, Field(json_schema_extra={"enum": [*ASSISTANT_ICONS]}), AfterValidator(_known_icon)]
Temperature = Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]
Starter = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class AssistantView(View):
    """An assistant as administrators see it."""

    key: str
    names: dict[Language, str]
    descriptions: dict[Language, str]
    prompt: str
    model: str | None
    fall_back: list[str] | None
    all_tools: bool
    tool_names: list[str]
    audience: AudienceKind
    audience_roles: list[Role]
    audience_group_ids: list[str]
    audience_groups: list[ObjectRef]
    starters: dict[Language, list[str]]
    button_only: bool
    type_name_for: list[str]
    ask_before_changes: bool
    enabled: bool
    position: int
    icon: str
    temperature: float | None
    preset: bool
    version: int
    created_at: datetime | None
    updated_at: datetime | None


class AssistantList(View):
    """Every assistant in the order set."""

    items: list[AssistantView]
    next_cursor: None = None
    total: int


class AssistantCreate(Body):
    """A new assistant; all tools only for administrators (rule B3)."""

    key: AssistantKeyText
    names: dict[Language, Name] = Field(min_length=1)
    descriptions: dict[Language, Line] = Field(default_factory=dict)
    prompt: Prompt = Field("", description="may hold {name}, {language} and {date}; a brace itself is doubled")
    model: Name | None = None
    fall_back: list[Name] | None = Field(
        default=None, max_length=10, description="models that stand in for its own, in order; null: as for all"
    )
    all_tools: bool = False
    tool_names: list[str] = Field(default_factory=list, max_length=500)
    audience: AudienceKind = AudienceKind.ADMINISTRATORS
    audience_roles: list[Role] = Field(default_factory=list, max_length=4)
    audience_group_ids: list[GroupRef] = Field(default_factory=list, max_length=MAX_GROUPS)
    starters: dict[Language, list[Starter]] = Field(default_factory=dict)
    button_only: bool = Field(default=False, description="cards take the button only, no typed agreement (rule C15)")
    type_name_for: list[str] = Field(
        default_factory=list,
        max_length=500,
        description="tools that wait on a card, for which the object's name must be typed",
    )
    ask_before_changes: bool = Field(
        default=False, description="every tool that changes something waits on a card (rule C15)"
    )
    enabled: bool = True
    position: StrictInt = Field(100, ge=0, le=10_000)
    icon: AssistantIcon = DEFAULT_ICON
    temperature: Temperature | None = Field(None, description="counts before that of the model's profile")


class AssistantPatch(Body):
    """A merge patch: what is absent stays."""

    names: dict[Language, Name] = Field(default_factory=dict, min_length=1)
    descriptions: dict[Language, Line] = Field(default_factory=dict)
    prompt: Prompt = Field(default_factory=str)
    model: Name | None = None
    fall_back: list[Name] | None = Field(default=None, max_length=10)
    all_tools: bool = Field(default_factory=bool)
    tool_names: list[str] = Field(default_factory=list, max_length=500)
    audience: AudienceKind = Field(default_factory=lambda: AudienceKind.ADMINISTRATORS)
    audience_roles: list[Role] = Field(default_factory=list, max_length=4)
    audience_group_ids: list[GroupRef] = Field(default_factory=list, max_length=MAX_GROUPS)
    starters: dict[Language, list[Starter]] = Field(default_factory=dict)
    button_only: bool = Field(default_factory=bool)
    type_name_for: list[str] = Field(default_factory=list, max_length=500)
    ask_before_changes: bool = Field(default_factory=bool)
    enabled: bool = Field(default_factory=bool)
    position: StrictInt = Field(default_factory=int, ge=0, le=10_000)
    icon: AssistantIcon = Field(default_factory=str)
    temperature: Temperature | None = None


class ToolView(View):
    """A tool as the tool list of an assistant shows it; texts are message ids."""

    name: str
    title: str
    summary: str
    area: str
    icon: str
    kind: str
    roles: list[Role]
    is_flow: bool
    self_service: bool
    inner_tools: list[str]


class ToolCatalogue(View):
    """Every tool there is."""

    items: list[ToolView]
    next_cursor: None = None
    total: int
