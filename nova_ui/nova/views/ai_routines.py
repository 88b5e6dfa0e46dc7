"""AI routine assistants: administered in the interface only (rule B6); their runs are read by overseers."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, JsonValue, StrictBool, StringConstraints

from nova_ui.domain.ai_routine import RunState, Trigger
from nova_ui.domain.identity import Language
from nova_ui.nova.views.assistants import Prompt
from nova_ui.nova.views.common import Body, ListQuery, Ref, View
from nova_ui.nova.views.types import AssistantKeyText, IdentityRef, Line, Name

ScheduleText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=9, max_length=100),
    Field(description="minute, hour, day, month and weekday as cron knows them, such as 0 7 * * 1"),
]


class AiRoutineView(View):
    """An AI routine assistant as administrators see it; its key names it everywhere, so it is its id, too."""

    id: str
    key: str
    display_name: str
    names: dict[Language, str]
    prompt: str
    model: str | None
    tool_names: list[str]
    schedule: str
    timezone: str
    next_run_at: datetime | None = Field(description="null while it is disabled")
    acts_as: Ref = Field(description="the identity whose rights it uses")
    acts_as_is_active: bool
    deliver_to: list[Ref]
    read_only: bool
    status: Literal["enabled", "disabled"]
    last_run_at: datetime | None
    last_run_status: RunState | None
    version: int
    created_at: datetime
    updated_at: datetime


class AiRoutineQuery(ListQuery):
    """Filters over AI routine assistants."""

    status: Literal["enabled", "disabled"] | None = None
    sort: Literal["key", "-key", "created_at", "-created_at", "updated_at", "-updated_at"] = "key"


class AiRoutineCreate(Body):
    """A new AI routine assistant: disabled, reading only, never destructive."""

    key: AssistantKeyText
    names: dict[Language, Name] = Field(min_length=1)
    prompt: Prompt = Field(min_length=1)
    model: Name | None = None
    tool_names: list[str] = Field(default_factory=list, max_length=500)
    schedule: ScheduleText
    timezone: Line = "UTC"
    acts_as: IdentityRef
    deliver_to: list[IdentityRef] = Field(min_length=1, max_length=50)
    read_only: StrictBool = True


class AiRoutinePatch(Body):
    """A merge patch: what is absent stays."""

    names: dict[Language, Name] = Field(default_factory=dict, min_length=1)
    prompt: Prompt = Field(default_factory=str, min_length=1)
    model: Name | None = None
    tool_names: list[str] = Field(default_factory=list, max_length=500)
    schedule: ScheduleText = Field(default_factory=str)
    timezone: Line = Field(default_factory=str)
    acts_as: IdentityRef = Field(default_factory=str)
    deliver_to: list[IdentityRef] = Field(default_factory=list, min_length=1, max_length=50)
    read_only: StrictBool = Field(default_factory=bool)


class RunNotice(View):
    """A plain sentence of the server's own in a run, by its code."""

    code: str
    params: dict[str, JsonValue]


class RunCall(View):
    """A tool call of a run; arguments without secrets."""

    name: str
    kind: str | None
    arguments: dict[str, JsonValue]
    status: str
    code: str | None


class AiRoutineRunView(View):
    """One run; `calls` only for overseers, and only where one run is read."""

    id: str
    routine_key: str
    display_name: str
    names: dict[str, str]
    cause: Trigger
    due_at: datetime
    started_by: Ref | None
    acts_as: Ref
    status: RunState
    answer: str
    notices: list[RunNotice]
    calls: list[RunCall]
    model: str | None
    model_calls: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    delivered_to: list[Ref]
    started_at: datetime
    finished_at: datetime | None


class AiRoutineRunQuery(ListQuery):
    """Filters over runs."""

    routine_key: AssistantKeyText | None = None
    status: RunState | None = None
    sort: Literal["started_at", "-started_at"] = "-started_at"
