"""The finished prompt of an assistant, as its model would read it if a person asked now."""

from dataclasses import dataclass
from datetime import datetime

from nova_ui.chat.prompt import filled_prompt, system_message
from nova_ui.domain.assistant import Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.domain.identity import Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPreview:
    """What every assistant is told, and what this one is told behind it."""

    rules: str
    own: str


def preview_of(prompt: str, identity: Identity, now: datetime) -> PromptPreview:
    """Return both parts of what the server tells the model, variables filled in."""
    nobody = Assistant(
        key=AssistantKey("preview"),
        names={},
        descriptions={},
        prompt="",
        tools=ToolList(),
        audience=Audience(kind=AudienceKind.ADMINISTRATORS),
    )
    today = now.date()
    return PromptPreview(rules=system_message(nobody, identity, today).text, own=filled_prompt(prompt, identity, today))
