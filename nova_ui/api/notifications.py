"""`/notifications`: messages that administrators send. Sending can't be taken back, so it is destructive (rule C1)."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import NovaRoutes
from nova_ui.errors import NovaInvalid
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    Done,
    Impact,
    NotificationImpactQuery,
    NotificationList,
    NotificationQuery,
    NotificationSend,
    NotificationSent,
    NotificationsRead,
    UnreadView,
)

_IMPACT: Final = "get_notification_impact"


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_own(self, context: Signed, query: Annotated[NotificationQuery, Query()]) -> NotificationList:
        """List what I was told."""
        return await self._nova.notifications.list_own(context, query)

    async def mark_read(self, context: Signed, body: NotificationsRead) -> UnreadView:
        """Mark my notifications as read."""
        return await self._nova.notifications.mark_read(context, body)

    async def impact(self, context: Signed, query: Annotated[NotificationImpactQuery, Query()]) -> Impact:
        """Tell whom a message would reach."""
        try:
            audience = query.audience
        except ValueError:
            raise NovaInvalid("audience: give exactly one", field="audience") from None
        return await self._nova.notifications.impact(context, audience)

    async def send(self, context: Signed, body: NotificationSend) -> Done[NotificationSent]:
        """Send a message to people, who see it in the interface."""
        return await self._nova.notifications.send(context, body)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of notifications."""
    routes, notifications = NovaRoutes(nova, "Notifications"), _Endpoints(nova)
    mine = marks("read", "*", self_service=True)
    routes.add("GET /me/notifications", notifications.list_own, "list_my_notifications", mine)
    read = marks("write", "*", self_service=True)
    routes.add("POST /me/notifications/read", notifications.mark_read, "mark_my_notifications_read", read)
    routes.add("GET /notifications/impact", notifications.impact, _IMPACT, marks("read", "A"))
    send = marks("destructive", "A", audit=["notification.sent"], impact=_IMPACT)
    routes.add("POST /notifications", notifications.send, "send_notification", send)
    return routes.router
