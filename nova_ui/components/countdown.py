"""How long something still counts, drawn by the browser from one number of seconds."""

from nicegui.element import Element


class Countdown(Element, component="countdown.js"):
    """Shows `text` with `{time}` as minutes and seconds, and `over` at the end."""

    def __init__(self, text: str, *, seconds: int, over: str) -> None:
        super().__init__()
        self.props.update({"text": text, "seconds": seconds, "over": over})
