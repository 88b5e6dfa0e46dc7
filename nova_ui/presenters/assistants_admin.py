"""Administration of the assistants: the list, the form of one, its tool list."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaNotFound, NovaPreconditionFailed, NovaProblem
from nova_ui.llm.port import Mode
from nova_ui.presenters.ai_places import PLACES, modes_in
from nova_ui.presenters.assistant_draft import AssistantDraft, free_key, read_draft
from nova_ui.presenters.assistant_file import file_of, read_file
from nova_ui.presenters.fields import rows_in
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.presenters.tool_ticks import ListedTool, ToolFilter, ToolTicks, listed_tools
from nova_ui.reactive import Event

__all__ = ["AssistantsAdminPresenter", "ListedTool", "ToolFilter"]

_ONE: Final = "/administration/assistants/{key}"


class AssistantsAdminPresenter(ToolTicks):
    """State and actions of the page; stores through the same endpoints that scripts use (rule A5)."""

    def __init__(self, nova: NovaCalls) -> None:
        super().__init__()
        self.nova = nova
        self.ai_configuration: JsonObject = {}
        self.assistants: tuple[JsonObject, ...] = ()
        self.modes: Mapping[str, Mode] = {}
        self.draft: AssistantDraft | None = None
        self.problem: NovaProblem | None = None
        self.list_changed: Event[None] = Event()
        self.draft_changed: Event[None] = Event()
        self._opened: JsonObject = {}  # the form as it was when it was opened or stored

    async def load(self, key: str | None = None) -> None:
        """Read all assistants and tools, and open one: `key`, else the first."""
        catalogue = await self.nova.call("GET /administration/tools")
        self.tools = listed_tools(catalogue.object)
        self.ai_configuration = (await self.nova.call("GET /administration/ai-configuration")).object
        await self._read_list()
        keys = [str(one["key"]) for one in self.assistants]
        if keys:
            await self.choose(key if key in keys else keys[0])

    async def choose(self, key: str) -> bool:
        """Open the form of a stored assistant; False, and the list is read again, if it is gone."""
        try:
            found = await self.nova.call(f"GET {_ONE}", path={"key": key})
        except NovaNotFound:
            await self._read_list()
            return False
        self._open(read_draft(found.object, found.etag))
        return True

    @property
    def tools_on_cards(self) -> tuple[ListedTool, ...]:
        """The tools that wait on a card, and those whose object's name must be typed in any case."""
        asks = self.draft is not None and self.draft.ask_before_changes
        kept = frozenset() if self.draft is None else self.draft.type_name_for
        return tuple(tool for tool in self.tools if tool.name in kept or needs_confirmation(tool, every_change=asks))

    def ask_before_changes(self, *, asks: bool) -> None:
        """Have every change wait on a card, or only what is destructive; no name is typed for what never waits."""
        if self.draft is None:
            return
        self.draft.ask_before_changes = asks
        waiting = {tool.name for tool in self.tools if needs_confirmation(tool, every_change=asks)}
        self.draft.type_name_for &= waiting
        self.tools_changed.emit(None)

    @property
    def has_changes(self) -> bool:
        """Whether the form holds what is not stored."""
        return self.draft is not None and self.draft.body() != self._opened

    def start_new(self) -> None:
        """Open an empty form."""
        self._open(AssistantDraft())

    def copy(self) -> None:
        """Open a form with what is in the present one, to be stored under another key; a copy is never preset."""
        if self.draft is not None:
            self._open(self.draft.copied())

    async def save(self) -> bool:
        """Store the form; whether it was accepted. What Nova said is in `problem` otherwise."""
        draft = self.draft
        if draft is None:
            return False
        body = draft.body()
        try:
            if draft.is_new:
                stored = await self.nova.call("POST /administration/assistants", body=body)
                await self.choose(str(stored.object["key"]))
            else:
                stored = await self.nova.call(f"PATCH {_ONE}", path={"key": draft.key}, body=body, if_match=draft.etag)
                draft.etag, self._opened, self.problem = stored.etag, body, None
                self.draft_changed.emit(None)
            await self._read_list()
        except NovaProblem as problem:
            self._fail(problem)
            return False
        return True

    async def move(self, key: str, by: int) -> bool:
        """Move an assistant up or down in the order; whether it moved."""
        keys = [str(one["key"]) for one in self.assistants]
        place = keys.index(key) if key in keys else -1
        wanted = place + by
        if place < 0 or not 0 <= wanted < len(keys):
            return False
        keys.insert(wanted, keys.pop(place))
        try:
            found = await self.nova.call("PUT /administration/assistant-order", body={"keys": [*keys]})
        except NovaProblem as problem:
            self._fail(problem)
            await self._read_list()
            return False
        self._take_over(tuple(_items(found.object)))
        return True

    async def exported(self) -> tuple[str, bytes] | None:
        """Return name and content of the file of the assistant in the form, as it is stored."""
        if self.draft is None or self.draft.is_new:
            return None
        found = await self.nova.call(f"GET {_ONE}", path={"key": self.draft.key})
        return f"assistant-{self.draft.key}.json", file_of(found.object)

    async def import_file(self, content: bytes) -> str:
        """Create the assistant of a file, switched off, under its key or the next free one; return that.

        Raises:
            NotAnAssistantFile: the file is none.
            NovaProblem: Nova does not accept what is in it; nothing was stored.

        """
        body = read_file(content)
        key = free_key(str(body["key"]), {str(one["key"]) for one in self.assistants})
        stored = await self.nova.call("POST /administration/assistants", body={**body, "key": key})
        await self._read_list()
        await self.choose(str(stored.object["key"]))
        return key

    async def reload(self) -> None:
        """Throw the form away and read what is stored now."""
        if self.draft is not None and not self.draft.is_new:
            await self.choose(self.draft.key)

    async def delete(self) -> bool:
        """Delete the assistant in the form; whether it was accepted."""
        draft = self.draft
        if draft is None or draft.is_new:
            return False
        try:
            await self.nova.call(f"DELETE {_ONE}", path={"key": draft.key}, if_match=draft.etag)
        except NovaProblem as problem:
            self._fail(problem)
            return False
        await self.load()
        return True

    @property
    def ticked(self) -> set[str]:
        """The tools that the form ticks."""
        return set() if self.draft is None else self.draft.tool_names

    def release_all(self, *, released: bool) -> None:
        """Turn *all tools* on or off; whether that may be stored is Nova's decision (rule B3)."""
        if self.draft is not None and self.draft.all_tools is not released:
            self.draft.all_tools = released
            self.tools_changed.emit(None)

    def is_released(self, name: str) -> bool:
        """Whether the form releases a tool."""
        return self.draft is not None and (self.draft.all_tools or name in self.draft.tool_names)

    @property
    def was_overtaken(self) -> bool:
        """Whether somebody else stored the assistant meanwhile."""
        return isinstance(self.problem, NovaPreconditionFailed)

    def _take_over(self, moved: tuple[JsonObject, ...]) -> None:
        """Show the new order; a form made from what was stored before a move can still be stored after it."""
        draft, before = self.draft, {str(one["key"]): _etag(one) for one in self.assistants}
        self.assistants = moved
        if draft is not None and draft.etag is not None and before.get(draft.key) == draft.etag:
            draft.etag = next((_etag(one) for one in moved if one["key"] == draft.key), draft.etag)
        self.list_changed.emit(None)

    def _open(self, draft: AssistantDraft) -> None:
        self.draft = draft
        self._opened = draft.body()
        self.filter = ToolFilter()
        self.problem = None
        self.list_changed.emit(None)
        self.draft_changed.emit(None)

    def _fail(self, problem: NovaProblem) -> None:
        self.problem = problem
        self.draft_changed.emit(None)

    async def _read_list(self) -> None:
        found = await self.nova.call("GET /administration/assistants")
        self.modes = modes_in(rows_in((await self.nova.call(PLACES)).object, "items"))
        self.assistants = tuple(_items(found.object))
        self.list_changed.emit(None)


def _items(body: JsonObject) -> list[JsonObject]:
    items = body.get("items")
    return [item for item in (items if isinstance(items, list) else []) if isinstance(item, dict)]


def _etag(assistant: JsonObject) -> str:
    return f'"{assistant.get("version")}"'
