"""What only the administration interface may change: no tool reaches it (rule B6)."""

from collections.abc import Iterator, Mapping

from nova_ui.domain.tool import AnyTool
from nova_ui.guardrails.marks import Marks


def find_interface_only(tools: Mapping[str, AnyTool], marks: Marks) -> Iterator[str]:
    """Say which tools point at an endpoint of the interface; each sentence names the tool.

    The endpoint itself refuses a request whose origin is a chat, too.
    """
    for tool in tools.values():
        for name in tool.endpoints:
            if name in marks and marks[name].interface_only:
                yield f"{tool.name} calls {name}, which only the interface may call"
