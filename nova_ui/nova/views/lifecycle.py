"""Lifecycle routines, their previews, runs and steps."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, JsonValue, StrictInt, StringConstraints

from nova_ui.domain.identity import Language
from nova_ui.domain.lifecycle import RoutineAction, RoutineType
from nova_ui.nova.views.common import Body, ListQuery, Ref, View
from nova_ui.nova.views.types import FilterText, GroupRef, Name, RoleRef, RoutineRef, Slug

RoutineState = Literal["enabled", "disabled"]
RunState = Literal["running", "done", "stopped", "failed"]
StepState = Literal["planned", "done", "skipped", "failed", "rehearsed"]
Recipient = Literal["identity", "manager", "administrators"]
Days = Annotated[StrictInt, Field(ge=0, le=3650)]
Notices = Annotated[list[Annotated[StrictInt, Field(ge=1, le=365)]], Field(max_length=10)]
CronText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=100),
    Field(description="minute, hour, day, month and weekday as cron has them, such as 0 2 * * *"),
]
ZoneName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]
MaxAffected = Annotated[StrictInt, Field(ge=1, le=10_000)]


class PlainAction(Body):
    """An action that needs nothing else."""

    action: Literal[
        RoutineAction.ACTIVATE,
        RoutineAction.SUSPEND,
        RoutineAction.DISABLE,
        RoutineAction.END_SESSIONS,
        RoutineAction.REVOKE_BIRTHRIGHTS,
        RoutineAction.REVOKE_ASSIGNMENTS,
        RoutineAction.TRANSFER_TO_MANAGER,
        RoutineAction.REMOVE_FROM_GROUPS,
    ]


class AssignRole(Body):
    """Give a role, for some days or as long as the role allows."""

    action: Literal[RoutineAction.ASSIGN_ROLE]
    role_id: RoleRef
    days: Annotated[StrictInt, Field(ge=1, le=3650)] | None = None


class AddToGroup(Body):
    """Add to a manual group."""

    action: Literal[RoutineAction.ADD_TO_GROUP]
    group_id: GroupRef


class SetAssignmentEnd(Body):
    """Let what is held end in so many days, unless it ends sooner."""

    action: Literal[RoutineAction.SET_ASSIGNMENT_END]
    days: Annotated[StrictInt, Field(ge=1, le=3650)]


class NotifyAction(Body):
    """Tell somebody what happens; also whom the notices before it go to."""

    action: Literal[RoutineAction.NOTIFY]
    recipients: list[Recipient] = Field(min_length=1, max_length=3)


ActionBody = Annotated[
    PlainAction | AssignRole | AddToGroup | SetAssignmentEnd | NotifyAction, Field(discriminator="action")
]
Actions = Annotated[list[ActionBody], Field(min_length=1, max_length=20)]


class RoutineCreate(Body):
    """A new routine; it begins disabled, and only rehearses until `dry_run` is taken away."""

    key: Slug
    names: dict[Language, Name] = Field(min_length=1)
    type: RoutineType
    condition: FilterText | None = Field(None, description="filter over the attributes of identities, as in lists")
    actions: Actions
    inactive_days: Annotated[StrictInt, Field(ge=1, le=3650)] | None = Field(
        None, description="inactivity: for how many days nobody has signed in"
    )
    grace_days: Days = 0
    notice_days: Notices = Field(default_factory=list, description="how many days before it is announced")
    schedule: CronText = "0 2 * * *"
    timezone: ZoneName = "UTC"
    dry_run: bool = True
    max_affected: MaxAffected = 20


class RoutinePatch(Body):
    """Changes of a routine; what is not named stays."""

    names: dict[Language, Name] = Field(default_factory=dict, min_length=1)
    condition: FilterText | None = None
    actions: Actions = Field(default_factory=list)
    inactive_days: Annotated[StrictInt, Field(ge=1, le=3650)] | None = None
    grace_days: Days = 0
    notice_days: Notices = Field(default_factory=list)
    schedule: CronText = ""
    timezone: ZoneName = ""
    dry_run: bool = True
    max_affected: MaxAffected = 20


class RunView(View):
    """One run with how many of its steps ended how."""

    id: str
    display_name: str
    routine: Ref
    routine_key: str
    job_id: str | None
    started_by: Ref | None
    dry_run: bool
    status: str
    affected: int
    max_affected: int
    steps: dict[str, int]
    error_code: str | None
    error_detail: str | None
    version: int
    started_at: datetime
    finished_at: datetime | None
    updated_at: datetime


class RoutineView(View):
    """A routine with its last run and its next due moment."""

    id: str
    key: str
    display_name: str
    names: dict[Language, str]
    type: str
    condition: str | None
    actions: list[dict[str, JsonValue]]
    action_names: dict[str, str] = Field(description="names of the roles and groups that the actions speak of")
    inactive_days: int | None
    grace_days: int
    notice_days: list[int]
    schedule: str
    timezone: str
    dry_run: bool
    max_affected: int
    status: str
    next_due_at: datetime | None
    last_run: RunView | None
    version: int
    created_at: datetime
    updated_at: datetime


class RoutineQuery(ListQuery):
    """Filters over routines."""

    type: RoutineType | None = None
    status: RoutineState | None = None
    sort: Literal["key", "-key", "created_at", "-created_at"] = "key"


class RunQuery(ListQuery):
    """Filters over runs."""

    routine_id: RoutineRef | None = None
    status: RunState | None = None
    dry_run: bool | None = None
    sort: Literal["started_at", "-started_at"] = "-started_at"


class StepQuery(ListQuery):
    """Filters over the steps of a run, in the order in which they were planned."""

    status: StepState | None = None
    sort: Literal["position", "-position"] = "position"


class StepView(View):
    """One action for one identity, with the reason for it."""

    id: str
    identity: Ref
    action: str
    parameters: dict[str, JsonValue]
    reason: dict[str, str]
    status: str
    error_code: str | None
    error_detail: str | None
    entry_id: str | None
    finished_at: datetime | None


class RunDetail(RunView):
    """One run with its first 200 steps."""

    items: list[StepView]


class PreviewItem(View):
    """What would happen to one identity, and why; `refusal` if Nova would not do it."""

    identity: Ref
    action: str
    parameters: dict[str, JsonValue]
    reason: dict[str, str]
    refusal: str | None


class PreviewView(View):
    """What a run would do now: counts first, then the first 200 steps. Nothing is changed."""

    affected: int
    max_affected: int
    would_stop: bool
    actions: dict[str, int]
    total: int
    items: list[PreviewItem]


class RunStarted(View):
    """A run that a job works on."""

    job_id: str
    run: RunView


class RunStart(Body):
    """How to run: by default as the routine says."""

    dry_run: bool | None = Field(None, description="true: only rehearse; left out: as the routine says")
