"""A tool list while somebody ticks it: by area, with a filter, a flow together with what it needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from nova_ui.domain.identity import EVERYONE, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolKind
from nova_ui.presenters.fields import texts_at
from nova_ui.reactive import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTool:
    """A tool as the tool list shows it; `title`, `summary` and `area` are message ids."""

    name: str
    title: str
    summary: str
    area: str
    kind: ToolKind
    is_flow: bool
    self_service: bool
    inner_tools: tuple[str, ...]
    roles: frozenset[Role] = EVERYONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFilter:
    """Which tools the list shows."""

    q: str = ""
    kind: ToolKind | None = None
    only_released: bool = False


class ToolTicks:
    """The tools there are and which of them are ticked; whoever keeps the ticks gives them as `ticked`."""

    def __init__(self) -> None:
        self.tools: tuple[ListedTool, ...] = ()
        self.filter = ToolFilter()
        self.tools_changed: Event[None] = Event()

    @property
    def ticked(self) -> set[str]:
        """The names of the ticked tools, to be changed in place."""
        raise NotImplementedError

    def may_tick(self, tool: ListedTool) -> bool:
        """Whether the tool can be ticked at all."""
        del tool
        return True

    def show_tools(self, tool_filter: ToolFilter) -> None:
        """Show other tools."""
        self.filter = tool_filter
        self.tools_changed.emit(None)

    def release(self, name: str, *, released: bool) -> None:
        """Tick or untick a tool; the inner tools of a flow are ticked along with it (nova-api, 3.2)."""
        tool = next((one for one in self.tools if one.name == name), None)
        if tool is None or self.is_released(name) is released or (released and not self.may_tick(tool)):
            return
        if not released:
            self.ticked.discard(name)
        else:
            self.ticked.update({name, *tool.inner_tools})
        self.tools_changed.emit(None)

    def is_released(self, name: str) -> bool:
        """Whether a tool is ticked."""
        return name in self.ticked

    def missing_inner(self, tool: ListedTool) -> tuple[str, ...]:
        """Return the tools that a ticked flow needs and the list does not release (rule B2)."""
        if not self.is_released(tool.name):
            return ()
        return tuple(name for name in tool.inner_tools if not self.is_released(name))

    @property
    def released_count(self) -> int:
        """How many of the tools that exist are ticked."""
        return sum(self.is_released(tool.name) for tool in self.tools)

    def shown_tools(self, titles: Sequence[str] = ()) -> tuple[ListedTool, ...]:
        """Return the tools that the filter lets through; `titles` are their titles as the person reads them."""
        wanted = self.filter.q.casefold()
        words = dict(zip((tool.name for tool in self.tools), titles, strict=False))
        return tuple(
            tool
            for tool in self.tools
            if wanted in f"{tool.name} {words.get(tool.name, tool.title)}".casefold()
            and (self.filter.kind is None or tool.kind is self.filter.kind)
            and (not self.filter.only_released or self.is_released(tool.name))
        )


def listed_tools(catalogue: JsonObject) -> tuple[ListedTool, ...]:
    """Return the tools of an answer of `GET /administration/tools`."""
    items = catalogue.get("items")
    return tuple(_listed(item) for item in (items if isinstance(items, list) else []) if isinstance(item, dict))


def _listed(item: JsonObject) -> ListedTool:
    inner: JsonValue = item.get("inner_tools")
    return ListedTool(
        name=str(item["name"]),
        title=str(item["title"]),
        summary=str(item["summary"]),
        area=str(item["area"]),
        kind=ToolKind(str(item["kind"])),
        is_flow=item.get("is_flow") is True,
        self_service=item.get("self_service") is True,
        inner_tools=tuple(str(name) for name in (inner if isinstance(inner, list) else [])),
        roles=frozenset(Role(one) for one in texts_at(item, "roles")) or EVERYONE,
    )
