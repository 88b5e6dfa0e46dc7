"""A control that finds objects by name: what is chosen is an id that was offered, whatever the browser sends."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from nicegui import events
from nicegui.element import Element

from nova_ui.presenters.object_search import Found
from nova_ui.presenters.visible import show_deceptive

MAX_CHOSEN: Final = 100


class ObjectPicker(Element, component="object_picker.js"):
    """`find` is asked with what was typed; `value` is an id, or with `multiple` a list of ids.

    `ask` is said before anything is typed, `none` when nothing was found.
    """

    def __init__(
        self,
        find: Callable[[str], Awaitable[Sequence[Found]]],
        *,
        label: str,
        hint: str,
        ask: str,
        none: str,
        multiple: bool,
    ) -> None:
        super().__init__()
        self._find = find
        self._multiple = multiple
        self._offered: dict[str, Found] = {}
        self._chosen: list[str] = []
        self.props.update({"label": label, "hint": hint, "ask": ask, "none": none, "problem": "", "multiple": multiple})
        self._show()
        self.on("search", self._search)
        self.on("choose", self._choose)

    @property
    def value(self) -> str | list[str] | None:
        """What is chosen."""
        if self._multiple:
            return list(self._chosen)
        return self._chosen[0] if self._chosen else None

    def complain(self, problem: str) -> None:
        """Say what is wrong, or with an empty text that nothing is."""
        self.props["problem"] = problem

    async def _search(self, event: events.GenericEventArguments) -> None:
        text = _only(event.args)
        if not isinstance(text, str):
            return
        found = await self._find(text)
        if self.is_deleted:
            return
        self._offered.update({one.id: one for one in found})
        self.run_method("offer", text, [_option(one) for one in found])

    def _choose(self, event: events.GenericEventArguments) -> None:
        ids = _only(event.args) if event.args and isinstance(event.args[0], list) else event.args
        known = [one for one in ids if isinstance(one, str) and one in self._offered] if isinstance(ids, list) else []
        self._chosen = known[: MAX_CHOSEN if self._multiple else 1]
        self._show()

    def _show(self) -> None:
        options = [_option(self._offered[one]) for one in self._chosen]
        self.props["chosen"] = options if self._multiple else next(iter(options), None)


def _only(value: object) -> object:
    """Return the one argument of an event, which may come bare."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _option(found: Found) -> dict[str, str]:
    return {"value": found.id, "label": show_deceptive(found.name) or found.id, "note": show_deceptive(found.note)}
