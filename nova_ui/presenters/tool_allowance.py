"""What a tool list allows, in words for whoever answers for it."""

from collections.abc import Sequence
from typing import Final

from nova_ui.domain.identity import Role
from nova_ui.domain.tool import ToolKind
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.tool_ticks import ListedTool

MANY_TOOLS: Final = 25
_MAX_NAMED: Final = 12


def allowance_sentences(tools: Sequence[ListedTool], tr: Translator, *, every_change: bool = False) -> tuple[str, ...]:
    """Return what `tools`, all of them released, let an assistant do: by kind, from harmless to final.

    With `every_change` it asks before every change.
    """
    if not tools:
        return (tr("Nothing: without tools the assistant can only talk."),)
    by_kind = {kind: [tool for tool in tools if tool.kind is kind] for kind in ToolKind}
    said = []
    if read := by_kind[ToolKind.READ]:
        areas = tuple(dict.fromkeys(tr(tool.area) for tool in read))
        said.append(tr("It reads: {areas}.", areas=tr.listed(areas)))
    written = by_kind[ToolKind.WRITE]
    if written and every_change:
        said.append(tr("It changes only once confirmed on a card: {actions}.", actions=_titles(written, tr)))
    elif written:
        said.append(tr("It changes at once, without asking: {actions}.", actions=_titles(written, tr)))
    else:
        said.append(tr("It changes nothing at once."))
    if final := by_kind[ToolKind.DESTRUCTIVE]:
        said.append(tr("It does only once confirmed on a card: {actions}.", actions=_titles(final, tr)))
    else:
        said.append(tr("It does nothing that can't be taken back."))
    further = sum(Role.USER not in tool.roles for tool in tools)
    if further:
        said.append(
            tr.plural(
                "{count} of the tools works only for people with a further role, such as administrators.",
                "{count} of the tools work only for people with a further role, such as administrators.",
                further,
            )
        )
    return tuple(said)


def too_many(count: int, tr: Translator) -> str | None:
    """Return a warning about a long list, or None."""
    if count <= MANY_TOOLS:
        return None
    return tr(
        "{count} tools are released. With more than {limit}, models choose the wrong one more often, and answer later.",
        count=count,
        limit=MANY_TOOLS,
    )


def _titles(tools: Sequence[ListedTool], tr: Translator) -> str:
    named = [tr(tool.title) for tool in tools[:_MAX_NAMED]]
    more = len(tools) - len(named)
    if more:
        named.append(tr.plural("{count} more", "{count} more", more))
    return tr.listed(tuple(named))
