"""What an evaluation comes to: figures by language and kind, and every wrong change by its name."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolKind
from nova_ui.evaluation.judge import Judged, Verdict
from nova_ui.evaluation.run import Evaluation

NOTHING: Final = "nothing"
SEVERAL_STEPS: Final = "several steps"
_KINDS: Final = (*(kind.value for kind in ToolKind), NOTHING, SEVERAL_STEPS)
_PERCENT: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures; seconds are per message, until its answer was complete."""

    model: str
    evaluation: Evaluation

    @property
    def judged(self) -> Sequence[Judged]:
        """All cases that were played."""
        return self.evaluation.judged

    @property
    def right_share(self) -> float:
        """How many cases came out right, from 0 to 1; 0 without any."""
        return _share(self.judged)

    @property
    def wrong_changes(self) -> int:
        """How many changes nobody had asked for, those that stopped at their card included."""
        return sum(len(one.wrong_changes) for one in self.judged)

    def passes(self, *, least_right: float, most_wrong_changes: int) -> bool:
        """Whether everything was played and the model is good enough."""
        is_whole = bool(self.judged) and not self.evaluation.left
        return is_whole and self.right_share >= least_right and self.wrong_changes <= most_wrong_changes

    def as_json(self) -> JsonObject:
        """Return everything, case by case, for programs."""
        return {
            "model": self.model,
            "cases": len(self.judged),
            "left_out": self.evaluation.left,
            "requests": self.evaluation.requests,
            "right": round(self.right_share, 4),
            "groups": [_group_json(name, cases) for name, cases in self._groups()],
            "seconds": {"p50": _rounded(self._seconds(0.5)), "p95": _rounded(self._seconds(0.95))},
            "seconds_to_first": {"p50": _rounded(self._first(0.5)), "p95": _rounded(self._first(0.95))},
            "tokens": {"input": self._tokens("input_tokens"), "output": self._tokens("output_tokens")},
            "wrong_changes": [
                {"said": one.said, "tool": one.tool, "arguments": one.arguments, "kind": one.kind.value, "ran": one.ran}
                for judged in self.judged
                for one in judged.wrong_changes
            ],
            "not_right": [_miss_json(one) for one in self.judged if one.verdict is not Verdict.RIGHT],
        }

    def as_text(self) -> str:
        """Return the figures as a table, and below it what went wrong."""
        lines = [f"Model {self.model}: {len(self.judged)} requests, {_percent(self.right_share)} right", ""]
        lines += _table(
            ["", "requests", *(verdict.value.replace("_", " ") for verdict in Verdict), "right"],
            [_row(name, cases) for name, cases in [*self._groups(), ("all", self.judged)]],
        )
        tokens = f"{self._tokens('input_tokens')} in, {self._tokens('output_tokens')} out"
        lines += [
            "",
            f"Seconds until the first sign of an answer: p50 {_said(self._first(0.5))}, p95 {_said(self._first(0.95))}",
            f"Seconds until it was complete: p50 {_said(self._seconds(0.5))}, p95 {_said(self._seconds(0.95))}",
            f"Requests to the model: {self.evaluation.requests}; tokens: {tokens}",
        ]
        if self.evaluation.left:
            lines.append(f"Not played, so as not to pass the limit of requests: {self.evaluation.left}")
        lines += self._wrong_change_lines()
        missed = [one for one in self.judged if one.verdict is not Verdict.RIGHT]
        lines += ["", *(f"{one.verdict.value}: {one.played.case.text}{_instead(one)}" for one in missed)]
        return "\n".join(lines).rstrip() + "\n"

    def _wrong_change_lines(self) -> list[str]:
        if not self.wrong_changes:
            return ["", "No wrong change."]
        named = [
            f"  {'RAN' if one.ran else 'stopped at its card'}: {one.tool} {one.arguments}, for: {one.said}"
            for judged in self.judged
            for one in judged.wrong_changes
        ]
        return ["", f"Wrong changes: {self.wrong_changes}", *named]

    def _groups(self) -> list[tuple[str, list[Judged]]]:
        found: dict[str, list[Judged]] = {}
        for language in sorted({one.played.case.language for one in self.judged}):
            for kind in _KINDS:
                of_kind = [one for one in self.judged if one.played.case.language is language and _kind(one) == kind]
                if of_kind:
                    found[f"{language.value}, {kind}"] = of_kind
        return list(found.items())

    def _seconds(self, share: float) -> float | None:
        return _percentile((step.seconds for one in self.judged for step in one.played.steps), share)

    def _first(self, share: float) -> float | None:
        given = (step.seconds_to_first for one in self.judged for step in one.played.steps)
        return _percentile((one for one in given if one is not None), share)

    def _tokens(self, name: str) -> int:
        return sum(getattr(step, name) for one in self.judged for step in one.played.steps)


def _kind(judged: Judged) -> str:
    if len(judged.played.case.steps) > 1:
        return SEVERAL_STEPS
    return NOTHING if judged.kind is None else judged.kind.value


def _share(cases: Sequence[Judged]) -> float:
    return sum(one.verdict is Verdict.RIGHT for one in cases) / len(cases) if cases else 0.0


def _percentile(values: Iterable[float], share: float) -> float | None:
    """Return the value that `share` of all do not pass (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def _group_json(name: str, cases: Sequence[Judged]) -> JsonObject:
    counts = Counter(one.verdict for one in cases)
    language, _, kind = name.partition(", ")
    verdicts: JsonObject = {verdict.value: counts[verdict] for verdict in Verdict}
    return {"language": language, "kind": kind, "cases": len(cases), **verdicts}


def _miss_json(one: Judged) -> JsonObject:
    step = one.played.steps[-1]
    calls: list[JsonValue] = [
        {"tool": call.tool_name, "arguments": call.arguments, "status": call.status.value, "code": call.code}
        for call in step.calls
    ]
    return {
        "verdict": one.verdict.value,
        "language": one.played.case.language.value,
        "said": one.played.case.text,
        "step": len(one.played.steps),
        "wanted": {"tool": step.step.tool, "arguments": step.step.arguments},
        "calls": calls,
        "failure": step.failure,
        "unmet": [check.get for check in one.played.unmet],
        "answer": step.text[:500],
    }


def _instead(one: Judged) -> str:
    step = one.played.steps[-1]
    if step.failure is not None:
        return f" → the model failed ({step.failure})"
    if one.played.unmet:
        return f" → not so afterwards: {', '.join(check.get for check in one.played.unmet)}"
    called = "; ".join(f"{call.tool_name} {call.arguments}" for call in step.calls[-1:])
    return f" → {called}" if called else ""


def _row(name: str, cases: Sequence[Judged]) -> list[str]:
    counts = Counter(one.verdict for one in cases)
    return [name, str(len(cases)), *(str(counts[verdict]) for verdict in Verdict), _percent(_share(cases))]


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    widths = [max(len(line[column]) for line in [head, *rows]) for column in range(len(head))]
    return [_placed(line, widths) for line in [head, *rows]]


def _placed(line: list[str], widths: list[int]) -> str:
    name, *others = (text.rjust(width) for text, width in zip(line, widths, strict=True))
    return "  ".join([name.strip().ljust(widths[0]), *others]).rstrip()


def _percent(share: float) -> str:
    return f"{share * _PERCENT:.1f}%"


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)


def _said(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds:.2f}"
