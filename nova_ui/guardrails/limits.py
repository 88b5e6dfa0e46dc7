"""What one message may cost: model calls, destructive actions, repeats, characters (rules C9, E1 to E5)."""

from collections import Counter
from typing import Final

from nova_ui.guardrails.refusal import Code, Refusal

MAX_MODEL_CALLS: Final = 12
MAX_DESTRUCTIVE: Final = 1
MAX_SAME_CALL: Final = 3
MAX_RESULT_CHARS: Final = 12_000
MAX_TURN_RESULT_CHARS: Final = 60_000
MAX_INNER_CALLS: Final = 60
MAX_TOOL_SECONDS: Final = 60.0


class TurnLedger:
    """What a turn has used so far; one for each turn, and nothing outlives it.

    `check_…` asks, `count_…` notes what happened. Parallel calls of one answer are passed one by one, in their order.
    """

    def __init__(self) -> None:
        self.model_calls = 0
        self.destructive = 0
        self.previews = 0
        self.result_chars = 0
        self._has_crossed = False
        self._runs: Counter[str] = Counter()
        self._previewed: set[str] = set()
        self._unknown: set[str] = set()

    @property
    def is_last_model_call(self) -> bool:
        """Whether the model call that runs or comes next is to be asked for words only (rule E1)."""
        return self.model_calls >= MAX_MODEL_CALLS - 1

    @property
    def room_chars(self) -> int:
        """How long the next result may be, its envelope and notes included (rules E4, E5)."""
        return max(0, min(MAX_RESULT_CHARS, MAX_TURN_RESULT_CHARS - self.result_chars))

    def check_model_call(self) -> Refusal | None:
        """Say why no further request may go to the model; a retry is one too."""
        if self.model_calls < MAX_MODEL_CALLS:
            return None
        return _limit(Code.LIMIT_MODEL_CALLS, MAX_MODEL_CALLS, "No further request goes to the model.")

    def check_any_call(self) -> Refusal | None:
        """Say why no tool may run any more in this turn, or None."""
        if self.model_calls >= MAX_MODEL_CALLS:
            return _limit(Code.LIMIT_MODEL_CALLS, MAX_MODEL_CALLS, "This was the last answer: use words only.")
        if self._has_crossed or self.result_chars >= MAX_TURN_RESULT_CHARS:
            return _limit(Code.LIMIT_TOOL_RESULTS, MAX_TURN_RESULT_CHARS, "Answer from what you have.")
        return None

    def check_same_call(self, digest: str) -> Refusal | None:
        """Say why this very call may not run again in this turn, or None."""
        if digest in self._unknown:
            return Refusal(
                code=Code.LIMIT_REPEATED_CALL,
                reason="outcome_unknown",
                advice="The outcome of this very call is unknown; it is not repeated. Read the current state.",
            )
        if self._runs[digest] >= MAX_SAME_CALL:
            return _limit(Code.LIMIT_REPEATED_CALL, MAX_SAME_CALL, "Use the results you have, or other arguments.")
        return None

    def check_destructive(self) -> Refusal | None:
        """Say why a further destructive action may be neither shown nor run in this turn, or None (rule C9)."""
        if self.destructive + self.previews < MAX_DESTRUCTIVE:
            return None
        return _limit(
            Code.LIMIT_DESTRUCTIVE, MAX_DESTRUCTIVE, "Finish this one; the person can ask for the next one afterwards."
        )

    def was_previewed(self, digest: str) -> bool:
        """Whether a preview of this very call was made in this turn (rule C7)."""
        return digest in self._previewed

    def count_model_call(self) -> None:
        """Note a request to the model, retries included."""
        self.model_calls += 1

    def take_back_model_call(self) -> None:
        """Note that a counted request was not sent after all: no budget had room for it (rule E6)."""
        self.model_calls -= 1

    def count_run(self, digest: str) -> None:
        """Note that a call runs."""
        self._runs[digest] += 1

    def count_destructive(self) -> None:
        """Note that a destructive action runs."""
        self.destructive += 1

    def count_preview(self, digest: str) -> None:
        """Note that a preview was stored."""
        self.previews += 1
        self._previewed.add(digest)

    def note_unknown(self, digest: str) -> None:
        """Note a call whose outcome is unknown: it is never repeated (rule C10)."""
        self._unknown.add(digest)

    def count_result(self, content: str, *, was_cut: bool = False) -> None:
        """Note what the model is told; refusals and errors count as well.

        One that was cut because the turn had too little room is the one that crosses: whole records may leave some of
        that room empty, and still no further call runs (rule E5).
        """
        if was_cut and MAX_TURN_RESULT_CHARS - self.result_chars < MAX_RESULT_CHARS:
            self._has_crossed = True
        self.result_chars += len(content)


def _limit(code: Code, count: int, advice: str) -> Refusal:
    return Refusal(code=code, reason="limit", advice=advice, params={"count": count})
