"""Groups and their members."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from nova_ui.nova.views.common import Body, FilteredQuery, ListQuery, Query, Ref, View
from nova_ui.nova.views.identities import UserType
from nova_ui.nova.views.types import FilterText, IdentityRef, IdList, Name, Paragraph, RoleRef


class GroupView(View):
    """A group."""

    id: str
    display_name: str
    description: str
    membership: str = Field(description="manual, or rule: then whoever the rule finds is a member")
    rule: str | None
    roles: list[Ref] = Field(description="what members hold because they are members")
    owners: list[Ref]
    member_count: int
    source: str
    protected: bool
    version: int
    created_at: datetime
    updated_at: datetime


class GroupChanged(GroupView):
    """A group that was made or changed, with what that did to its members at once."""

    followed: dict[str, int] = Field(
        description="members_added, members_removed, roles_granted, roles_revoked; empty where nothing followed"
    )


class MemberView(View):
    """A member of a group."""

    id: str
    display_name: str
    user_name: str
    department: str | None
    status: str
    added_at: datetime


class MembersAdded(View):
    """What adding members did; who was in already stays so."""

    group: GroupView
    added: list[Ref]
    already_members: list[Ref]


MembershipKind = Literal["manual", "rule"]
GroupSort = Literal["display_name", "-display_name", "created_at", "-created_at", "updated_at", "-updated_at"]


class GroupQuery(FilteredQuery):
    """Filters over groups."""

    source: Literal["nova", "connector"] | None = None
    membership: MembershipKind | None = None
    role_id: RoleRef | None = Field(None, description="groups whose members get this role")
    owner_id: IdentityRef | None = None
    member_id: IdentityRef | None = Field(None, description="groups this identity is a member of")
    sort: GroupSort = "display_name"


class MemberQuery(ListQuery):
    """A page of members."""

    sort: Literal["display_name", "-display_name", "user_name", "-user_name"] = "display_name"


class GroupCreate(Body):
    """A new group."""

    display_name: Name
    description: Paragraph = ""
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)
    membership: MembershipKind = "manual"
    rule: FilterText | None = Field(None, description="RFC 7644 filter over identities, where membership is rule")
    role_ids: list[RoleRef] = Field(default_factory=list, max_length=20)


class GroupPatch(Body):
    """A merge patch: what is absent stays."""

    display_name: Name = Field(default_factory=str)
    description: Paragraph = Field(default_factory=str)
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)
    membership: MembershipKind = Field(default_factory=lambda: "manual")
    rule: FilterText | None = None
    role_ids: list[RoleRef] = Field(default_factory=list, max_length=20)


class RuleCheck(Body):
    """A rule to try, as a group or the birthright of a role may have it."""

    rule: FilterText


class RuleFound(View):
    """Whom a rule finds: how many, and the first of them by name."""

    count: int
    sample: list["FoundView"]


class FoundView(View):
    """An identity that a rule finds."""

    id: str
    display_name: str
    user_name: str
    department: str | None
    status: str


class BirthrightCheck(Body):
    """What somebody is to be; what is absent is as it is, or nothing where `identity_id` names nobody."""

    identity_id: IdentityRef | None = None
    user_type: UserType = Field(default_factory=lambda: UserType.EMPLOYEE)
    title: Name | None = None
    organization: Name | None = None
    division: Name | None = None
    department: Name | None = None
    cost_center: Name | None = None
    location: Name | None = None
    manager_id: IdentityRef | None = None


class BirthrightsFound(View):
    """What rules and groups would give to and take from somebody."""

    joining: list[Ref]
    leaving: list[Ref]
    granted: list["RuledRole"]
    revoked: list["RuledRole"]


class RuledRole(View):
    """A role that comes with the job or with a group, which `source_id` names."""

    role: Ref
    source: str
    source_id: str


class MembersAdd(Body):
    """Whom to add."""

    identity_ids: list[IdentityRef] = Field(min_length=1, max_length=100)


class MembersReplace(Body):
    """Who is in from now on, and nobody else."""

    identity_ids: list[IdentityRef] = Field(max_length=200)


class GroupImpactQuery(Query):
    """Which action to weigh; `identity_id` goes with `remove_member`, `identity_ids` with `replace_members`."""

    action: Literal["delete", "remove_member", "replace_members"]
    identity_id: IdentityRef | None = None
    identity_ids: IdList | None = None
