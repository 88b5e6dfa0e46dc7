"""Telling identities something in the interface, within the write that gives the reason."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from nova_ui.nova.writing import Write
from storage.ids import new_id
from storage.nova.identities import other_administrators
from storage.nova.notification_tables import NotificationRow
from storage.nova.tables import IdentityRow


class NoticeKind(StrEnum):
    """What a notification is about; the interface has a sentence for each kind in each language."""

    MESSAGE = "message"
    ADMINISTRATOR_ADDED = "administrator_added"
    ADMINISTRATOR_REMOVED = "administrator_removed"
    MFA_RESET = "mfa_reset"
    NEW_REPORT = "new_report"
    TAKEN_OVER = "taken_over"
    APPROVAL_WAITING = "approval_waiting"
    APPROVAL_DELEGATED = "approval_delegated"
    REQUEST_COMPLETED = "request_completed"
    REQUEST_DENIED = "request_denied"
    REQUEST_FAILED = "request_failed"
    REQUEST_EXPIRED = "request_expired"
    ACCESS_ENDED = "access_ended"
    AI_ROUTINE_ANSWER = "ai_routine_answer"
    AI_ROUTINE_FAILED = "ai_routine_failed"
    AI_ROUTINE_ACTS_AS = "ai_routine_acts_as"
    ROUTINE_NOTICE = "routine_notice"
    ROUTINE_DONE = "routine_done"
    ROUTINE_STOPPED = "routine_stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What is told: the kind, the values of its sentence, and the page where one can see more."""

    kind: NoticeKind
    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    link: str | None = None


async def notify(write: Write, identity_ids: Iterable[str], notice: Notice) -> None:
    """Tell each of `identity_ids` once, if `write` is committed."""
    told = list(dict.fromkeys(identity_ids))
    for identity_id in told:
        write.session.add(
            NotificationRow(
                id=new_id("ntf"),
                identity_id=identity_id,
                kind=notice.kind.value,
                values=dict(notice.values),
                link=notice.link,
                created_at=write.now,
            )
        )
    await write.session.flush()
    write.notified.update(told)


async def tell_administrators(write: Write, row: IdentityRow, kind: NoticeKind) -> None:
    """Tell all administrators, and who is or was one: nobody becomes an administrator unseen."""
    values = {"identity": row.display_name, "by": write.asker.identity.display_name}
    told = [*await other_administrators(write.session, row.id), row.id]
    await notify(write, told, Notice(kind=kind, values=values, link=f"/identities/{row.id}"))
