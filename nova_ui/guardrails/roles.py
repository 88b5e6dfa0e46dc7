"""Whether an identity's roles admit a tool (rule A3)."""

from nova_ui.domain.identity import Identity
from nova_ui.domain.tool import AnyTool
from nova_ui.guardrails.refusal import Code, Refusal


def check_roles(tool: AnyTool, identity: Identity) -> Refusal | None:
    """Say why `identity` may not use `tool`, or None if it may; the endpoint decides again by the object."""
    if tool.roles & identity.roles:
        return None
    return Refusal(
        code=Code.NOT_PERMITTED,
        reason="role",
        advice="The signed-in person's role does not permit this tool. Say so; do not try other ways.",
    )


def session_ended() -> Refusal:
    """Return the no to every call after the session ended or the identity was disabled (rule A2)."""
    return Refusal(
        code=Code.NOT_PERMITTED,
        reason="session_ended",
        advice="The person is no longer signed in. Nothing can be read or changed any more.",
    )
