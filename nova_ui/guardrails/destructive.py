"""Whether a tool bears the kind that its endpoints make it (rules C1, B2)."""

from collections.abc import Iterator, Mapping
from typing import Final

from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.guardrails.marks import Marks

_SEVERITY: Final = {ToolKind.READ: 0, ToolKind.WRITE: 1, ToolKind.DESTRUCTIVE: 2}


def is_milder(kind: ToolKind, other: ToolKind) -> bool:
    """Whether a tool of `kind` promises less harm than `other` does."""
    return _SEVERITY[kind] < _SEVERITY[other]


def find_wrong_kinds(tools: Mapping[str, AnyTool], marks: Marks) -> Iterator[str]:
    """Say which tools promise less harm than they do; each sentence names the tool."""
    for tool in tools.values():
        yield from _by_endpoints(tool, marks)
        yield from _by_inner_tools(tool, tools)
        if needs_confirmation(tool, every_change=True) and tool.show is None:
            yield f"{tool.name} is {tool.kind} but shows nothing before it runs"


def _by_endpoints(tool: AnyTool, marks: Marks) -> Iterator[str]:
    for name in tool.endpoints:
        if name not in marks:
            yield f"{tool.name} calls {name}, which does not exist or bears no marks"
            continue
        if marks[name].is_delete and tool.kind is not ToolKind.DESTRUCTIVE:
            yield f"{tool.name} calls {name} but is not destructive"
        elif is_milder(tool.kind, marks[name].kind):
            yield f"{tool.name} is {tool.kind} but calls {name}, which is {marks[name].kind}"


def _by_inner_tools(tool: AnyTool, tools: Mapping[str, AnyTool]) -> Iterator[str]:
    for name in tool.inner_tools:
        if name not in tools:
            yield f"{tool.name} runs the tool {name}, which does not exist"
        elif tools[name].inner_tools:
            yield f"{tool.name} runs the tool {name}, which runs tools itself"
        elif is_milder(tool.kind, tools[name].kind):
            yield f"{tool.name} is {tool.kind} but runs {name}, which is {tools[name].kind}"
