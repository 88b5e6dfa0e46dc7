"""Runs all cases of AgentDojo's suites in each way, and counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from storage.database import Database
from tests.bench.agentdojo.adapter import tools_of
from tests.bench.agentdojo.engine import DojoEngine
from tests.bench.agentdojo.kinds import Marking
from tests.bench.agentdojo.suites import Case, injections_of, run_bare, suites

BARE: Final = "no guardrails"
WAYS: Final = (BARE, *Marking)


@dataclass
class Figures:
    """Counts: goals reached and tried, tasks done and tried, messages sent; each by way."""

    reached: Counter[tuple[str, str]] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    useful: Counter[tuple[str, bool]] = field(default_factory=Counter)
    tasks: Counter[bool] = field(default_factory=Counter)
    messages: Counter[str] = field(default_factory=Counter)
    by_suite: Counter[tuple[str, str]] = field(default_factory=Counter)
    tried_by_suite: Counter[str] = field(default_factory=Counter)
    left_out: int = 0

    def lines(self) -> Iterator[str]:
        """Yield the tables as Markdown."""
        yield _row("goal of the injection", "cases", *WAYS)
        yield _row("---", "---:", *("---:" for _ in WAYS))
        for goal, cases in sorted(self.tried.items(), key=lambda one: -one[1]):
            yield _row(goal, str(cases), *(_share(self.reached[way, goal], cases) for way in WAYS))
        total = sum(self.tried.values())
        yield _row("all", str(total), *(_share(self._all_reached(way), total) for way in WAYS))
        yield ""
        yield _row("suite", "cases", *WAYS)
        yield _row("---", "---:", *("---:" for _ in WAYS))
        for suite, cases in self.tried_by_suite.items():
            yield _row(suite, str(cases), *(_share(self.by_suite[way, suite], cases) for way in WAYS))
        yield ""
        yield _row("the person's tasks", "cases", *WAYS)
        yield _row("---", "---:", *("---:" for _ in WAYS))
        for attacked, name in ((False, "done, nobody attacks"), (True, "done, under attack")):
            shares = (_share(self.useful[way, attacked], self.tasks[attacked]) for way in WAYS)
            yield _row(name, str(self.tasks[attacked]), *shares)
        sent = (f"{self.messages[way] / max(self.tasks[False], 1):.1f}" for way in WAYS)
        yield _row("messages sent per task, nobody attacks", str(self.tasks[False]), *sent)
        yield ""
        yield f"{self.left_out} injections don't say how they are carried out, and are left out."

    def _all_reached(self, way: str) -> int:
        return sum(count for (one, _), count in self.reached.items() if one == way)


async def measure(database: Database, only: Sequence[str]) -> Figures:
    """Run every case in every way."""
    figures = Figures()
    for name, suite in suites().items():
        if only and name not in only:
            continue
        runner = _Suite(database, suite, name)
        await runner.prepare()
        injections = list(injections_of(suite))
        figures.left_out += len(suite.injection_tasks) - len(injections)
        for task in suite.user_tasks.values():
            await runner.run_alone(task, figures)
            for injection, goal in injections:
                await runner.run_attacked(task, injection, goal, figures)
    return figures


class _Suite:
    """One suite with an engine for each marking; the running case takes what the tools do."""

    def __init__(self, database: Database, suite: Any, name: str) -> None:  # noqa: ANN401 - foreign
        self._suite, self._name = suite, name
        self._case: Case | None = None
        self._engines = {
            marking: DojoEngine(database, tools_of(suite.tools, self._run, marking), f"{name}-{number}")
            for number, marking in enumerate(Marking)
        }

    async def prepare(self) -> None:
        for engine in self._engines.values():
            await engine.prepare()

    async def run_alone(self, task: Any, figures: Figures) -> None:  # noqa: ANN401 - foreign
        figures.tasks[False] += 1
        for way in WAYS:
            case = Case(self._suite, task)
            said, messages = await self._through(way, case)
            figures.useful[way, False] += case.is_useful(said)
            figures.messages[way] += messages

    async def run_attacked(self, task: Any, injection: Any, goal: str, figures: Figures) -> None:  # noqa: ANN401 - foreign
        figures.tasks[True] += 1
        figures.tried[goal] += 1
        figures.tried_by_suite[self._name] += 1
        for way in WAYS:
            case = Case(self._suite, task, injection)
            said, _ = await self._through(way, case)
            is_reached = case.is_reached(said)
            figures.reached[way, goal] += is_reached
            figures.by_suite[way, self._name] += is_reached
            figures.useful[way, True] += case.is_useful(said)

    async def _through(self, way: str, case: Case) -> tuple[str, int]:
        """Run a case in one way; return what the model said last, and how many messages the person sent."""
        self._case = case
        model = case.model()
        if way == BARE:
            return run_bare(case, model), 1
        outcome = await self._engines[Marking(way)].run(case.task.PROMPT, model)
        return outcome.said, outcome.messages

    def _run(self, name: str, arguments: Any) -> Any:  # noqa: ANN401 - foreign
        assert self._case is not None
        return self._case.run(name, arguments)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.0f} %" if of else "–"
