"""An assistant in words: what it may use, whom it is open to, where the data goes."""

from collections.abc import Mapping, Sequence
from typing import Final

from nova_ui.domain.assistant import Assistant, AudienceKind
from nova_ui.domain.identity import Role
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.i18n.translator import Translator
from nova_ui.llm.port import Mode

ROLE_PLURALS: Final[Mapping[Role, str]] = {
    Role.ADMINISTRATOR: mark("administrators"),
    Role.AUDITOR: mark("auditors"),
    Role.MANAGER: mark("managers"),
    Role.USER: mark("everyone"),
}
MODE_WORDS: Final[Mapping[Mode, str]] = {
    Mode.BUILT_IN: mark("Built-in model · data stays here"),
    Mode.LOCAL: mark("Local model · data stays in your network"),
    Mode.EXTERNAL: mark("External model · data leaves your network"),
}
SHORT_MODE_WORDS: Final[Mapping[Mode, str]] = {
    Mode.BUILT_IN: mark("built in"),
    Mode.LOCAL: mark("local"),
    Mode.EXTERNAL: mark("external"),
}
MODE_TONES: Final[Mapping[Mode, str]] = {Mode.BUILT_IN: "read", Mode.LOCAL: "read", Mode.EXTERNAL: "write"}


def audience_text(assistant: Assistant, tr: Translator) -> str:
    """Return to whom the assistant is open."""
    match assistant.audience.kind:
        case AudienceKind.ADMINISTRATORS:
            return tr("administrators only")
        case AudienceKind.EVERYONE:
            return tr("everyone")
        case AudienceKind.ROLES:
            named = [tr(word) for role, word in ROLE_PLURALS.items() if role in assistant.audience.roles]
            return tr.listed(tuple(named))
        case AudienceKind.GROUPS:
            return tr("members of certain groups")


def tool_list_text(assistant: Assistant, tools: Sequence[AnyTool], tr: Translator) -> str:
    """Return how many tools are released; `tools` are all there are."""
    if assistant.tools.all_tools:
        return tr("All tools")
    released = [tool for tool in tools if assistant.tools.holds(tool.name)]
    count = tr.plural("{count} tool", "{count} tools", len(released))
    if released and all(tool.kind is ToolKind.READ for tool in released):
        return tr("{tools}, all reading", tools=count)
    return count


def scope_text(assistant: Assistant, tools: Sequence[AnyTool], tr: Translator) -> str:
    """Return tool list and audience as one line, such as 14 tools · everyone."""
    return f"{tool_list_text(assistant, tools, tr)} · {audience_text(assistant, tr)}"


def description_text(assistant: Assistant, tr: Translator) -> str:
    """Return the description in the person's language, else in any."""
    return assistant.descriptions.get(tr.language) or next(iter(assistant.descriptions.values()), "")


def starters_of(assistant: Assistant, tr: Translator) -> tuple[str, ...]:
    """Return the prompt starters in the person's language, else in any."""
    return assistant.starters.get(tr.language) or next(iter(assistant.starters.values()), ())
