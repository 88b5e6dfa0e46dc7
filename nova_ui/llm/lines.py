"""Bytes to lines: split on the line feed only, and never more than one line kept."""

from nova_ui.errors import FailureKind, ModelError


class LineSplitter:
    """Cuts a stream of bytes into lines.

    `str.splitlines` and its like also cut at U+2028, form feeds and others, which JSON text may hold.
    """

    def __init__(self, max_line_bytes: int) -> None:
        self._max_line_bytes = max_line_bytes
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes, without their ends.

        Raises:
            ModelError: `TOO_MUCH`, a line is longer than allowed, complete or not.

        """
        pieces = data.split(b"\n")
        lines: list[bytes] = []
        for piece in pieces[:-1]:
            self._keep(piece)
            lines.append(bytes(self._rest).removesuffix(b"\r"))
            self._rest.clear()
        self._keep(pieces[-1])
        return lines

    def _keep(self, piece: bytes) -> None:
        if len(self._rest) + len(piece) > self._max_line_bytes:
            raise ModelError(FailureKind.TOO_MUCH)
        self._rest += piece
