"""What the engine works with: the doors that the bootstrap opens for it, once for the process."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from nova_ui.chat.translating import Translate
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Caller, Identity, Language, SessionId
from nova_ui.domain.tool import AnyTool, ToolOffer
from nova_ui.guardrails.gate import Gate
from nova_ui.guardrails.situation import ToolDoor
from nova_ui.llm.fallback import ModelChain, ModelPlace
from nova_ui.llm.port import Model
from nova_ui.nova_client.origin import Origin
from nova_ui.tools.registry import offer
from storage.chat.audience import GroupsAmong
from storage.database import Database

IdentityOf = Callable[[SessionId], Awaitable[Identity | None]]


class ModelSource(Protocol):
    """Knows which model answers for an assistant."""

    def for_assistant(self, assistant: Assistant) -> Model:
        """Return the assistant's model."""

    def chain_for(self, assistant: Assistant) -> ModelChain:
        """Return the assistant's model with those that stand in for it, for one turn."""

    def places_for(self, assistant: Assistant) -> tuple[ModelPlace, ...]:
        """Return every place that data of the assistant's chats may go to, in the order in which they are asked."""


class NovaSource(Protocol):
    """Opens Nova, bound to one session and one origin."""

    def open(self, caller: Caller, origin: Origin) -> ToolDoor:
        """Return the door for one turn's calls."""


class LanguageSource(Protocol):
    """Knows every language."""

    def for_language(self, language: Language) -> Translate:
        """Return the translator of one language."""


async def as_they_are() -> None:
    """Change nothing, where models are configured by nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The engine's collaborators. `identity_of` and `groups_among` look up afresh each time (rule A2).

    `offers` are the tools by name, and by whether their calls wait on a card. `look_at_models` has `models` know what
    is configured now; it raises nothing.
    """

    database: Database
    clock: Clock
    gate: Gate
    tools: Mapping[str, AnyTool]
    models: ModelSource
    nova: NovaSource
    identity_of: IdentityOf
    groups_among: GroupsAmong
    translators: LanguageSource
    look_at_models: Callable[[], Awaitable[None]] = as_they_are
    offers: Mapping[tuple[str, bool], ToolOffer] = field(init=False)

    def __post_init__(self) -> None:
        # Schemas are built once, not for each of a turn's twelve requests.
        offers = {
            (name, waits): offer(tool, waits=waits) for name, tool in self.tools.items() for waits in (False, True)
        }
        object.__setattr__(self, "offers", offers)
