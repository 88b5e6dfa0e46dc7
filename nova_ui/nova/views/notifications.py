"""Notifications: what Nova or an administrator tells an identity in the interface."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from nova_ui.nova.views.common import Body, Query, View
from nova_ui.nova.views.identities import StoredRole
from nova_ui.nova.views.types import GroupRef, IdentityRef, Name, NotificationRef, Paragraph, RoleRef

MAX_NAMED = 100


class NotificationView(View):
    """One notification. `kind` and `values` are for whoever words it anew; title and body are in English."""

    id: str
    kind: str
    title: str
    body: str
    values: dict[str, str]
    link: str | None
    read_at: datetime | None
    created_at: datetime


class NotificationList(View):
    """One page of one's own notifications, newest first; `unread` counts all that are not read yet."""

    items: list[NotificationView]
    next_cursor: str | None
    total: int
    total_is_capped: bool
    unread: int


class NotificationQuery(Query):
    """Which of one's own notifications to list."""

    unread: bool | None = Field(None, description="only those not read yet, or only those read")
    cursor: str | None = Field(None, min_length=1, max_length=600)
    limit: int = Field(50, ge=1, le=200)


class NotificationsRead(Body):
    """Which of one's own notifications are read: some by id, or all of them."""

    ids: list[NotificationRef] | None = Field(None, min_length=1, max_length=200)
    all: Literal[True] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.ids is None) == (self.all is None):
            raise PydanticCustomError("one_of", "give either ids or all")
        return self


class UnreadView(View):
    """How many were marked, and how many are still not read."""

    marked: int
    unread: int


class Audience(Body):
    """Who gets a message: exactly one of these. Only active identities get any."""

    identity_ids: list[IdentityRef] | None = Field(None, min_length=1, max_length=MAX_NAMED)
    role_id: RoleRef | None = Field(None, description="who holds this role now")
    nova_role: StoredRole | None = Field(None, description="administrators or auditors")
    group_id: GroupRef | None = Field(None, description="members of this group")
    everyone: Literal[True] | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        given = [value for value in self.__dict__.values() if value is not None]
        if len(given) != 1:
            raise PydanticCustomError("one_of", "give exactly one audience")
        return self


MessageText = Annotated[Paragraph, StringConstraints(min_length=1)]


class NotificationSend(Body):
    """A message in plain words."""

    audience: Audience
    title: Name
    body: MessageText


def _parted(value: object) -> object:
    given = value if isinstance(value, list) else [value]  # a query hands a list in as it stands there: once
    return [part for one in given for part in (one.split(",") if isinstance(one, str) else [one])]


class NotificationImpactQuery(Query):
    """Whom a message would reach: exactly one of the audiences."""

    action: Literal["send"]
    identity_ids: Annotated[list[IdentityRef], BeforeValidator(_parted)] | None = Field(
        None, max_length=MAX_NAMED, description="parted by commas"
    )
    role_id: RoleRef | None = None
    nova_role: StoredRole | None = None
    group_id: GroupRef | None = None
    everyone: Literal["true"] | None = None

    @property
    def audience(self) -> Audience:
        """The audience that is meant.

        Raises:
            ValueError: there is none, or more than one.

        """
        given = self.model_dump(exclude={"action"}, exclude_none=True)
        return Audience.model_validate({**given, "everyone": True} if self.everyone else given)


class NotificationSent(View):
    """What was sent, and to how many."""

    audience: str
    title: str
    recipients: int
    sent_at: datetime
