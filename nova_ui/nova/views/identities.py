"""Identities, the directory, and one's own profile."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from nova_ui.domain.identity import Language, Role
from nova_ui.nova.views.common import Body, FilteredQuery, ListQuery, Query, Ref, View
from nova_ui.nova.views.types import (
    EMail,
    EndMoment,
    GroupRef,
    IdentityRef,
    Line,
    Name,
    Phone,
    Reason,
    RoleRef,
    StartMoment,
    UserName,
    Words,
)


class IdentityStatus(StrEnum):
    """Where an identity stands."""

    STAGED = "staged"
    ACTIVE = "active"
    SUSPENDED = "suspended"
    DISABLED = "disabled"
    ARCHIVED = "archived"


class UserType(StrEnum):
    """What kind of identity it is."""

    EMPLOYEE = "employee"
    CONTRACTOR = "contractor"
    EXTERNAL = "external"
    SERVICE = "service"


class Theme(StrEnum):
    """How the interface looks."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class StoredRole(StrEnum):
    """The two Nova roles that are stored."""

    ADMINISTRATOR = "administrator"
    AUDITOR = "auditor"


class EmailView(View):
    """An e-mail address."""

    value: str
    type: str = "work"
    primary: bool = False


class IdentityView(View):
    """An identity in full; `active` is true exactly for the state `active`."""

    id: str
    user_name: str
    external_id: str | None
    display_name: str
    given_name: str
    family_name: str
    email: str | None
    emails: list[EmailView]
    phone_numbers: list[str]
    title: str | None
    user_type: str
    employee_number: str | None
    organization: str | None
    division: str | None
    department: str | None
    cost_center: str | None
    location: str | None
    manager: Ref | None
    preferred_language: str
    locale: str | None
    timezone: str | None
    start_date: date | None
    end_date: date | None
    status: str
    active: bool
    status_reason: str | None
    nova_roles: list[str]
    protected: bool
    last_sign_in_at: datetime | None
    locked_until: datetime | None
    mfa_methods: list[str]
    version: int
    created_at: datetime
    updated_at: datetime


class MeView(IdentityView):
    """Oneself: also the roles as Nova sees them now, and the looks of the interface."""

    roles: list[Role]
    theme: str


class DirectoryView(View):
    """What everyone signed in may read of another person."""

    id: str
    display_name: str
    title: str | None
    department: str | None
    email: str | None


class AccessItem(View):
    """One right of an identity and why it has it: a role, or an entitlement assigned by itself."""

    assignment_id: str
    role: Ref | None
    entitlement: Ref | None
    application: Ref | None
    privileged: bool
    risk: str
    status: str
    valid_from: datetime | None
    valid_until: datetime | None
    source: str
    source_id: str | None
    granted_by: Ref | None
    justification: str
    approved_by: list["ApprovedBy"] = Field(description="who approved the request it comes from, and when")
    rule: str | None = Field(description="the rule that gives it, where the source is birthright")
    why: str = Field(description="one English sentence")


class ApprovedBy(View):
    """A decision that a right rests on."""

    approver: Ref
    at: datetime | None


class ReachedEntitlement(View):
    """An entitlement that an identity has now, and the ways it gets it."""

    entitlement: Ref
    application: Ref | None
    privileged: bool
    risk: str
    paths: list["AccessPath"]


class AccessPath(View):
    """One way to an entitlement: the assignment, and the roles from the assigned one down; none: assigned itself."""

    assignment_id: str
    roles: list[Ref]
    valid_until: datetime | None
    why: str = Field(description="one English sentence")


class AccessView(View):
    """What an identity may use, and why."""

    identity: Ref
    items: list[AccessItem]
    entitlements: list[ReachedEntitlement] = Field(description="what it comes to inside the applications, now")
    groups: list[Ref]
    nova_roles: list[str]


IdentitySort = Literal[
    "display_name", "-display_name", "user_name", "-user_name", "created_at", "-created_at", "updated_at", "-updated_at"
]


class IdentityQuery(FilteredQuery):
    """Filters over identities; texts compare without regard to case."""

    status: IdentityStatus | None = None
    department: Words | None = None
    location: Words | None = None
    organization: Words | None = None
    division: Words | None = None
    cost_center: Words | None = None
    title: Words | None = None
    user_name: Words | None = None
    employee_number: Words | None = None
    user_type: UserType | None = None
    manager_id: IdentityRef | None = Field(None, description="direct reports of this identity")
    group_id: GroupRef | None = Field(None, description="members of this group")
    role_id: RoleRef | None = Field(None, description="who holds this role now")
    nova_role: StoredRole | None = None
    signed_in_before: StartMoment | None = Field(None, description="last sign-in before this moment, or never")
    ends_before: date | None = Field(None, description="end_date before this day")
    created_after: StartMoment | None = None
    created_before: EndMoment | None = None
    sort: IdentitySort = "display_name"


TwoLetters = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=200)]


class DirectoryQuery(ListQuery):
    """A search in the directory, by at least two characters."""

    q: TwoLetters = Field(description="part of a name, at least two characters")
    department: Words | None = None
    sort: Literal["display_name", "-display_name"] = "display_name"


class TimelineQuery(Query):
    """A page of an identity's audit entries, newest first."""

    cursor: str | None = Field(None, min_length=1, max_length=600)
    limit: int = Field(50, ge=1, le=200)


class EmailBody(Body):
    """An e-mail address; the first one is primary unless another says so."""

    value: EMail
    type: Literal["work", "home", "other"] = "work"
    primary: bool = False


class IdentityCreate(Body):
    """A new identity. Nova roles are set in the administration interface only."""

    user_name: UserName
    display_name: Name
    given_name: Line = ""
    family_name: Line = ""
    emails: list[EmailBody] = Field(default_factory=list, max_length=10)
    phone_numbers: list[Phone] = Field(default_factory=list, max_length=10)
    external_id: Name | None = None
    title: Name | None = None
    user_type: UserType = UserType.EMPLOYEE
    employee_number: Name | None = None
    organization: Name | None = None
    division: Name | None = None
    department: Name | None = None
    cost_center: Name | None = None
    location: Name | None = None
    manager_id: IdentityRef | None = None
    preferred_language: Language = Language.ENGLISH
    locale: Name | None = None
    timezone: Name | None = None
    start_date: date | None = None
    end_date: date | None = None
    status: Literal["staged", "active"] = "active"


class IdentityPatch(Body):
    """A merge patch: what is absent stays, null clears."""

    user_name: UserName = Field(default_factory=str)
    display_name: Name = Field(default_factory=str)
    given_name: Line = Field(default_factory=str)
    family_name: Line = Field(default_factory=str)
    emails: list[EmailBody] = Field(default_factory=list, max_length=10)
    phone_numbers: list[Phone] = Field(default_factory=list, max_length=10)
    external_id: Name | None = None
    title: Name | None = None
    user_type: UserType = Field(default_factory=lambda: UserType.EMPLOYEE)
    employee_number: Name | None = None
    organization: Name | None = None
    division: Name | None = None
    department: Name | None = None
    cost_center: Name | None = None
    location: Name | None = None
    manager_id: IdentityRef | None = None
    preferred_language: Language = Field(default_factory=lambda: Language.ENGLISH)
    locale: Name | None = None
    timezone: Name | None = None
    start_date: date | None = None
    end_date: date | None = None


class MePatch(Body):
    """A merge patch over one's own profile."""

    display_name: Name = Field(default_factory=str)
    phone_numbers: list[Phone] = Field(default_factory=list, max_length=10)
    preferred_language: Language = Field(default_factory=lambda: Language.ENGLISH)
    locale: Name | None = None
    timezone: Name | None = None
    theme: Theme = Field(default_factory=lambda: Theme.SYSTEM)


class StatusChange(Body):
    """Why an identity's state changes."""

    reason: Reason | None = None


class Transfer(Body):
    """To whom everything goes that the identity owns, decides on or manages."""

    to: IdentityRef


class TransferredView(View):
    """What a transfer moved."""

    object: Ref
    to: Ref
    transferred: list["TransferredItem"]


class TransferredItem(View):
    """One object that changed hands."""

    type: str
    id: str
    display: str


class IdentityImpactQuery(Query):
    """Which action to weigh."""

    action: Literal["suspend", "disable", "archive", "delete", "end_sessions"]
