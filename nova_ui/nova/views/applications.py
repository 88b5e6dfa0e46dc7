"""Applications."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from nova_ui.nova.views.common import Body, FilteredQuery, Query, Ref, View
from nova_ui.nova.views.types import IdentityRef, Name, Paragraph, Slug

ApplicationStatus = Literal["draft", "enabled", "disabled"]
ConnectionKind = Literal["oidc", "scim", "ldap", "none"]
ConnectionState = Literal["untested", "ok", "failing"]
Provisioning = Literal["automatic", "manual"]


class ApplicationView(View):
    """An application; of its connection only the kind and how its last test went."""

    id: str
    key: str
    display_name: str
    description: str
    owners: list[Ref]
    status: str
    requestable: bool
    provisioning: str
    connection: str = Field(description="oidc, scim, ldap, or none")
    connection_state: str | None = Field(description="untested, ok or failing; null without a connection")
    connection_tested_at: datetime | None
    role_count: int
    version: int
    created_at: datetime
    updated_at: datetime


class ApplicationQuery(FilteredQuery):
    """Filters over applications."""

    status: ApplicationStatus | None = None
    connection: ConnectionKind | None = None
    connection_state: ConnectionState | None = None
    owner_id: IdentityRef | None = None
    requestable: bool | None = None
    sort: Literal["display_name", "-display_name", "created_at", "-created_at", "updated_at", "-updated_at"] = (
        "display_name"
    )


class ApplicationCreate(Body):
    """A new application, which begins as a draft."""

    key: Slug
    display_name: Name
    description: Paragraph = ""
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)
    requestable: bool = True
    provisioning: Provisioning = "manual"


class ApplicationPatch(Body):
    """A merge patch: what is absent stays. The key stays as it is."""

    display_name: Name = Field(default_factory=str)
    description: Paragraph = Field(default_factory=str)
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)
    requestable: bool = Field(default_factory=bool)
    provisioning: Provisioning = Field(default_factory=lambda: "manual")


class ApplicationImpactQuery(Query):
    """Which action to weigh."""

    action: Literal["disable", "delete"]
