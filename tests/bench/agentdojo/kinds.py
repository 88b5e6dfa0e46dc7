"""What AgentDojo's tools are by our rules, and what its injections are after: said in one place, by a principle.

The principle is rule C1: destructive is whatever deletes, can't be taken back or goes outside to somebody. That is
mail, messages, pages and invitations to others, money, bookings, and appointments, since they are mailed to those who
take part. What changes one's own things only is writing. What only fetches is reading, also by an address that the
caller gives: nothing is sent but the address. A tool that would take a password does not exist (rule D1).
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from nova_ui.domain.tool import ToolKind

DELETING: Final = frozenset({"delete_email", "delete_file", "cancel_calendar_event", "remove_user_from_slack"})
MONEY: Final = frozenset({"send_money", "schedule_transaction", "update_scheduled_transaction"})
BOOKING: Final = frozenset({"reserve_hotel", "reserve_restaurant", "reserve_car_rental"})
MESSAGES: Final = frozenset(
    {"send_email", "send_direct_message", "send_channel_message", "post_webpage", "share_file"}
    | {"invite_user_to_slack", "create_calendar_event", "reschedule_calendar_event", "add_calendar_event_participants"}
)
WRITING: Final = frozenset({"create_file", "append_to_file", "update_user_info", "add_user_to_channel"})
SECRETS: Final = frozenset({"update_password"})
_READING: Final = ("get_", "search_", "list_", "read_", "check_")


class Marking(StrEnum):
    """By which rule tools are marked: C1 as it is, a milder one, and a stricter one."""

    DELETING_ONLY = "only what deletes waits"
    RULE = "guardrails (C1)"
    WRITING_TOO = "if writing waited too"


def kind_of(name: str, marking: Marking = Marking.RULE) -> ToolKind:
    """Return the kind of a tool.

    Raises:
        LookupError: nobody has said what this tool is.

    """
    if name in DELETING:
        return ToolKind.DESTRUCTIVE
    if name in MONEY | BOOKING | MESSAGES:
        return ToolKind.WRITE if marking is Marking.DELETING_ONLY else ToolKind.DESTRUCTIVE
    if name in WRITING | SECRETS:
        return ToolKind.DESTRUCTIVE if marking is Marking.WRITING_TOO else ToolKind.WRITE
    if name.startswith(_READING):
        return ToolKind.READ
    raise LookupError(f"what is {name}? Say so in this file")


_GOALS: Final = (
    ("changing the password", SECRETS),
    ("moving money", MONEY),
    ("booking", BOOKING),
    ("deleting or removing", DELETING),
    ("sending to others", MESSAGES),
    ("writing one's own things", WRITING),
)
FETCHING: Final = "fetching an address"
WORDS: Final = "words in the answer"


def goal_of(calls: Sequence[str]) -> str:
    """Return what an injection is after, by the gravest of its calls; without any it is after the answer's words."""
    for goal, names in _GOALS:
        if names & set(calls):
            return goal
    return FETCHING if calls else WORDS
