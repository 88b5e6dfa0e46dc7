"""Whether an assistant exists for an identity (rules B5, G4)."""

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.identity import Identity
from nova_ui.guardrails.refusal import Code, Refusal


def exists_for(assistant: Assistant | None, identity: Identity) -> bool:
    """Whether `identity` may know of and use `assistant`; if not, it looks as if there were none."""
    if assistant is None:
        return False
    if not assistant.enabled:
        return False
    return assistant.audience.admits(identity)


def check_audience(assistant: Assistant | None, identity: Identity) -> Refusal | None:
    """Say why no tool of `assistant` may run, or None; gone and withdrawn look the same."""
    return None if exists_for(assistant, identity) else no_assistant()


def no_assistant() -> Refusal:
    """Return the no to every call where there is no assistant."""
    return Refusal(
        code=Code.NOT_RELEASED,
        reason="no_assistant",
        advice="This assistant is not available to the person any more. No tool can run here.",
    )
