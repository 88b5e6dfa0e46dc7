"""What is wrong with arguments, in words that name fields and never repeat a value."""

import re
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_MAX_NAMED: Final = 5
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OWN_WORDS: Final = frozenset({"value_error", "assertion_error"})


def describe(error: ValidationError) -> str:
    """Return one sentence for each of the first five mistakes."""
    mistakes = error.errors(include_url=False)
    sentences = [_sentence(mistake) for mistake in mistakes[:_MAX_NAMED]]
    if len(mistakes) > _MAX_NAMED:
        sentences.append(f"{len(mistakes) - _MAX_NAMED} more.")
    return " ".join(sentences)


def _sentence(mistake: ErrorDetails) -> str:
    where = ".".join(_place(part) for part in mistake["loc"]) or "The arguments"
    if mistake["type"] == "extra_forbidden":
        return f"{where}: there is no such argument."
    if mistake["type"] == "missing":
        return f"{where}: is required."
    if mistake["type"] in _OWN_WORDS and _echoes(mistake["msg"], mistake["input"]):
        return f"{where}: is not valid."
    return f"{where}: {plain(mistake['msg'])}."


def plain(message: str) -> str:
    """Return a mistake's message as our own validator wrote it."""
    return message.removeprefix("Value error, ")


def _place(part: str | int) -> str:
    """Name a place; a key that the caller made up is shown only if it is a plain name."""
    if isinstance(part, int):
        return str(part)
    return part if _PLAIN_NAME.fullmatch(part) else "(unreadable name)"


def _echoes(words: str, given: object) -> bool:
    """Whether a validator's own words repeat what was given."""
    if isinstance(given, dict):
        return any(_echoes(words, item) for item in given.values())
    if isinstance(given, list):
        return any(_echoes(words, item) for item in given)
    text = str(given)
    return text != "" and text in words
