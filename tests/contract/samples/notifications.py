"""Samples of `/notifications` and `/me/notifications`."""

from collections.abc import Mapping
from typing import Final

from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.notification_tables import NotificationRow
from tests.api.site import NOW
from tests.contract.cast import LETTERS
from tests.contract.sample import Sample, Things

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_my_notifications": Sample(),
    "mark_my_notifications_read": Sample(body={"ids": ["{own_notification}"]}),
    "get_notification_impact": Sample(query={"action": "send", "identity_ids": "{sam}"}),
    "send_notification": Sample(
        body={"audience": {"identity_ids": ["{sam}"]}, "title": "News", "body": "Read this."},
        impact={"action": "send", "identity_ids": "{sam}"},
        repeats="who sends twice tells twice",
    ),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put a notification for each person on the stage."""
    for name in LETTERS:
        row = NotificationRow(id=new_id("ntf"), identity_id=things.ids[name], kind="message", created_at=NOW)
        things.add_own(name, "own_notification", row)
