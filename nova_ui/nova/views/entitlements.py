"""Entitlements, and what a role bundles."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from nova_ui.nova.views.access import Risk
from nova_ui.nova.views.common import Body, FilteredQuery, Query, Ref, View
from nova_ui.nova.views.types import ApplicationRef, EntitlementRef, IdentityRef, Name, Paragraph, RoleRef

EntitlementStatus = Literal["discovered", "managed", "gone"]
MAX_BUNDLED = 100
MAX_CHILDREN = 20


class EntitlementView(View):
    """One right inside one application."""

    id: str
    application: Ref
    native_name: str = Field(description="its name inside the application")
    display_name: str
    description: str
    owners: list[Ref]
    requestable: bool
    approval: str = Field(description="who decides when it is requested; without owners the application's decide")
    privileged: bool
    risk: str
    status: str
    roles: list[Ref] = Field(description="the roles that bundle it")
    holder_count: int = Field(description="identities that hold it by an assignment of its own")
    version: int
    created_at: datetime
    updated_at: datetime


class EntitlementQuery(FilteredQuery):
    """Filters over entitlements."""

    application_id: ApplicationRef | None = None
    role_id: RoleRef | None = Field(None, description="only what this role bundles itself")
    owner_id: IdentityRef | None = None
    status: EntitlementStatus | None = None
    requestable: bool | None = None
    privileged: bool | None = None
    risk: Risk | None = None
    sort: Literal["display_name", "-display_name", "created_at", "-created_at", "updated_at", "-updated_at"] = (
        "display_name"
    )


class EntitlementCreate(Body):
    """A right that an application has; `native_name` is its name there."""

    application_id: ApplicationRef
    native_name: Name
    display_name: Name
    description: Paragraph = ""
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)
    requestable: bool = False
    privileged: bool = False
    risk: Risk = "low"


class EntitlementPatch(Body):
    """A merge patch: what is absent stays. Adopting a discovered one sets `status` to managed; gone ends its use."""

    description: Paragraph = Field(default_factory=str)
    owner_ids: list[IdentityRef] = Field(default_factory=list, max_length=20)
    requestable: bool = Field(default_factory=bool)
    risk: Risk = Field(default_factory=lambda: "low")
    status: Literal["managed", "gone"] = Field(default_factory=lambda: "managed")


class RoleBundle(Body):
    """What a role bundles from now on, as a whole; without `child_role_ids` those stay as they are."""

    entitlement_ids: list[EntitlementRef] = Field(max_length=MAX_BUNDLED)
    child_role_ids: list[RoleRef] | None = Field(None, max_length=MAX_CHILDREN)


def _ids(prefix: str, most: int) -> AfterValidator:
    """Return the check of ids parted by commas; an empty text is an empty list."""

    def check(text: str) -> str:
        parts = text.split(",") if text else []
        if len(parts) > most or any(not one.startswith(f"{prefix}_") for one in parts):
            raise PydanticCustomError("id_list", "expected ids ({prefix}_…) parted by commas", {"prefix": prefix})
        return text

    return AfterValidator(check)


_Ids = Annotated[str, StringConstraints(max_length=26 * MAX_BUNDLED)]


class BundleImpactQuery(Query):
    """The bundle to weigh; ids parted by commas, as one text, since no parameter may stand twice."""

    entitlement_ids: Annotated[_Ids, _ids("ent", MAX_BUNDLED)]
    child_role_ids: Annotated[_Ids, _ids("rol", MAX_CHILDREN)] | None = None

    @property
    def bundle(self) -> RoleBundle:
        """The same as the body of the action."""
        children = None if self.child_role_ids is None else [one for one in self.child_role_ids.split(",") if one]
        ids = [one for one in self.entitlement_ids.split(",") if one]
        return RoleBundle.model_construct(entitlement_ids=ids, child_role_ids=children)
