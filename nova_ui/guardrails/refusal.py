"""A guardrail's no: its wire code, why, and the words for the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from nova_ui.domain.json_value import JsonValue


class Code(StrEnum):
    """The refusal codes of tool calls, as they go over the wire."""

    NOT_RELEASED = "not_released"
    NOT_PERMITTED = "not_permitted"
    INTERFACE_ONLY = "interface_only"
    INVALID_ARGUMENTS = "invalid_arguments"
    SECRET_ARGUMENT = "secret_argument"  # noqa: S105 - a code, not a secret
    CONFIRMATION_REQUIRED = "confirmation_required"
    CONFIRMATION_INVALID = "confirmation_invalid"
    READ_ONLY_REPLY = "read_only_reply"
    LIMIT_DESTRUCTIVE = "limit_destructive"
    LIMIT_REPEATED_CALL = "limit_repeated_call"
    LIMIT_TOOL_RESULTS = "limit_tool_results"
    LIMIT_MODEL_CALLS = "limit_model_calls"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A normal answer that is a no.

    `reason` is a stable word for tests and logs ("same_message", "expired", …); `advice` is short English for the
    model: what was wrong and how to go on; it never repeats the value of an argument. `params` are named values for
    the person's sentence.
    """

    code: Code
    reason: str
    advice: str
    params: Mapping[str, JsonValue] = field(default_factory=dict)
