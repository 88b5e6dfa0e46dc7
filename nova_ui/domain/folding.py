"""The form in which texts are compared: NFC, trimmed, case-folded, inner spaces single."""

import unicodedata


def fold(text: str) -> str:
    """Return `text` as unique keys, typed filters and `q` compare it."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def searchable(*parts: str | None) -> str:
    """Return what `q` looks into: the folded parts, one after the other; the first is also the key to sort by."""
    return " ".join(folded for part in parts if part and (folded := fold(part)))
