"""What may run where nobody sits before the screen: nothing that a person would have to confirm (rules B1, C2, C7)."""

from collections.abc import Iterable, Mapping
from typing import Final

from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.guardrails.refusal import Code, Refusal

ANY_KIND: Final = frozenset(ToolKind)


def check_kind(tool: AnyTool, kinds: frozenset[ToolKind], *, every_change: bool = False) -> Refusal | None:
    """Say why `tool` may not run where only `kinds` may, or None if it may; `every_change` as for its assistant.

    Where any kind may run, somebody is there to confirm.
    """
    if kinds == ANY_KIND:
        return None
    if needs_confirmation(tool, every_change=every_change):
        return Refusal(
            code=Code.NOT_PERMITTED,
            reason="nobody_confirms",
            advice="Nobody is here to confirm, so no destructive tool runs in this routine. Say what should be done.",
        )
    if tool.kind in kinds:
        return None
    return Refusal(
        code=Code.NOT_PERMITTED,
        reason="routine_reads_only",
        advice="This routine only reads. Say what should be done; a person can do it.",
    )


def find_unusable(names: Iterable[str], tools: Mapping[str, AnyTool], kinds: frozenset[ToolKind]) -> tuple[str, ...]:
    """Return those of `names` that are no tools, or of a kind that may not run; asked when a tool list is stored."""
    return tuple(name for name in names if name not in tools or check_kind(tools[name], kinds) is not None)
