"""Something happened: told to whoever subscribed, within this process."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Event(Generic[T]):
    """Calls each subscriber in turn, synchronously; a subscriber that has work to do starts a task of its own."""

    def __init__(self) -> None:
        self._subscribers: list[Callable[[T], None]] = []

    def subscribe(self, subscriber: Callable[[T], None]) -> Callable[[], None]:
        """Call `subscriber` from now on; return what ends that."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    def emit(self, value: T) -> None:
        """Tell every subscriber."""
        for subscriber in tuple(self._subscribers):
            subscriber(value)
