"""Whoever puts what the server says into the person's language."""

from typing import Protocol


class Translate(Protocol):
    """Puts a message into the person's language."""

    def __call__(self, message: str, /, **values: object) -> str:
        """Translate `message` and fill its named values in."""
