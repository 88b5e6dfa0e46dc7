"""Entering the password again on a page: what went wrong, or the ticket that the browser brings to its session."""

from dataclasses import dataclass, field

from nova_ui.domain.json_value import JsonObject
from nova_ui.presenters.nova_calls import NovaCalls


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredAgain:
    """`problem` is for the person; without one, `renewal` is for the browser."""

    problem: str = ""
    renewal: str = field(default="", repr=False)


async def enter_again(nova: NovaCalls, password: str, code: str) -> EnteredAgain:
    """Enter it, with a code where there is one.

    Raises:
        NovaUiError: it was not taken.

    """
    body: JsonObject = {"password": password, **({"one_time_code": code} if code else {})}
    answer = (await nova.call("POST /session/refresh", body=body)).object
    return EnteredAgain(renewal=str(answer.get("renewal") or ""))
