"""What the browser may send as a typed message, and under which name it keeps a draft."""

from typing import Final

from nova_ui.domain.identity import IdentityId

MAX_MESSAGE_CHARS: Final = 16_000


def parse_typed(value: object) -> str | None:
    """Return the typed text, or None for anything a browser of ours would not send."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_MESSAGE_CHARS:
        return None
    return value


def draft_name(identity_id: IdentityId) -> str:
    """Return the name under which a tab keeps a draft; another person at the same tab does not see it."""
    return f"nova.draft.{identity_id}"
