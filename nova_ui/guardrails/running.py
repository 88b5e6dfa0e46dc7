"""How an admitted call runs, how its inner calls pass the gate again, and what a failure means (rules B2, C10, H4)."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from nova_ui.domain.canonical import validated_arguments
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, Nova, Shown, ToolCall, ToolKind
from nova_ui.errors import (
    InnerCallRefused,
    NovaForbidden,
    NovaPreconditionFailed,
    NovaProblem,
    NovaUnauthenticated,
)
from nova_ui.guardrails.admission import admit, prepare
from nova_ui.guardrails.kinds import is_milder
from nova_ui.guardrails.limits import MAX_INNER_CALLS, MAX_TOOL_SECONDS
from nova_ui.guardrails.marks import Marks, secret_fields_of
from nova_ui.guardrails.outcome import OUTCOME_UNKNOWN, clean_result
from nova_ui.guardrails.preview import look
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.roles import session_ended
from nova_ui.guardrails.situation import SituationSource, ToolDoor
from nova_ui.guardrails.tool_list import check_declared, find_inner_tools

_LOG: Final = logging.getLogger(__name__)
_SERVER_ERROR: Final = 500
_UNKNOWN_DETAIL: Final = (
    "Whether it was done is not known. Do not call it again; tell the person, and look at the current state."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broke:
    """How a call failed: the endpoint's code and words; `is_stale` if the object is not the one that was shown."""

    code: str
    detail: str = ""
    is_stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A call's own answer, before anything is taken out of it."""

    result: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Runs calls of one turn; the only place that calls `tool.run` and `tool.show`."""

    tools: Mapping[str, AnyTool]
    marks: Marks
    door: ToolDoor
    situation: SituationSource

    def secret_fields(self, tool: AnyTool) -> frozenset[str]:
        """Return the fields that Nova marks as secret in what `tool` calls."""
        return secret_fields_of(tool, self.marks)

    async def run(self, tool: AnyTool, call: ToolCall, *, if_match: str | None = None) -> Done | Broke | Refusal:
        """Run a call that passed the gate; a destructive one has been confirmed."""
        nova = self._open(tool, call, if_match=if_match, ceiling=tool.kind)

        async def run_once() -> Done:
            return Done(result=await tool.run(validated_arguments(tool, call), nova))

        return await _guarded(run_once, tool.name, changes_something=tool.kind is not ToolKind.READ)

    async def show(self, tool: AnyTool, call: ToolCall) -> Shown | Broke | Refusal:
        """Read what the card of a destructive call shows, without secrets; nothing may be changed meanwhile."""
        nova = self._open(tool, call, if_match=None, ceiling=ToolKind.READ)
        show = tool.show
        if show is None:
            return Broke(code="internal")  # the start-up check lets no such tool through

        async def show_once() -> Shown:
            return await look(lambda: show(validated_arguments(tool, call), nova), call, self.secret_fields(tool))

        return await _guarded(show_once, tool.name, changes_something=False)

    def _open(self, tool: AnyTool, call: ToolCall, *, if_match: str | None, ceiling: ToolKind) -> Nova:
        declared = find_inner_tools(tool, validated_arguments(tool, call))
        inner = _InnerCalls(runner=self, declared=declared, ceiling=ceiling)
        return self.door.for_tool(tool, if_match=if_match, run_tool=inner.run)

    async def run_inner(
        self, name: str, arguments: JsonObject, declared: tuple[str, ...], ceiling: ToolKind
    ) -> JsonValue:
        """Pass one step of a flow through the gate and run it.

        Raises:
            InnerCallRefused: the gate refused it.
            NovaProblem: the endpoint refused or failed.

        """
        refusal = check_declared(name, declared)
        if refusal is not None:
            raise _inner_refused(name, refusal)
        admitted = admit(name, self.tools, await self.situation(), read_only=False)
        if isinstance(admitted, Refusal):
            raise _inner_refused(name, admitted)
        tool = admitted.tool
        if is_milder(ceiling, tool.kind) or tool.inner_tools:
            raise _inner_refused(name, _TOO_MUCH)
        prepared = prepare(admitted, json.dumps(arguments), self.tools, self.secret_fields(tool))
        if isinstance(prepared, Refusal):
            raise _inner_refused(name, prepared)
        nova = self._open(tool, prepared.call, if_match=None, ceiling=ToolKind.READ)
        result = await tool.run(validated_arguments(tool, prepared.call), nova)
        return clean_result(result, self.secret_fields(tool))


@dataclass(slots=True, kw_only=True)
class _InnerCalls:
    """The inner calls of one call, counted."""

    runner: Runner
    declared: tuple[str, ...]
    ceiling: ToolKind
    made: int = field(default=0)

    async def run(self, name: str, arguments: JsonObject) -> JsonValue:
        self.made += 1
        if self.made > MAX_INNER_CALLS:
            raise _inner_refused(name, _TOO_MANY)
        return await self.runner.run_inner(name, arguments, self.declared, self.ceiling)


_TOO_MUCH: Final = Refusal(
    code=Code.CONFIRMATION_REQUIRED, reason="inner_kind", advice="A step may not do more than the tool it belongs to."
)
_TOO_MANY: Final = Refusal(
    code=Code.LIMIT_TOOL_RESULTS, reason="inner_calls", advice=f"A flow makes at most {MAX_INNER_CALLS} inner calls."
)


def _inner_refused(name: str, refusal: Refusal) -> InnerCallRefused:
    return InnerCallRefused(tool_name=name, code=refusal.code, reason=refusal.reason)


T = TypeVar("T")


async def _guarded(
    action: Callable[[], Awaitable[T]], tool_name: str, *, changes_something: bool
) -> T | Broke | Refusal:
    """Run an action of a tool for at most a minute; a failure becomes words, and the turn goes on (rule H4)."""
    try:
        async with asyncio.timeout(MAX_TOOL_SECONDS):
            return await action()
    except InnerCallRefused as error:
        return Broke(code=error.code, detail=f"The step {error.tool_name} was refused ({error.reason}).")
    except NovaProblem as problem:
        return _by_problem(problem, changes_something=changes_something)
    except TimeoutError:
        return _lost("unavailable", changes_something=changes_something)
    except Exception as error:  # noqa: BLE001 - whatever a tool does, the turn goes on; its words may hold anything
        _LOG.error("tool.failed", extra={"tool": tool_name, "error": type(error).__name__})  # no values
        return _lost("internal", changes_something=changes_something)


def _by_problem(problem: NovaProblem, *, changes_something: bool) -> Broke | Refusal:
    if isinstance(problem, NovaUnauthenticated):
        return session_ended()
    if isinstance(problem, NovaForbidden) and problem.code == Code.INTERFACE_ONLY:
        return Refusal(
            code=Code.INTERFACE_ONLY, reason="endpoint", advice="This is possible in the administration interface only."
        )
    if isinstance(problem, NovaPreconditionFailed):
        return Broke(code=problem.code, detail=problem.detail, is_stale=True)
    if problem.status >= _SERVER_ERROR:
        return _lost(problem.code, changes_something=changes_something)
    where = f" (field {problem.field})" if problem.field else ""
    return Broke(code=problem.code, detail=f"{problem.detail}{where}")


def _lost(code: str, *, changes_something: bool) -> Broke:
    """Return a failure of which only a read can say that nothing happened."""
    if changes_something:
        return Broke(code=OUTCOME_UNKNOWN, detail=_UNKNOWN_DETAIL)
    return Broke(code=code, detail="Nothing was changed.")
