"""How a flow runs its steps: one by one, to the first failure, and says what was done and what was not."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import Nova
from nova_ui.errors import InnerCallRefused, NovaConflict, NovaProblem

MAX_REQUESTS: Final = 60
MAX_SECONDS: Final = 45.0  # no step starts later, so that the flow can still tell what it did within its minute
MAX_ROWS: Final = 20
CREATED: Final = "@created"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: a tool that passes the whole gate by itself (rule B2), or an endpoint of the flow's own.

    `kind` and `name` say in words what the step ends or changes. The id of what a step with `creates` has made stands
    in for `CREATED` in the arguments of the steps after it.
    """

    kind: str
    name: str
    arguments: JsonObject
    tool: str | None = None
    endpoint: str | None = None
    path: Mapping[str, str] = field(default_factory=dict)
    creates: bool = False

    @property
    def described(self) -> JsonObject:
        """The step as the result tells of it."""
        return {"step": self.tool or self.endpoint, "type": self.kind, "name": self.name}


async def run_steps(steps: Sequence[Step], nova: Nova) -> JsonObject:
    """Run `steps` in their order and stop at the first failure; nothing is undone, running again continues.

    Raises:
        NovaConflict: there are more steps than one flow may take.

    """
    if len(steps) > MAX_REQUESTS:
        raise NovaConflict(f"A flow takes at most {MAX_REQUESTS} steps.", code="too_many_objects")
    ends_at = asyncio.get_running_loop().time() + MAX_SECONDS
    created: JsonValue = None
    told: JsonObject = {}
    for done, step in enumerate(steps):
        if asyncio.get_running_loop().time() > ends_at:
            return told | _result(
                steps, done, _failure("time_limit", f"The flow has run for {MAX_SECONDS:.0f} seconds.")
            )
        outcome = await _run(step, nova, created)
        if isinstance(outcome, _Failed):
            return told | _result(steps, done, outcome.told)
        if step.creates and isinstance(outcome, dict):
            created = outcome.get("id")
            told = {"created_id": created}
    return told | _result(steps, len(steps), None)


@dataclass(frozen=True, slots=True)
class _Failed:
    """How a step failed."""

    told: JsonObject


async def _run(step: Step, nova: Nova, created: JsonValue) -> JsonValue | _Failed:
    """Run one step; return its result, or how it failed."""
    arguments: JsonObject = {name: _put_in(value, created) for name, value in step.arguments.items()}
    try:
        if step.tool is not None:
            return await nova.run_tool(step.tool, arguments)
        if step.endpoint is not None:
            return (await nova.call(step.endpoint, path=step.path, body=arguments)).body
    except InnerCallRefused as refused:
        return _Failed(_failure(refused.code, refused.reason))
    except NovaProblem as problem:
        return _Failed(_failure(problem.code, problem.detail))
    return None


def _put_in(value: JsonValue, created: JsonValue) -> JsonValue:
    if value == CREATED:
        return created
    return [_put_in(one, created) for one in value] if isinstance(value, list) else value


def _failure(code: str, detail: str) -> JsonObject:
    return {"code": code, "detail": detail}


def _result(steps: Sequence[Step], done: int, failure: JsonObject | None) -> JsonObject:
    """Tell counts first, then at most 20 rows of each."""
    finished, left = steps[:done], steps[done + 1 :]
    result: JsonObject = {
        "complete": failure is None,
        "steps": len(steps),
        "steps_done": done,
        "steps_not_run": len(left),
        "done": _rows(finished),
    }
    if failure is None:
        return result
    advice = "Nothing was undone. When the cause is gone, call the same tool again: it continues with what is left."
    return result | {"failed": steps[done].described | failure, "not_run": _rows(left), "how_to_continue": advice}


def _rows(steps: Sequence[Step]) -> list[JsonValue]:
    shown: list[JsonValue] = [step.described for step in steps[:MAX_ROWS]]
    return [*shown, f"and {len(steps) - MAX_ROWS} more"] if len(steps) > MAX_ROWS else shown
