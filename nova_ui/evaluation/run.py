"""Plays many cases, a few at a time, within a number of requests that is never passed."""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from nova_ui.domain.chat import ChatId, PreviewId
from nova_ui.evaluation.cases import Case
from nova_ui.evaluation.judge import Judge, Judged, Verdict
from nova_ui.evaluation.place import ModelChoice, Place, assistant_for, make_template, open_place
from nova_ui.evaluation.play import Played, PlayedStep, play_step, unmet_checks
from nova_ui.guardrails.limits import MAX_MODEL_CALLS

MAX_CONCURRENCY: Final = 8

Told = Callable[[Judged, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What to try, and how: with `tools` an assistant of just these is asked, else the one that has all."""

    choice: ModelChoice
    tools: Collection[str] | None = None
    concurrency: int = 1
    max_requests: int = 10_000


@dataclass(slots=True)
class Evaluation:
    """What came out, in the order of the cases; `left` cases were not begun, so as not to pass the limit."""

    judged: list[Judged] = field(default_factory=list)
    left: int = 0
    requests: int = 0


class _Budget:
    """Gives a case leave to begin only if all requests it may make fit."""

    def __init__(self, limit: int) -> None:
        self._free = limit

    def take(self, case: Case) -> bool:
        most = self._most(case)
        if most > self._free:
            return False
        self._free -= most
        return True

    def give_back(self, case: Case, used: int) -> None:
        self._free += self._most(case) - used

    @staticmethod
    def _most(case: Case) -> int:
        return MAX_MODEL_CALLS * len(case.steps)


async def evaluate(cases: Sequence[Case], setup: Setup, folder: Path, tell: Told | None = None) -> Evaluation:
    """Play `cases` in `folder`, which holds the throw-away organisations afterwards; `tell` hears of each case."""
    await make_template(folder / "template", setup.tools)
    waiting = deque(enumerate(cases))
    budget, done = _Budget(setup.max_requests), dict[int, Judged]()
    found = Evaluation()

    async def work(number: int) -> None:
        place = await open_place(
            folder / f"place{number}", folder / "template", setup.choice, assistant_for(setup.tools)
        )
        judge = Judge(place.parts.services.tools)
        try:
            while waiting:
                index, case = waiting.popleft()
                if not budget.take(case):
                    found.left += 1
                    continue
                judged = judge.judge(await play(place, case, judge))
                used = sum(step.model_calls for step in judged.played.steps)
                budget.give_back(case, used)
                found.requests += used
                done[index] = judged
                if tell is not None:
                    tell(judged, len(cases))
        finally:
            await place.close()

    async with asyncio.TaskGroup() as group:
        for number in range(max(1, min(setup.concurrency, MAX_CONCURRENCY, len(cases)))):
            group.create_task(work(number))
    found.judged = [done[index] for index in sorted(done)]
    return found


async def play(place: Place, case: Case, judge: Judge) -> Played:
    """Play a case up to its first message that does not lead where it should, and put the organisation back."""
    steps: list[PlayedStep] = []
    chat_id: ChatId | None = None
    card: PreviewId | None = None
    await place.speak(case.language)
    for step in case.steps:
        played, chat_id = await play_step(place, step, chat_id, card)
        card = played.preview_id
        steps.append(played)
        if judge.verdict_on(played) is not Verdict.RIGHT:
            break
    is_whole = len(steps) == len(case.steps)
    unmet = await unmet_checks(place, case.after) if is_whole else ()
    if any(step.changes for step in steps):
        await place.put_back()
    return Played(case=case, steps=tuple(steps), unmet=unmet)
