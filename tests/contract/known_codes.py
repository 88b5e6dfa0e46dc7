"""The codes that a problem of the API may have: a client decides by them, so a new one is told here and in the docs."""

from typing import Final

KNOWN_CODES: Final = frozenset(
    {
        "acts_as_inactive",
        "approver_conflict",
        "confirmation_invalid",
        "conflict",
        "csrf_failed",
        "forbidden",
        "fresh_sign_in_required",
        "idempotency_in_work",
        "idempotency_key_reused",
        "idempotency_key_used",
        "interface_only",
        "last_administrator",
        "method_not_allowed",
        "not_found",
        "not_signed_in",
        "password_refused",
        "precondition_failed",
        "protected_object",
        "second_step_required",
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
        "wrong_code",
        "wrong_password",
    }
)
