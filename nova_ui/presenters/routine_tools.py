"""The tool list of one AI routine assistant: reading tools, writing ones where that is allowed, never destructive."""

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolKind
from nova_ui.errors import NovaProblem
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.presenters.tool_ticks import ListedTool, ToolTicks, listed_tools

_ONE = "/administration/ai-routines/{key}"


class RoutineToolsPresenter(ToolTicks):
    """Loads, ticks and stores the tools of the routine called `key`."""

    def __init__(self, nova: NovaCalls, key: str) -> None:
        super().__init__()
        self._nova = nova
        self._key = key
        self._ticked: set[str] = set()
        self._stored: frozenset[str] = frozenset()
        self.read_only = True
        self.problem: NovaProblem | None = None

    @property
    def ticked(self) -> set[str]:
        """The ticked tools."""
        return self._ticked

    @property
    def has_changes(self) -> bool:
        """Whether something is ticked otherwise than it is stored."""
        return self._ticked != self._stored

    def may_tick(self, tool: ListedTool) -> bool:
        """Whether the routine may use the tool: writing only where an administrator allowed it."""
        return tool.kind is ToolKind.READ or not self.read_only

    async def load(self) -> None:
        """Read the tools there are, without destructive ones, and which of them the routine has."""
        catalogue = await self._nova.call("GET /administration/tools")
        tools = listed_tools(catalogue.object)
        self.tools = tuple(one for one in tools if one.kind is not ToolKind.DESTRUCTIVE)
        self._take((await self._nova.call(f"GET {_ONE}", path={"key": self._key})).object)

    async def save(self) -> bool:
        """Store the ticks; whether they were accepted."""
        names: list[JsonValue] = [*sorted(self._ticked)]
        try:
            stored = await self._nova.call(f"PATCH {_ONE}", path={"key": self._key}, body={"tool_names": names})
        except NovaProblem as problem:
            self.problem = problem
            self.tools_changed.emit(None)
            return False
        self._take(stored.object)
        return True

    def _take(self, routine: JsonObject) -> None:
        names = routine.get("tool_names")
        self._stored = frozenset(str(name) for name in (names if isinstance(names, list) else []))
        self._ticked = set(self._stored)
        self.read_only = routine.get("read_only") is not False
        self.problem = None
        self.tools_changed.emit(None)
