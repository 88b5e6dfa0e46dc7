"""Tells when the person comes back to the page: what happened elsewhere meanwhile is then looked up."""

from collections.abc import Awaitable, Callable

from nicegui.element import Element


class Returning(Element, component="returning.js"):
    """Shows nothing; `on_return` is called when the tab comes to the front again."""

    def __init__(self, on_return: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self.on("return", on_return)
