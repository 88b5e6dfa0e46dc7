"""The codes that a problem of the API may have: a client decides by them, so a new one is told here and in the docs."""

from typing import Final

KNOWN_CODES: Final = frozenset(
    {
        "approver_conflict",
        "conflict",
        "confirmation_invalid",
        "csrf_failed",
        "forbidden",
        "idempotency_in_work",
        "idempotency_key_reused",
        "idempotency_key_used",
        "interface_only",
        "last_administrator",
        "method_not_allowed",
        "not_found",
        "not_signed_in",
        "precondition_failed",
        "protected_object",
        "secret_in_request",
        "self_lockout",
        "session_ended",
        "sign_in_failed",
        "state_conflict",
        "too_large",
        "too_many_attempts",
        "turn_running",
        "unavailable",
        "unsupported_media_type",
        "validation_failed",
    }
)
