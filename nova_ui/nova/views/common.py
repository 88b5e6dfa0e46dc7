"""What every answer and every list request is made of."""

from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from nova_ui.nova.views.types import FieldNames, FilterText, Words

T = TypeVar("T")

MAX_LIMIT = 200
DEFAULT_LIMIT = 50


class View(BaseModel):
    """An answer; a value."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class Body(BaseModel):
    """The body of a request: nothing undeclared (part 1, strictness)."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Query(BaseModel):
    """The query of a request: nothing undeclared, so that no filter is ever ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ListQuery(Query):
    """A list request: `cursor` is the `next_cursor` of the answer before, with the same filters."""

    q: Words | None = Field(None, description="part of a name or id, at most 200 characters")
    cursor: Annotated[str, StringConstraints(min_length=1, max_length=600)] | None = None
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
    fields: FieldNames | None = Field(None, description="only these fields of each object, parted by commas; id too")


class FilteredQuery(ListQuery):
    """A list request that also takes a filter of SCIM's grammar, over the names that the answers have."""

    filter: FilterText | None = None


class Page(View, Generic[T]):
    """One page of a list; `total` counts up to a cap, which `total_is_capped` tells."""

    items: list[T]
    next_cursor: str | None = None
    total: int
    total_is_capped: bool = False


class Ref(View):
    """An object by id and name; the name is empty when the object is gone."""

    id: str
    display_name: str


class ObjectRef(View):
    """An object by type, id and name."""

    type: str
    id: str
    display: str


class Effect(View):
    """What went with a destructive action; `result` tells how, such as ended, revoked, removed, deleted."""

    type: str
    id: str
    display: str
    result: str


class Done(View, Generic[T]):
    """The answer to a destructive action: the object as it is now, or as it last was, and what went with it."""

    object: T
    effects: list[Effect]


class ImpactEffect(View):
    """What would go with an action: `count` objects of `type`, the first ones named."""

    type: str
    count: int
    names: list[str]
    result: str


class RefusalView(View):
    """Why the action would be refused."""

    code: str
    detail: str


class Impact(View):
    """What an action would do; either `refusal` is set, or `effects` tells."""

    object: ObjectRef
    effects: list[ImpactEffect]
    refusal: RefusalView | None = None


class Problem(BaseModel):
    """A problem object (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    field: str | None = None

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, JsonValue]
