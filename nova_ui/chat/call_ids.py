"""Ids of calls: a model's own where they are usable and new in the turn, made up otherwise."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from nova_ui.domain.tool import CallId, RawCall

_USABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what every wire format takes back


class CallIds:
    """The ids given out in one turn; no two calls of a turn share one, whatever models send."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def with_own_id(self, call: RawCall) -> RawCall:
        """Return `call` under an id that no other call of the turn has."""
        wanted = call.call_id
        if _USABLE.fullmatch(wanted) is None or wanted in self._taken:
            return replace(call, call_id=self.new())
        self._taken.add(wanted)
        return call

    def new(self) -> CallId:
        """Return an id for a call that the server makes itself."""
        number = len(self._taken) + 1
        while f"nova_{number}" in self._taken:
            number += 1
        self._taken.add(f"nova_{number}")
        return CallId(f"nova_{number}")


def find_doubled(calls: Sequence[RawCall]) -> frozenset[int]:
    """Return the places of calls that share an id with another one: which of them is meant can't be known."""
    counted = Counter(call.call_id for call in calls)
    return frozenset(place for place, call in enumerate(calls) if counted[call.call_id] > 1)
