"""What a page may ask for."""

from collections.abc import Mapping
from dataclasses import dataclass

from nova_ui.auth.session import Sessions
from nova_ui.chat.assistants import Assistants
from nova_ui.chat.history import ChatHistory
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.chat.sent_requests import SentRequests
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.tool import AnyTool
from nova_ui.i18n.translator import Translators
from nova_ui.llm.registry import ModelRegistry
from nova_ui.nova_client.client import NovaDoor
from nova_ui.reactive import Event
from nova_ui.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Every part that pages use, built once. Pages reach Nova's data through `nova` only (rule A5)."""

    settings: Settings
    clock: Clock
    translators: Translators
    sessions: Sessions
    nova: NovaDoor
    tools: Mapping[str, AnyTool]
    models: ModelRegistry
    assistants: Assistants
    history: ChatHistory
    live_turns: LiveTurns
    sent_requests: SentRequests
    notified: Event[frozenset[IdentityId]]
