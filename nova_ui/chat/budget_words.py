"""What the server says when a budget has no room for a request (rule E6)."""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Final

from nova_ui.chat.translating import Translate
from nova_ui.domain.budget import Period, Scope
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.errors import BudgetUsedUp

AMOUNTS: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        ("tokens", Period.DAY.value): mark("tokens per day"),
        ("tokens", Period.WEEK.value): mark("tokens per week"),
        ("tokens", Period.MONTH.value): mark("tokens per month"),
        ("cost", Period.DAY.value): mark("cost per day"),
        ("cost", Period.WEEK.value): mark("cost per week"),
        ("cost", Period.MONTH.value): mark("cost per month"),
    }
)
SCOPES: Final[Mapping[tuple[str, bool], str]] = MappingProxyType(
    {
        (Scope.CHATS.value, False): mark("your own, for all assistants"),
        (Scope.CHATS.value, True): mark("everybody's together, for all assistants"),
        (Scope.ASSISTANT.value, False): mark("your own, for this assistant"),
        (Scope.ASSISTANT.value, True): mark("everybody's together, for this assistant"),
        (Scope.ROUTINES.value, True): mark("for all AI routine assistants"),
        (Scope.ROUTINE.value, True): mark("for this AI routine assistant"),
    }
)
_USED_UP: Final = mark("The AI budget is used up: {amount} ({scope}). It begins anew on {until} at 0:00, {time_zone}.")
_TOO_LITTLE: Final = mark(
    "What is left of the AI budget is too little for this: {amount} ({scope}). It begins anew on {until} at 0:00, "
    "{time_zone}."
)
_STILL_WORKS: Final = mark("The tools in the menu “/” go on working, and so do assistants with the built-in model.")


def budget_text(params: Mapping[str, JsonValue], translate: Translate) -> str:
    """Return which budget is used up, until when, and what still works."""
    scope, together = str(params.get("scope")), params.get("together") is True
    amount = AMOUNTS.get((str(params.get("amount")), str(params.get("period"))), "")
    words = SCOPES.get((scope, together))
    try:
        until = date.fromisoformat(str(params.get("until")))
    except ValueError:
        return translate(BudgetUsedUp.key)
    told = translate(
        _TOO_LITTLE if params.get("some_left") is True else _USED_UP,
        amount=translate(amount),
        scope=translate(words or SCOPES[(Scope.CHATS.value, together)]),
        until=until,
        time_zone=str(params.get("time_zone")),
    )
    is_of_routines = scope in {Scope.ROUTINES.value, Scope.ROUTINE.value}
    return told if is_of_routines else f"{told} {translate(_STILL_WORKS)}"
