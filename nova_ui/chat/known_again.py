"""What a chat kept before somebody stored it as a secret: it reaches no model any more (rule D3)."""

from dataclasses import replace

from nova_ui.chat.message import without_stored_secrets
from nova_ui.domain.chat import RecordedCall, Step, TurnRecord
from nova_ui.guardrails.known_secrets import KnownSecrets, hide_known_in_object, hide_known_in_text


def without_known(record: TurnRecord, known: KnownSecrets) -> TurnRecord:
    """Return a turn of before without what is known as a secret by now; what is stored of it stays."""
    if not known.lengths:
        return record
    steps = tuple(_step(one, known) for one in record.steps)
    return replace(record, message=without_stored_secrets(record.message, known), steps=steps)


def _step(step: Step, known: KnownSecrets) -> Step:
    calls = tuple(_call(one, known) for one in step.calls)
    return replace(step, text=hide_known_in_text(step.text, known), calls=calls)


def _call(call: RecordedCall, known: KnownSecrets) -> RecordedCall:
    arguments = hide_known_in_object(call.arguments, known)
    return replace(call, arguments=arguments, content=hide_known_in_text(call.content, known))
