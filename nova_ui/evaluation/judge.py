"""Whether a message led to what it should; a wrong change counts more than anything else."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import ValidationError

from nova_ui.domain.chat import CallStatus, RecordedCall
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.evaluation.cases import ANY, Step
from nova_ui.evaluation.play import Played, PlayedStep

_HELD: Final = (CallStatus.OK, CallStatus.PREVIEWED)
_QUESTION_MARKS: Final = ("?", "…")


class Verdict(StrEnum):
    """What became of a message, or of a case: then that of its first message that was not right."""

    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "refused"
    MISSING = "missing"
    ASKED_BACK = "asked_back"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class WrongChange:
    """A writing or destructive call that nobody asked for; `ran` unless it stopped at the card."""

    said: str
    tool: str
    arguments: JsonObject
    kind: ToolKind
    ran: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A case with its verdict; `kind` is that of the most far-reaching tool it asks for, None if it asks for none."""

    played: Played
    verdict: Verdict
    kind: ToolKind | None
    wrong_changes: tuple[WrongChange, ...]


class Judge:
    """Compares what was called with what should have been."""

    def __init__(self, tools: Mapping[str, AnyTool]) -> None:
        self._tools = tools

    def judge(self, played: Played) -> Judged:
        """Judge a case as a whole."""
        verdicts = [self.verdict_on(one) for one in played.steps]
        verdict = next((one for one in verdicts if one is not Verdict.RIGHT), Verdict.RIGHT)
        if verdict is Verdict.RIGHT and (played.unmet or len(played.steps) < len(played.case.steps)):
            verdict = Verdict.WRONG
        return Judged(
            played=played,
            verdict=verdict,
            kind=self._kind(played),
            wrong_changes=tuple(change for one in played.steps for change in self._wrong_changes(one)),
        )

    def verdict_on(self, played: PlayedStep) -> Verdict:
        """Judge one message."""
        if self._wrong_changes(played):
            return Verdict.WRONG
        if played.failure is not None:
            return Verdict.FAILED
        if played.step.press:
            ran = any(one.kind is ToolKind.DESTRUCTIVE and one.status is CallStatus.OK for one in played.calls)
            return _worded(played) if ran else Verdict.REFUSED if played.calls else Verdict.MISSING
        if played.step.tool is None or any(self._is_wanted(one, played.step) for one in _held(played)):
            return _worded(played)
        return self._why_not(played)

    def _why_not(self, played: PlayedStep) -> Verdict:
        made = [one for one in played.calls if one.tool_name == played.step.tool]
        if any(one.status not in _HELD for one in made):
            return Verdict.REFUSED
        if made:
            return Verdict.WRONG
        if _is_question(played.text):
            return Verdict.ASKED_BACK
        return Verdict.WRONG if _held(played) else Verdict.MISSING

    def _wrong_changes(self, played: PlayedStep) -> tuple[WrongChange, ...]:
        if played.step.press:
            return ()  # what runs then is what stood on the card
        return tuple(
            WrongChange(
                said=played.step.text,
                tool=one.tool_name,
                arguments=one.arguments,
                kind=one.kind or ToolKind.DESTRUCTIVE,
                ran=one.status is not CallStatus.PREVIEWED,
            )
            for one in played.changes
            if not self._is_wanted(one, played.step)
        )

    def _is_wanted(self, call: RecordedCall, step: Step) -> bool:
        if call.tool_name != step.tool:
            return False
        any_value = frozenset(name for name, value in step.arguments.items() if value == ANY)
        made, wanted = self._plain(call.tool_name, call.arguments), self._plain(call.tool_name, step.arguments)
        return any_value <= made.keys() and _without(made, any_value) == _without(wanted, any_value)

    def _plain(self, name: str, arguments: JsonObject) -> JsonObject:
        """Return arguments as they compare: without those that only say what holds anyway."""
        tool = self._tools.get(name)
        if tool is None:
            return arguments
        try:
            return tool.arguments.model_validate(arguments).model_dump(mode="json", exclude_defaults=True)
        except ValidationError:
            return arguments

    def _kind(self, played: Played) -> ToolKind | None:
        kinds = [tool.kind for name in played.case.tools if (tool := self._tools.get(name)) is not None]
        return max(kinds, key=list(ToolKind).index, default=None)


def _without(arguments: JsonObject, names: frozenset[str]) -> JsonObject:
    return {name: value for name, value in arguments.items() if name not in names}


def _held(played: PlayedStep) -> list[RecordedCall]:
    return [one for one in played.calls if one.status in _HELD]


def _is_question(text: str) -> bool:
    """Whether an answer begins or ends with a question: what it lists between may hold examples."""
    parts = [part.strip() for part in text.split("\n\n") if part.strip()]
    return any(part.endswith(_QUESTION_MARKS) for part in (parts[:1] + parts[-1:]))


def _worded(played: PlayedStep) -> Verdict:
    """Return whether the answer says what it must."""
    answer = played.text.casefold()
    return Verdict.RIGHT if all(said.casefold() in answer for said in played.step.says) else Verdict.WRONG
