"""What the built-in model says when it has no result to report; always in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import AnyTool, SlotKind, ToolKind
from nova_ui.i18n.translator import Translator
from nova_ui.llm.builtin.answers import answer_to
from nova_ui.llm.builtin.lexicon import concepts_of
from nova_ui.llm.builtin.lookup import NoMatch, NoWay, Several, Trouble
from nova_ui.llm.builtin.replies import Reply
from nova_ui.llm.builtin.tables import cell, columns_of, escaped, label
from nova_ui.llm.builtin.understanding import MAX_CHOICES, Plan
from nova_ui.llm.builtin.words import split_words

_EXAMPLES: Final = 3


class Speech:
    """Speaks through one translator about the tools that are offered."""

    def __init__(self, tr: Translator, offered: Mapping[str, AnyTool]) -> None:
        self._tr = tr
        self._offered = offered

    def introduction(self) -> str:
        """Say what this is and what can be asked."""
        tr = self._tr
        who = tr("I am the built-in assistant. I work without a language model and understand short requests.")
        return self._with_examples(who)

    def on_reply(self, reply: Reply) -> str:
        """Answer a message that asks for nothing."""
        tr = self._tr
        match reply:
            case Reply.GREETS:
                return self._with_examples(
                    tr("Hello. I am the built-in assistant, without a language model, and understand short requests.")
                )
            case Reply.THANKS:
                return tr("You are welcome.")
            case Reply.ASKS_ABOUT_SELF:
                return self.introduction()
            case Reply.AGREES:
                return tr("There is nothing that waits for your confirmation.")
            case Reply.REFUSES:
                return self.nothing_done()

    def nothing_done(self) -> str:
        """Acknowledge a refusal."""
        return self._tr("All right. Nothing was done.")

    def no_further(self) -> str:
        """Say that this answer can take no further step."""
        return self._tr("No further step is possible in this answer. Please ask again.")

    def not_understood(self, text: str, *, asks_for_change: bool) -> str:
        """Say that nothing fits, and what would."""
        tr = self._tr
        concepts = {concept for word in split_words(text) for concept in concepts_of(word.folded)}
        if "password" in concepts:
            return tr(
                "Passwords and other secrets are neither shown nor set in a chat. Please use the interface for them."
            )
        if asks_for_change:
            sorry = tr(
                "I did not understand this well enough to change anything, so nothing was done. I am the built-in "
                "assistant without a language model: please say in one short sentence what to do and with what."
            )
        else:
            sorry = tr("I did not understand this. I am the built-in assistant without a language model.")
        return self._with_examples(sorry)

    def which_tool(self, tools: Sequence[AnyTool]) -> str:
        """Ask which of a few tools is meant."""
        return self._listed(self._tr("Did you mean …"), [escaped(self._tr(tool.title)) for tool in tools])

    def which_of(self, count: int) -> str:
        """Ask which of several things is meant, before any of them is touched."""
        return self._tr("That could be any of {count}. Which one do you mean? Please name it.", count=count)

    def managers(self, rows: Sequence[JsonObject]) -> str:
        """Tell whose manager is who."""
        return columns_of(rows, ("display_name", "manager"), self._tr)

    def not_here(self, tool: AnyTool) -> str:
        """Say that what is meant can't be done here; whether by the tool list or by one's rights is not told."""
        tr = self._tr
        return tr("I understand this as “{what}”, but that is not available here.", what=escaped(tr(tool.title)))

    def ask_for(self, plan: Plan, slot: str) -> str:
        """Ask for what a tool still needs."""
        tr = self._tr
        title = escaped(tr(plan.tool.title))
        declared = plan.tool.phrases.slots.get(slot)
        name = label(slot, tr)
        if declared is not None and declared.kind is SlotKind.DAY:
            return tr("{title}: which day? Please give it as in 2026-12-31.", title=title)
        return tr("{title}: one thing is missing. Please tell me: {what}?", title=title, what=name)

    def on_trouble(self, trouble: Trouble) -> str:
        """Say why a name could not be turned into an object, or ask which is meant."""
        tr = self._tr
        said = escaped(trouble.said) or label(trouble.slot, tr)
        match trouble:
            case Several(is_guess=True, rows=rows):
                return self._objects(
                    tr("I found nothing that is called “{said}”. Did you mean …", said=said), trouble, rows
                )
            case Several(rows=rows):
                return self._objects(tr("Several match “{said}”. Which one do you mean?", said=said), trouble, rows)
            case NoMatch(said=""):
                return tr("I found nothing that fits ({what}).", what=label(trouble.slot, tr))
            case NoMatch():
                return tr("I found nothing that is called “{said}” ({what}).", said=said, what=label(trouble.slot, tr))
            case NoWay(failed=None):
                return tr("I can't look up “{said}” here. Please give its id.", said=said)
            case NoWay(failed=failed):
                return answer_to(failed, self._offered.get(failed.name), tr) if failed else self.no_further()

    def _objects(self, head: str, several: Several, rows: Sequence[JsonObject]) -> str:
        lines = []
        for row in rows[:MAX_CHOICES]:
            first, *others = [cell(row[name], self._tr) for name in several.reference.name_fields if row.get(name)] or [
                "?"
            ]
            lines.append(f"{first} ({', '.join(others)})" if others else first)
        listed = self._listed(head, lines)
        if len(rows) > MAX_CHOICES:
            more = self._tr("There are more ({count} in all); please be more precise.", count=len(rows))
            return f"{listed}\n\n{more}"
        return listed

    @staticmethod
    def _listed(head: str, lines: Sequence[str]) -> str:
        return "\n".join([head, "", *(f"{number}. {line}" for number, line in enumerate(lines, start=1))])

    def _with_examples(self, head: str) -> str:
        tr = self._tr
        examples = [f"- {example}" for example in self._examples()]
        menu = tr("Type / to see everything that can be done here.")
        if not examples:
            return f"{head} {menu}"
        return "\n".join([f"{head} {tr('For example:')}", "", *examples, "", menu])

    def _examples(self) -> list[str]:
        """Return an example each of the first few areas, reading ones first."""
        tools = sorted(self._offered.values(), key=lambda tool: tool.kind is not ToolKind.READ)
        by_area: dict[str, str] = {}
        for tool in tools:
            examples = tool.examples.get(self._tr.language, ())
            if examples:
                by_area.setdefault(tool.area, escaped(examples[0].text))
        return list(by_area.values())[:_EXAMPLES]
