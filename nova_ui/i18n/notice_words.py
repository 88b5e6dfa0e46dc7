"""What the kinds of notifications say: a title and a sentence each, as message ids with the names of their values."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nova_ui.domain.text import mark


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeWords:
    """The words of one kind, and the icon beside them."""

    title: str
    body: str
    icon: str = "notifications"


# A message that somebody wrote brings its own words.
NOTICE_WORDS: Final[Mapping[str, NoticeWords]] = MappingProxyType(
    {
        "message": NoticeWords(title="{title}", body="{body}", icon="mail"),
        "administrator_added": NoticeWords(
            title=mark("{identity} is an administrator now"),
            body=mark("{by} has made {identity} an administrator."),
            icon="admin_panel_settings",
        ),
        "administrator_removed": NoticeWords(
            title=mark("{identity} is no administrator any more"),
            body=mark("{by} has taken the role administrator from {identity}."),
            icon="remove_moderator",
        ),
        "mfa_reset": NoticeWords(
            title=mark("Your second factor was reset"),
            body=mark("An administrator has cleared your authenticator app. Set up a new one in your own settings."),
            icon="phonelink_erase",
        ),
        "password_changed": NoticeWords(
            title=mark("Your password was changed"),
            body=mark("All your other sessions have ended. If that was not you, tell an administrator at once."),
            icon="password",
        ),
        "mfa_enrolled": NoticeWords(
            title=mark("Your authenticator app is set up"),
            body=mark(
                "Signing in asks for its code from now on, and your other sessions have ended. "
                "If that was not you, tell an administrator at once."
            ),
            icon="phonelink_lock",
        ),
        "mfa_removed": NoticeWords(
            title=mark("Your second factor was removed"),
            body=mark(
                "Your password alone signs you in now, and your other sessions have ended. "
                "If that was not you, tell an administrator at once."
            ),
            icon="phonelink_erase",
        ),
        "recovery_code_used": NoticeWords(
            title=mark("A recovery code of yours was used"),
            body=mark("Codes that are left: {left}. If that was not you, tell an administrator at once."),
            icon="key",
        ),
        "recovery_codes_created": NoticeWords(
            title=mark("Your recovery codes were replaced"),
            body=mark("The earlier codes no longer count. If that was not you, tell an administrator at once."),
            icon="key",
        ),
        "new_report": NoticeWords(
            title=mark("{identity} reports to you"),
            body=mark("You are now the manager of {identity}."),
            icon="person_add",
        ),
        "taken_over": NoticeWords(
            title=mark("You take over from {identity}"),
            body=mark("What {identity} owned, decided on or managed is with you now: {what}."),
            icon="move_up",
        ),
        "approval_waiting": NoticeWords(
            title=mark("A request waits for your decision"),
            body=mark("{requester} requests {what} for {beneficiary}."),
            icon="gavel",
        ),
        "approval_delegated": NoticeWords(
            title=mark("{by} has passed a decision on to you"),
            body=mark("{requester} requests {what} for {beneficiary}. {comment}"),
            icon="gavel",
        ),
        "request_completed": NoticeWords(
            title=mark("A request is approved"), body=mark("Approved and carried out: {what}."), icon="task_alt"
        ),
        "request_denied": NoticeWords(
            title=mark("A request is denied"), body=mark("Denied: {what}. {reason}"), icon="block"
        ),
        "request_failed": NoticeWords(
            title=mark("A request could not be carried out"), body=mark("Not possible: {what}. {reason}"), icon="error"
        ),
        "request_expired": NoticeWords(
            title=mark("A request has expired"),
            body=mark("Nobody decided in time on {what}. Request it again if you still need it."),
            icon="hourglass_disabled",
        ),
        "access_ended": NoticeWords(
            title=mark("Your access to {what} has ended"),
            body=mark("The period for {what} is over. Request it again if you still need it."),
            icon="event_busy",
        ),
        "ai_routine_answer": NoticeWords(
            title=mark("{routine} has an answer for you"), body="{answer}", icon="smart_toy"
        ),
        "ai_routine_failed": NoticeWords(
            title=mark("{routine} did not come to its end"),
            body=mark("This run gave no answer. The run itself says why; an administrator can help."),
            icon="error",
        ),
        "ai_routine_acts_as": NoticeWords(
            title=mark("{routine} acts as you"),
            body=mark(
                "An administrator lets this AI routine assistant use your rights. What it does is in the audit log."
            ),
            icon="smart_toy",
        ),
        "routine_notice": NoticeWords(
            title=mark("{routine}: {identity}, {due}"),
            body=mark("What the lifecycle routine “{routine}” does for {identity} is due on {due}."),
            icon="event_upcoming",
        ),
        "routine_done": NoticeWords(
            title=mark("{routine}: {identity}"),
            body=mark("The lifecycle routine “{routine}” has dealt with {identity}."),
            icon="autorenew",
        ),
        "routine_stopped": NoticeWords(
            title=mark("The routine {routine} has stopped"),
            body=mark("It concerned {affected} identities and may change at most {max_affected}. Nobody was touched."),
            icon="report",
        ),
    }
)
_UNKNOWN: Final = NoticeWords(title=mark("News from Nova"), body="")


def words_of(kind: str) -> NoticeWords:
    """Return the words of a kind; one that an older Nova wrote and nobody knows any more still says something."""
    return NOTICE_WORDS.get(kind, _UNKNOWN)


def told(kind: str, values: Mapping[str, str], translate: Callable[[str], str] = str) -> tuple[str, str]:
    """Return title and body in words; a value that is missing leaves a gap and breaks nothing."""
    words = words_of(kind)
    filled = defaultdict(str, values)
    return _filled(words.title, filled, translate), _filled(words.body, filled, translate)


def _filled(message: str, values: Mapping[str, str], translate: Callable[[str], str]) -> str:
    return translate(message).format_map(values) if message else ""
