"""Groups and their members."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from nova_ui.nova.views.common import Body, FilteredQuery, ListQuery, Query, Ref, View
from nova_ui.nova.views.types import IdentityRef, Name, Paragraph


class GroupView(View):
    """A group."""

    id: str
    display_name: str
    description: str
    membership: str = "manual"
    owners: list[Ref]
    member_count: int
    source: str
    protected: bool
    version: int
    created_at: datetime
    updated_at: datetime


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


GroupSort = Literal["display_name", "-display_name", "created_at", "-created_at", "updated_at", "-updated_at"]


class GroupQuery(FilteredQuery):
    """Filters over groups."""

    source: Literal["nova", "connector"] | None = None
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


class GroupPatch(Body):
    """A merge patch: what is absent stays."""

    display_name: Name = Field(default_factory=str)
    description: Paragraph = Field(default_factory=str)
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)


class MembersAdd(Body):
    """Whom to add."""

    identity_ids: list[IdentityRef] = Field(min_length=1, max_length=100)


class GroupImpactQuery(Query):
    """Which action to weigh; `identity_id` goes with `remove_member`."""

    action: Literal["delete", "remove_member"]
    identity_id: IdentityRef | None = None
