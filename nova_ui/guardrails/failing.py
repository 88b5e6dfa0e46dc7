"""What a tool's failure means: in words for the model, and whether something may have happened (rules C10, H4)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from nova_ui.errors import InnerCallRefused, NovaPreconditionFailed, NovaProblem, NovaUnauthenticated
from nova_ui.guardrails.limits import MAX_TOOL_SECONDS
from nova_ui.guardrails.outcome import OUTCOME_UNKNOWN
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.roles import session_ended

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


T = TypeVar("T")


async def guarded(
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
    if problem.code == Code.INTERFACE_ONLY:
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
