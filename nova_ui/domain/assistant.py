"""What an assistant is, and which assistants cannot exist (rules B3, B4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NewType

from nova_ui.domain.assistant_icons import DEFAULT_ICON
from nova_ui.domain.identity import Identity, Language, Role
from nova_ui.errors import AssistantRuleBroken

AssistantKey = NewType("AssistantKey", str)

ADMIN_CHAT_KEY: Final = AssistantKey("admin")
KEY_SHAPE: Final = "[a-z][a-z0-9_-]{0,31}"
ORIGIN_SHAPE: Final = (
    f"interface|routine|system|ai_(chat|routine)(:{KEY_SHAPE})?"  # where an audit entry came from, as filters name it
)


class AudienceKind(StrEnum):
    """To whom an assistant is open."""

    ADMINISTRATORS = "administrators"
    ROLES = "roles"
    GROUPS = "groups"
    EVERYONE = "everyone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Who may use an assistant; `roles` counts only for `AudienceKind.ROLES`, `group_ids` only for `GROUPS`."""

    kind: AudienceKind
    roles: frozenset[Role] = frozenset()
    group_ids: frozenset[str] = frozenset()

    @property
    def asks_for_groups(self) -> frozenset[str]:
        """The groups whose membership decides; most audiences need to know of none."""
        return self.group_ids if self.kind is AudienceKind.GROUPS else frozenset()

    @property
    def is_administrators_only(self) -> bool:
        """Whether nobody but administrators is let in."""
        return self.kind is AudienceKind.ADMINISTRATORS

    def admits(self, identity: Identity) -> bool:
        """Whether `identity` belongs to the audience."""
        match self.kind:
            case AudienceKind.ADMINISTRATORS:
                return identity.is_administrator
            case AudienceKind.ROLES:
                return bool(self.roles & identity.roles)
            case AudienceKind.GROUPS:
                return bool(self.group_ids & identity.group_ids)
            case AudienceKind.EVERYONE:
                return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolList:
    """What an assistant may use: named tools, or all there are."""

    all_tools: bool = False
    names: frozenset[str] = frozenset()

    def holds(self, name: str) -> bool:
        """Whether the tool called exactly `name` is released; names match byte for byte (rule B8)."""
        return self.all_tools or name in self.names


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """A configured chat partner.

    With `button_only` its cards take no typed agreement; for the tools in `type_name_for` the object's name must be
    typed beside the button; with `ask_before_changes` every tool that changes something waits on a card, not only the
    destructive ones (rule C15). `fall_back` names the models that stand in for its own, in order; None leaves it
    to the order that holds for all.

    `temperature` counts before that of its model's profile, where that takes one.

    Raises:
        AssistantRuleBroken: all tools beyond administrators (B3), or a weakened Admin Chat (B4).

    """

    key: AssistantKey
    names: Mapping[Language, str]
    descriptions: Mapping[Language, str]
    prompt: str
    tools: ToolList
    audience: Audience
    starters: Mapping[Language, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    model: str | None = None
    fall_back: tuple[str, ...] | None = None
    button_only: bool = False
    type_name_for: frozenset[str] = frozenset()
    ask_before_changes: bool = False
    enabled: bool = True
    position: int = 100
    icon: str = DEFAULT_ICON
    temperature: float | None = None

    def __post_init__(self) -> None:
        if self.key == ADMIN_CHAT_KEY:
            if not self.tools.all_tools:
                raise AssistantRuleBroken("B4", "admin_chat_has_all_tools")
            if not self.audience.is_administrators_only:
                raise AssistantRuleBroken("B4", "admin_chat_is_for_administrators")
            if not self.enabled:
                raise AssistantRuleBroken("B4", "admin_chat_stays_enabled")
        if self.tools.all_tools and not self.audience.is_administrators_only:
            raise AssistantRuleBroken("B3", "all_tools_need_administrators")

    @property
    def is_preset(self) -> bool:
        """Whether this is the Admin Chat, which can be neither deleted nor weakened."""
        return self.key == ADMIN_CHAT_KEY

    def name_in(self, language: Language) -> str:
        """Return the name in `language`, else the English one, else the key."""
        return self.names.get(language) or self.names.get(Language.ENGLISH) or self.key
