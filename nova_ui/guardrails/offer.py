"""What the model is offered at this step: a courtesy, since the gate tests again at every call (rules A3, C8)."""

from collections.abc import Mapping

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.identity import Identity
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.guardrails.audience import exists_for
from nova_ui.guardrails.flows import check_flow
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.roles import check_roles
from nova_ui.guardrails.tool_list import check_indirect, check_released
from nova_ui.guardrails.unattended import ANY_KIND, check_kind


def offered_tools(
    tools: Mapping[str, AnyTool],
    assistant: Assistant,
    identity: Identity,
    *,
    read_only: bool,
    released_at_start: frozenset[str],
    kinds: frozenset[ToolKind] = ANY_KIND,
) -> tuple[AnyTool, ...]:
    """Return the tools on the assistant's list that the identity's roles admit, in the registry's order."""
    if not exists_for(assistant, identity):
        return ()
    offered = []
    for tool in tools.values():
        reaches = tool.inner_tools if tool.inner_tools_of is None else ()
        noes = (
            check_released(tool.name, tools, assistant, released_at_start),
            check_indirect(reaches, tools, assistant, released_at_start),
            check_kind(tool, kinds, every_change=assistant.ask_before_changes),
            check_roles(tool, identity),
            check_flow(tool, identity),
            check_read_only(tool, read_only=read_only),
        )
        if not any(noes):
            offered.append(tool)
    return tuple(offered)


def check_read_only(tool: AnyTool, *, read_only: bool) -> Refusal | None:
    """Say why `tool` may not run in the reply to *Confirm and execute*, or None if it may (rule C8)."""
    if not read_only:
        return None
    if tool.kind is ToolKind.READ:
        return None
    return Refusal(
        code=Code.READ_ONLY_REPLY,
        reason="read_only",
        advice="In this reply only reading tools can run. Report what was done; the person can ask for more next.",
    )
