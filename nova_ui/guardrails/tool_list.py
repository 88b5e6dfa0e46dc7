"""Whether a tool is on the assistant's list, in every indirect way too (rules B1, B2, B7, B8)."""

from collections.abc import Iterable, Mapping

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.tool import AnyTool, ToolArguments
from nova_ui.guardrails.refusal import Code, Refusal


def released_tools(tools: Mapping[str, AnyTool], assistant: Assistant) -> frozenset[str]:
    """Return the names of the tools released right now; taken once when a message arrives (rule B7)."""
    return frozenset(name for name in tools if assistant.tools.holds(name))


def check_released(
    name: str, tools: Mapping[str, AnyTool], assistant: Assistant, released_at_start: frozenset[str]
) -> Refusal | None:
    """Say why the tool called exactly `name` may not run, or None if it may.

    A tool taken off the list is refused at once; one added is usable from the next message. All ways not to be on
    the list sound the same to the model, so that nothing is learnt about tools that others have.
    """
    if name not in tools:
        return _not_released("unknown")
    if not assistant.tools.holds(name):
        return _not_released("not_listed")
    if name not in released_at_start:
        return _not_released("added_later")
    return None


def find_inner_tools(tool: AnyTool, arguments: ToolArguments) -> tuple[str, ...]:
    """Return the tools that a call runs or reads for indirectly: those of its arguments, else all that it declares."""
    return tool.inner_tools if tool.inner_tools_of is None else tool.inner_tools_of(arguments)


def check_indirect(
    names: Iterable[str], tools: Mapping[str, AnyTool], assistant: Assistant, released_at_start: frozenset[str]
) -> Refusal | None:
    """Say why a call may not run because of what it reaches indirectly, or None."""
    for name in names:
        refusal = check_released(name, tools, assistant, released_at_start)
        if refusal is not None:
            return Refusal(
                code=Code.NOT_RELEASED,
                reason="indirect",
                advice=f"This would use the tool {name}, which is not on this assistant's tool list.",
                params={"tool": name},
            )
    return None


def check_declared(name: str, declared: tuple[str, ...]) -> Refusal | None:
    """Say why a flow may not run an inner tool that its call does not declare, or None."""
    return None if name in declared else _not_released("undeclared")


def _not_released(reason: str) -> Refusal:
    return Refusal(
        code=Code.NOT_RELEASED,
        reason=reason,
        advice="There is no such tool on this assistant's tool list. Use only the tools offered, by their exact names.",
    )
