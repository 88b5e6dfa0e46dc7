"""What an AI routine assistant is: a prompt that runs by schedule, with the rights of a named identity."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NewType

from nova_ui.domain.assistant import Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.domain.chat import Notice, Step
from nova_ui.domain.identity import Caller, IdentityId, Language
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import ToolKind

RunId = NewType("RunId", str)

SESSION_METHOD: Final = "ai_routine"  # how the technical session of a run is told from one that somebody signed in to
_READS: Final = frozenset({ToolKind.READ})
_WRITES: Final = frozenset({ToolKind.READ, ToolKind.WRITE})


class Trigger(StrEnum):
    """Why a run was begun."""

    SCHEDULE = "schedule"
    MANUAL = "manual"


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AiRoutine:
    """A configured AI routine assistant; nobody sits before it, so nothing destructive ever runs in it."""

    key: str
    names: Mapping[Language, str]
    prompt: str
    tool_names: frozenset[str]
    acts_as: IdentityId
    model: str | None = None
    read_only: bool = True
    enabled: bool = False

    @property
    def kinds(self) -> frozenset[ToolKind]:
        """Which kinds of tools may run: reading ones, and writing ones where an administrator allowed it."""
        return _READS if self.read_only else _WRITES

    def as_assistant(self) -> Assistant:
        """Return the routine as the gate knows assistants: its own tool list, never all tools."""
        return Assistant(
            key=AssistantKey(self.key),
            names=self.names,
            descriptions=MappingProxyType({}),
            prompt="",
            tools=ToolList(names=self.tool_names),
            audience=Audience(kind=AudienceKind.EVERYONE),  # whose rights count is the session's matter
            model=self.model,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    """One run that is to be carried out, in a session of its own."""

    run_id: RunId
    routine: AiRoutine
    caller: Caller


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What a run has come to: everything redacted, nothing destructive in it."""

    state: RunState
    answer: str = ""
    steps: tuple[Step, ...] = ()
    notices: tuple[Notice, ...] = ()
    model: str | None = None
    usage: Mapping[str, JsonValue] = field(default_factory=dict)
