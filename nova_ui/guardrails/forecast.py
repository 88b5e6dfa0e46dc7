"""What an assistant could do for an identity: the gate's own answers, asked before anybody calls anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import ChatId, TextMessage, Turn, TurnId
from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.identity import Identity, IdentityId, SessionId
from nova_ui.domain.tool import AnyTool
from nova_ui.guardrails.admission import admit
from nova_ui.guardrails.confirmation import must_be_confirmed
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.situation import Situation
from nova_ui.guardrails.tool_list import check_indirect, released_tools

_NOBODY: Final = Identity(id=IdentityId(""), user_name="", display_name="", roles=frozenset())
_RULES: Final[Mapping[tuple[Code, str], str]] = {
    (Code.NOT_RELEASED, "not_listed"): "B1",
    (Code.NOT_RELEASED, "indirect"): "B2",
    (Code.NOT_RELEASED, "no_assistant"): "B5",
    (Code.NOT_PERMITTED, "session_ended"): "A2",
    (Code.NOT_PERMITTED, "role"): "A3",
    (Code.NOT_PERMITTED, "flow_for_administrators"): "A4",
}


class Verdict(StrEnum):
    """What would become of a call with usable arguments."""

    ALLOWED = "allowed"
    NEEDS_CONFIRMATION = "needs_confirmation"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What would become of a call, and the rule that decides; `reason` is the refusal's.

    An endpoint decides again by the object, so *allowed* is as far as the guardrails go.
    """

    tool: str
    verdict: Verdict
    rule: str = ""
    reason: str = ""


def forecast(
    tools: Mapping[str, AnyTool], assistant: Assistant, identity: Identity | None, now: datetime
) -> tuple[Forecast, ...]:
    """Say for each of `tools`, in their order, what would become of it; `identity` is None for one that can't act."""
    situation = Situation(
        turn=_a_turn(assistant, identity or _NOBODY, now),
        identity=identity,
        assistant=assistant,
        released_at_start=released_tools(tools, assistant),
        read_only=False,
        agreed=None,
        now=now,
    )
    return tuple(_of(tool, tools, assistant, situation) for tool in tools.values())


def _of(tool: AnyTool, tools: Mapping[str, AnyTool], assistant: Assistant, situation: Situation) -> Forecast:
    admitted = admit(tool.name, tools, situation)
    if isinstance(admitted, Refusal):
        return _refused(tool, admitted)
    always = tool.inner_tools if tool.inner_tools_of is None else ()
    refusal = check_indirect(always, tools, assistant, situation.released_at_start)
    if refusal is not None:
        return _refused(tool, refusal)
    if not must_be_confirmed(tool, situation):
        return Forecast(tool=tool.name, verdict=Verdict.ALLOWED)
    is_stricter = assistant.button_only or tool.name in assistant.type_name_for or not needs_confirmation(tool)
    return Forecast(tool=tool.name, verdict=Verdict.NEEDS_CONFIRMATION, rule="C15" if is_stricter else "C2")


def _refused(tool: AnyTool, refusal: Refusal) -> Forecast:
    rule = _RULES.get((refusal.code, refusal.reason), "")
    return Forecast(tool=tool.name, verdict=Verdict.REFUSED, rule=rule, reason=refusal.reason)


def _a_turn(assistant: Assistant, identity: Identity, now: datetime) -> Turn:
    return Turn(
        id=TurnId(""),
        chat_id=ChatId(""),
        identity=identity,
        session_id=SessionId(""),
        assistant_key=assistant.key,
        number=1,
        message=TextMessage(text=""),
        started_at=now,
    )
