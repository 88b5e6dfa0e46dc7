"""Lines to the data of server-sent events."""

from nova_ui.errors import FailureKind, ModelError


class EventReader:
    """Gathers the `data` of one event; other fields and comments carry nothing for us."""

    def __init__(self, max_event_bytes: int) -> None:
        self._max_event_bytes = max_event_bytes
        self._data: list[bytes] = []
        self._size_bytes = 0

    def feed(self, line: bytes) -> bytes | None:
        """Return the data of the event that `line` ends, or None while none is complete.

        An event that its blank line does not end is never delivered: it may be cut.

        Raises:
            ModelError: `TOO_MUCH`, an event is larger than allowed.

        """
        if not line:
            return self._take()
        if line.startswith(b"data:"):
            value = line[5:].removeprefix(b" ")
            self._size_bytes += len(value)
            if self._size_bytes > self._max_event_bytes:
                raise ModelError(FailureKind.TOO_MUCH)
            self._data.append(value)
        return None

    def _take(self) -> bytes | None:
        if not self._data:
            return None
        data = b"\n".join(self._data)
        self._data.clear()
        self._size_bytes = 0
        return data
