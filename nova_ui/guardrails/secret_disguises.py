"""Texts that read like others: characters that nobody sees, letters of another width (rules D2 to D4)."""

import re
import unicodedata
from typing import Final

# Of no width in what is shown: format characters, joiners, selectors, fillers. Copying from pages and chats adds them.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def undisguised(text: str) -> str:
    """Return `text` without what nobody sees and in plain letters; the very same text where it has neither."""
    if text.isascii():
        return text
    plain = _UNSEEN.sub("", text)
    return plain if unicodedata.is_normalized("NFKC", plain) else unicodedata.normalize("NFKC", plain)
