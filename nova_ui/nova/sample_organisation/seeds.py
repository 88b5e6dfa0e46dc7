"""Made-up values that are the same at every load: ids and choices follow from names, moments from the clock."""

import hashlib
import unicodedata
from datetime import datetime, timedelta
from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH: Final = 20
_FIRST_HOUR: Final = 7
_WORKING_S: Final = 10 * 3600
_FRIDAY: Final = 4
_TRANSLITERATED: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "ł": "l", " ": "", "-": "", "'": ""}
)


def sample_id(prefix: str, name: str) -> str:
    """Return the id of the sample object called `name`: `sample_id("grp", "contractors")` is always the same."""
    number = _number(f"{prefix}:{name}")
    return f"{prefix}_" + "".join(_ALPHABET[(number >> 5 * place) & 31] for place in range(_ID_LENGTH))


def spread(name: str, below: int) -> int:
    """Return a number from 0 to `below` - 1 that follows from `name` and looks random."""
    return _number(name) % below


def working_time(now: datetime, days_ago: int, name: str) -> datetime:
    """Return a moment in office hours, `days_ago` days before `now` or on the Friday before that, never after `now`."""
    day = (now - timedelta(days=days_ago)).replace(hour=_FIRST_HOUR, minute=0, second=0, microsecond=0)
    day -= timedelta(days=max(0, day.weekday() - _FRIDAY))
    moment = day + timedelta(seconds=spread(f"second:{name}", _WORKING_S), microseconds=spread(f"µ:{name}", 1_000_000))
    return moment if moment < now else moment - timedelta(days=1)


def log_in_name(display_name: str) -> str:
    """Return `mara.koenig` for `Mara König`: first and last name, in ASCII, umlauts written out."""
    given, _, family = display_name.lower().partition(" ")
    return ".".join(_ascii(part) for part in (given, family))


def _ascii(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_TRANSLITERATED))
    return "".join(character for character in decomposed if character.isascii())


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest())
