"""Keeps a model's reasoning out of its answer where a server sends it as text."""

from typing import Final

_OPEN: Final = "<think>"
_CLOSE: Final = "</think>"


class ReasoningFilter:
    """Drops a `<think>` block at the very beginning of an answer; anywhere else it is the answer's own text."""

    def __init__(self) -> None:
        self._held = ""
        self._is_inside = False
        self._is_past = False

    def feed(self, text: str) -> str:
        """Return what of `text`, and of what was held back before, belongs to the answer."""
        if self._is_past:
            return text
        self._held += text
        if not self._is_inside:
            begin = self._held.lstrip()
            if _OPEN.startswith(begin[: len(_OPEN)]) and len(begin) < len(_OPEN):
                return ""  # may still become the opening mark
            if not begin.startswith(_OPEN):
                return self._release(self._held)
            self._is_inside = True
        _, mark, answer = self._held.partition(_CLOSE)
        if mark:
            return self._release(answer.lstrip())
        self._held = self._held[-len(_CLOSE) :]
        return ""

    def end(self) -> str:
        """Return what was held back as a possible mark and was none."""
        return "" if self._is_inside or self._is_past else self._release(self._held)

    def _release(self, text: str) -> str:
        self._is_past = True
        self._held = ""
        return text
