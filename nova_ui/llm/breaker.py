"""Which models are left alone for a while because they failed a moment ago; known to this process only."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.clock import Clock, SystemClock
from nova_ui.errors import FailureKind, ModelError

FIRST_REST: Final = timedelta(seconds=30)
LONGEST_REST: Final = timedelta(minutes=10)
MAX_NAMES: Final = 200


@dataclass(frozen=True, slots=True)
class _Rest:
    kind: FailureKind
    until: datetime
    lasts: timedelta


class Breaker:
    """Remembers the last failure of each model; each further one doubles its rest, an answer ends it.

    After its rest a model is simply asked again: if it fails, it rests twice as long. At most `max_names` are kept, the
    latest to fail.
    """

    def __init__(self, clock: Clock, *, max_names: int = MAX_NAMES) -> None:
        self._clock = clock
        self._max_names = max_names
        self._rests: OrderedDict[str, _Rest] = OrderedDict()

    @classmethod
    def never(cls) -> "Breaker":
        """Return one that keeps nothing."""
        return cls(SystemClock(), max_names=0)

    def failed(self, name: str, failure: ModelError) -> None:
        """Let `name` rest, at least as long as its provider asked for, but never longer than ten minutes."""
        before = self._rests.pop(name, None)
        lasts = FIRST_REST if before is None else before.lasts * 2
        lasts = min(max(lasts, timedelta(seconds=failure.retry_after_s or 0.0)), LONGEST_REST)
        self._rests[name] = _Rest(failure.kind, self._clock.now() + lasts, lasts)
        while len(self._rests) > self._max_names:
            self._rests.popitem(last=False)

    def answered(self, name: str) -> None:
        """Forget what `name` did before."""
        self._rests.pop(name, None)

    def resting(self, name: str) -> FailureKind | None:
        """Return how `name` failed if it still rests, else None."""
        rest = self._rests.get(name)
        return rest.kind if rest is not None and self._clock.now() < rest.until else None

    @property
    def count(self) -> int:
        """How many are kept."""
        return len(self._rests)
