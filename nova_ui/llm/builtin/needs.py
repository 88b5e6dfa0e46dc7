"""Which tools a request needs, as the built-in model understands it: its own tool, and those that look names up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from nova_ui.domain.tool import AnyTool
from nova_ui.llm.builtin.conversation import Exchange
from nova_ui.llm.builtin.dialogue import Context, meaning_of
from nova_ui.llm.builtin.lookup import tools_to_look_up
from nova_ui.llm.builtin.understanding import Choice, Grammars, Meaning, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """The tools that a request needs, its own first; none if it is not understood.

    Where it could mean several tools `is_clear` is false, and they are the ones it could mean.
    """

    tools: tuple[str, ...] = ()
    is_clear: bool = False


class NeedsFinder:
    """Finds what requests need among `tools`."""

    def __init__(self, tools: Mapping[str, AnyTool]) -> None:
        self._tools = tools
        self._grammars = Grammars()

    def needs_of(self, text: str, nearest: Sequence[AnyTool], today: date) -> Needs:
        """Return what `text` needs: among `nearest` if it is clear there, else among all tools."""
        found = self._among(text, {tool.name: tool for tool in nearest}, today)
        return found if found.is_clear else self._among(text, self._tools, today)

    def _among(self, text: str, offered: Mapping[str, AnyTool], today: date) -> Needs:
        context = Context(grammars=self._grammars.of(offered.values()), offered=offered, today=today)
        meaning: Meaning = meaning_of([Exchange(text=text, calls=(), answer="")], context)
        if isinstance(meaning, Plan):
            return Needs(tools=tuple(dict.fromkeys(self._needed(meaning, offered))), is_clear=True)
        if isinstance(meaning, Choice):
            return Needs(tools=tuple(tool.name for tool in meaning.tools))
        return Needs()

    def _needed(self, plan: Plan, offered: Mapping[str, AnyTool]) -> Iterator[str]:
        yield plan.tool.name
        yield from plan.tool.inner_tools if plan.tool.inner_tools_of is None else ()
        yield from tools_to_look_up(plan, offered)
