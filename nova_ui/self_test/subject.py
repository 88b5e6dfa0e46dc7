"""What is put to the test: one assistant as it is stored, as values; nothing in it leads back to where it came from."""

from collections.abc import Mapping
from dataclasses import dataclass

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.tool import AnyTool, ToolKind
from storage.chat.assistants import RowAsWritten


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The assistant under test; `row` is None for an Admin Chat that was never stored. `tools` are all there are."""

    assistant: Assistant
    tools: Mapping[str, AnyTool]
    row: RowAsWritten | None = None

    @property
    def listed(self) -> tuple[AnyTool, ...]:
        """The tools on the assistant's list, in the registry's order."""
        return tuple(tool for tool in self.tools.values() if self.assistant.tools.holds(tool.name))

    def of_kind(self, kind: ToolKind) -> tuple[AnyTool, ...]:
        """Return the listed tools of one kind."""
        return tuple(tool for tool in self.listed if tool.kind is kind)

    def takes_words(self, tool: AnyTool) -> bool:
        """Whether a card of `tool` takes a typed agreement (rule C15)."""
        return not self.assistant.button_only and tool.name not in self.assistant.type_name_for
