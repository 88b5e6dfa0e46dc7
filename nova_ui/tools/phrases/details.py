"""Pieces that may stand beside the phrases of several tools."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import Phrasing, Slot, SlotKind


def is_so(argument: str, english: tuple[str, ...] = (), german: tuple[str, ...] = ()) -> Phrasing:
    """Return a detail whose words say that one argument is true."""
    return Phrasing(english=english, german=german, sets=MappingProxyType({argument: True}))


def setting(argument: str, value: JsonValue, english: tuple[str, ...] = (), german: tuple[str, ...] = ()) -> Phrasing:
    """Return a detail whose words give one argument its value."""
    return Phrasing(english=english, german=german, sets=MappingProxyType({argument: value}))


ROWS: Final = Phrasing(
    english=("first/top/only/latest/last {limit}", "{limit} of", "at most {limit}"),
    german=("ersten/letzten/neuesten/nur {limit}", "hoechstens {limit}", "maximal {limit}"),
)
ROWS_SLOT: Final = Slot(kind=SlotKind.COUNT)
PERIOD_SLOT: Final = Slot(kind=SlotKind.PERIOD, arguments=("after", "before"))
REASON: Final = Phrasing(
    english=("because/since/as {reason}", "reason {reason}", "due to {reason}"),
    german=("weil/da/denn {reason}", "grund {reason}", "wegen {reason}"),
)
REASON_SLOT: Final = Slot(kind=SlotKind.TEXT)

IDENTITY_STATES: Final = (
    setting("status", "suspended", ("suspended",)),
    setting("status", "disabled", ("disabled",)),
    setting("status", "active", ("active",)),
    setting("status", "staged", ("staged",)),
    setting("status", "archived", ("archived",)),
)
DEPARTMENT: Final = Phrasing(
    english=(
        "in/of/from [the] department {department}",
        "in/from/of/at {department} [department]",
        "work/works/working in [the] {department} [department]",
        "department [is/named] {department}",
    ),
    german=(
        "in/aus/von/der [der] abteilung {department}",
        "in/im/aus/vom {department}",
        "arbeitet/arbeiten in/im [der] [abteilung] {department}",
        "abteilung {department}",
    ),
)
