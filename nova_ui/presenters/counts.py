"""Numbers by group: when a result holds them, and when a person asked to see them as a chart."""

import re
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.presenters.records import Records, cell_value

MAX_BARS: Final = 60
_COUNT: Final = "count"
_LABEL: Final = "label"
_ASKS: Final = re.compile(r"\b(charts?|graphs?|diagrams?|\w*diagramme?|grafik)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One group: what it is called, how many it holds, and its length as a part of the longest, from 0 to 1."""

    label: str
    count: int
    share: float


def bars_of(records: Records) -> tuple[Bar, ...]:
    """Return a bar for each row of a list of counts, in its order; nothing for any other list."""
    named = sorted((name for name in records.shown_columns if name != _COUNT), key=lambda name: name != _LABEL)
    counts = [_whole(row.get(_COUNT)) for row in records.rows]
    if not named or len(counts) > MAX_BARS or any(count is None for count in counts):
        return ()
    whole = [count for count in counts if count is not None]
    longest = max(whole, default=0) or 1
    return tuple(
        Bar(label=_label(row.get(named[0])), count=count, share=count / longest)
        for row, count in zip(records.rows, whole, strict=True)
    )


def asks_for_chart(text: str) -> bool:
    """Whether a person's words ask for a chart, in English or German."""
    return _ASKS.search(text) is not None


def _whole(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _label(value: JsonValue) -> str:
    return str(cell_value(value))
