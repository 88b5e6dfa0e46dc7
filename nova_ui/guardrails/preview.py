"""What the card shows before a destructive action runs, and whether it still holds (rules C2, C13, C14)."""

import dataclasses
import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from nova_ui.domain.chat import PreviewId, Turn
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import CallId, Change, Consequence, Shown, ToolCall
from nova_ui.errors import NovaForbidden, NovaNotFound
from nova_ui.guardrails.redaction import redact_object, redact_text

_ID_ENDING: Final = "_id"


async def look(show: Callable[[], Awaitable[Shown]], call: ToolCall, secret_fields: frozenset[str]) -> Shown:
    """Read what the card shows, as the identity, with secrets replaced.

    No such object and no right to read it look the same: no current state (rule C2).

    Raises:
        NovaProblem: the action itself would be refused; then there is nothing to confirm.

    """
    try:
        shown = await show()
    except (NovaNotFound, NovaForbidden):
        return Shown(subject=subject_by_arguments(call))
    return without_secrets(shown, secret_fields)


def subject_by_arguments(call: ToolCall) -> str:
    """Name the object of a call by nothing but its arguments."""
    ids = (value for name, value in call.arguments.items() if name.endswith(_ID_ENDING) and isinstance(value, str))
    return next(ids, "")


def without_secrets(shown: Shown, secret_fields: frozenset[str]) -> Shown:
    """Return `shown` as it may be stored and drawn (rule D3)."""
    state = shown.current_state
    return Shown(
        subject=redact_text(shown.subject),
        current_state=None if state is None else redact_object(state, secret_fields),
        changes=tuple(_change_without_secrets(change, secret_fields) for change in shown.changes),
        consequences=tuple(
            dataclasses.replace(consequence, names=tuple(redact_text(name) for name in consequence.names))
            for consequence in shown.consequences
        ),
        etag=shown.etag,
    )


def _change_without_secrets(change: Change, secret_fields: frozenset[str]) -> Change:
    whole: JsonObject = {"field": change.field, "before": change.before, "after": change.after}
    redacted = redact_object(whole, secret_fields)
    return Change(field=change.field, before=redacted.get("before"), after=redacted.get("after"))


def digest_of(shown: Shown) -> str:
    """Return a digest over everything shown, the object's version included: equal as long as the card is true."""
    state: JsonObject | None = shown.current_state
    changes: list[JsonValue] = [[change.field, change.before, change.after] for change in shown.changes]
    consequences: list[JsonValue] = [_as_json(consequence) for consequence in shown.consequences]
    text = json.dumps([shown.subject, state, changes, consequences, shown.etag], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _as_json(consequence: Consequence) -> JsonValue:
    return [consequence.type, consequence.count, list(consequence.names), consequence.result]


def still_holds(preview: Preview, now_shown: Shown) -> bool:
    """Whether what the card showed is still true (rule C14)."""
    return digest_of(now_shown) == preview.shown_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who asks for a preview, by which call, and what its assistant demands of a confirmation (rule C15)."""

    turn: Turn
    call_id: CallId
    by_person: bool
    button_only: bool = False
    type_name_for: frozenset[str] = frozenset()


def build_preview(preview_id: PreviewId, asked: Asked, call: ToolCall, shown: Shown, now: datetime) -> Preview:
    """Build the preview of `call`; `shown` holds no secret any more."""
    return Preview(
        id=preview_id,
        identity_id=asked.turn.identity.id,
        assistant_key=asked.turn.assistant_key,
        chat_id=asked.turn.chat_id,
        turn_id=asked.turn.id,
        turn_number=asked.turn.number,
        call_id=asked.call_id,
        call=call,
        shown=shown,
        shown_digest=digest_of(shown),
        shown_at=now,
        button_only=asked.button_only,
        name_to_type=shown.subject if call.tool_name in asked.type_name_for else None,
        by_person=asked.by_person,
    )
