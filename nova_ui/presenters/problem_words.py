"""What a person is told when something was refused or failed: what happened, what was kept, what to do next."""

from dataclasses import dataclass
from typing import Final

from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem, NovaUiError
from nova_ui.i18n.translator import Translator


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What happened, and the next step."""

    text: str
    next_step: str = ""


_BY_CODE: Final = {
    "turn_running": (
        mark("This assistant is still answering another message."),
        mark("Your message is kept. Send it when the answer is complete, or stop the answer."),
    ),
    "too_many_messages": (
        mark("You are sending messages too quickly. The next one can be sent in {retry_after} seconds."),
        mark("Your message is kept, and nothing was done."),
    ),
    "confirmation_invalid": (
        mark("This confirmation no longer counts, so nothing was executed."),
        mark("Ask for the action again to see its current state."),
    ),
    "name_differs": (
        mark("The name that was typed is not the object's, so nothing was executed."),
        mark("Type it as the card shows it, letter case included."),
    ),
    "session_ended": (
        mark("You are no longer signed in."),
        mark("Sign in again; your chats are kept."),
    ),
    "not_found": (
        mark("This assistant or chat is not open to you."),
        mark("Choose another assistant or start a new chat."),
    ),
    "database_busy": (
        mark("Nova's database is busy at the moment."),
        mark("What was written is kept. Please try again in a moment."),
    ),
    "database_full": (
        mark("Nova's database has no room left."),
        mark("What was written is kept. An administrator has to make room; please try again then."),
    ),
    "database_unavailable": (
        mark("Nova's database can't be used at the moment."),
        mark("What was written is kept. Please try again later."),
    ),
    "unavailable": (
        mark("Nova could not be reached."),
        mark("Your message is kept. Please try again in a moment."),
    ),
}


def told(error: NovaUiError, tr: Translator) -> Told:
    """Put an error into words for a person; never the words of the exception itself."""
    known = _BY_CODE.get(getattr(error, "code", ""))
    if known is not None:
        values = error.extra if isinstance(error, NovaProblem) else {}
        return Told(text=tr(known[0], **values), next_step=tr(known[1]))
    return Told(text=tr(type(error).key, **error.params), next_step=tr("What you had typed is kept."))
