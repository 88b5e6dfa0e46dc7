"""Chooses other objects by a search in Nova: people, roles, entitlements, applications."""

from collections.abc import Mapping
from typing import Final

from nicegui import events, ui

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaProblem
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.presenters.nova_calls import NovaCalls

MIN_CHARS: Final = 2
LIMIT: Final = 20
DEBOUNCE_MS: Final = 300
_SEARCHES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "person": ("GET /directory", {}),
    "group": ("GET /groups", {}),
    "role": ("GET /roles", {"status": "active"}),
    "manual_group": ("GET /groups", {"membership": "manual", "source": "nova"}),
    "application": ("GET /applications", {}),
    "entitlement": ("GET /entitlements", {"status": "managed"}),
    "identity": ("GET /identities", {"status": "active"}),
}


class ObjectSelect(ui.select):
    """A field that offers what a search finds; `chosen` are the names of what is chosen already."""

    def __init__(
        self, nova: NovaCalls, kind: str, *, label: str, chosen: Mapping[str, str], several: bool, hint: str
    ) -> None:
        first = [*chosen] if several else next(iter(chosen), None)
        super().__init__(dict(chosen), label=label, value=first, multiple=several, with_input=True, clearable=True)
        self._nova = nova
        self._kind = kind
        self._search_number = 0
        self._names = dict(chosen)
        self.props(
            f"outlined dense input-debounce={DEBOUNCE_MS}" + (" use-chips" if several else " hide-selected fill-input")
        )
        self.props["hint"] = hint
        self.on("input-value", self._typed)
        if several:  # the letters that found the last one are of no use for the next
            self.on_value_change(lambda: self.run_method("updateInputValue", ""))

    def name_of(self, key: object) -> str:
        """Return what something that is chosen is called."""
        return self._names.get(key, "") if isinstance(key, str) else ""

    async def _typed(self, event: events.GenericEventArguments) -> None:
        text = event.args.strip()[:200] if isinstance(event.args, str) else ""
        if len(text) < MIN_CHARS or text in self._names.values() or not text.isprintable():
            return
        self._search_number += 1
        number = self._search_number
        endpoint, fixed = _SEARCHES[self._kind]
        try:
            body = (await self._nova.call(endpoint, query={**fixed, "q": text, "limit": LIMIT})).object
        except NovaProblem:
            return  # the field goes on offering what it has
        if number != self._search_number or self.is_deleted:
            return
        found = {text_at(row, "id"): _words(row) for row in rows_in(body)}
        chosen = self.value if isinstance(self.value, list) else [self.value]
        kept = {key: name for key, name in self._names.items() if key in chosen}
        self._names = {**kept, **found}
        self.set_options(self._names)


def _words(row: JsonObject) -> str:
    """Return a name with what tells namesakes apart."""
    more = text_at(row, "title") or text_at(row, "application.display_name")
    parts = (text_at(row, "display_name"), more, text_at(row, "department"))
    return " · ".join(part for part in parts if part)
