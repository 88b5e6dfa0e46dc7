"""How long a model may take and how much it may send, for one request."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one request to a model; every one is checked while the answer is being read.

    The three times run on one clock: until the first event, between two events (bytes and comments are none), and
    in all. `after_finish_s` is how long the end mark and the usage may follow the finish reason. `max_argument_bytes`
    is for one call, `max_arguments_bytes` for all of an answer.
    """

    first_event_s: float = 120.0
    event_gap_s: float = 60.0
    total_s: float = 600.0
    after_finish_s: float = 5.0
    max_request_bytes: int = 4_000_000
    max_body_bytes: int = 32_000_000
    max_error_bytes: int = 64_000
    max_line_bytes: int = 1_000_000
    max_events: int = 500_000
    max_text_chars: int = 400_000
    max_argument_bytes: int = 64_000
    max_arguments_bytes: int = 1_000_000
    max_calls: int = 512
