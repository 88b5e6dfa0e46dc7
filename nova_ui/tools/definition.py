"""How a tool of one kind of arguments becomes one among all tools."""

from typing import TypeVar, cast

from nova_ui.domain.tool import AnyTool, Tool, ToolArguments

A = TypeVar("A", bound=ToolArguments)


def any_tool(tool: Tool[A]) -> AnyTool:
    """Return `tool` as one of many; whoever runs it validates its arguments by `tool.arguments` first."""
    return cast("AnyTool", tool)
