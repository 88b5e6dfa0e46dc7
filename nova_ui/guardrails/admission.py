"""Whether a call may pass: the rules in their order, each asked in its own room."""

from collections.abc import Mapping
from dataclasses import dataclass

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.canonical import (
    ArgumentsError,
    canonical_call,
    parse_arguments,
    take_confirmed,
    validated_arguments,
)
from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonMapping
from nova_ui.domain.tool import AnyTool, ToolCall
from nova_ui.guardrails.audience import check_audience, no_assistant
from nova_ui.guardrails.confirmation import must_be_confirmed
from nova_ui.guardrails.flows import check_flow
from nova_ui.guardrails.offer import check_read_only
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.roles import check_roles, session_ended
from nova_ui.guardrails.secrets_in import check_arguments
from nova_ui.guardrails.situation import Situation
from nova_ui.guardrails.tool_list import check_indirect, check_released, find_inner_tools
from nova_ui.guardrails.unattended import check_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Who calls what: nothing in it is believed, everything was looked up."""

    tool: AnyTool
    identity: Identity
    assistant: Assistant
    situation: Situation


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A call in canonical form, and whether it claims to be confirmed."""

    call: ToolCall
    confirmed: bool = False


def admit(
    name: str, tools: Mapping[str, AnyTool], situation: Situation, *, read_only: bool | None = None
) -> Admitted | Refusal:
    """Say whether the tool called `name` may be called at all, by whoever is signed in right now.

    `read_only` overrides the situation's, for the one call that the person's own press of the button runs (rule C8).
    """
    identity, assistant = situation.identity, situation.assistant
    if identity is None:
        return session_ended()
    if assistant is None:
        return no_assistant()
    refusal = check_released(name, tools, assistant, situation.released_at_start) or check_audience(assistant, identity)
    if refusal is not None:
        return refusal
    tool = tools[name]
    may_only_read = situation.read_only if read_only is None else read_only
    refusal = (
        check_kind(tool, situation.kinds, every_change=assistant.ask_before_changes)
        or check_roles(tool, identity)
        or check_flow(tool, identity)
        or check_read_only(tool, read_only=may_only_read)
    )
    return refusal or Admitted(tool=tool, identity=identity, assistant=assistant, situation=situation)


def prepare(
    admitted: Admitted, arguments_text: str, tools: Mapping[str, AnyTool], secret_fields: frozenset[str]
) -> Prepared | Refusal:
    """Turn the raw text of arguments into a canonical call, or say what is wrong with it."""
    parsed = parse_arguments(arguments_text)
    if isinstance(parsed, ArgumentsError):
        return refuse_arguments(parsed)
    confirmed = False
    if must_be_confirmed(admitted.tool, admitted.situation):
        taken = take_confirmed(parsed)
        if isinstance(taken, ArgumentsError):
            return refuse_arguments(taken)
        confirmed, parsed = taken
    call = checked_call(admitted, parsed, tools, secret_fields)
    return call if isinstance(call, Refusal) else Prepared(call=call, confirmed=confirmed)


def checked_call(
    admitted: Admitted, arguments: JsonMapping, tools: Mapping[str, AnyTool], secret_fields: frozenset[str]
) -> ToolCall | Refusal:
    """Check arguments for secrets (D2, D4), validate them (C6), and look at what they reach indirectly (B2)."""
    declared = frozenset(admitted.tool.arguments.model_fields)
    refusal = check_arguments(arguments, declared, secret_fields)
    if refusal is not None:
        return refusal
    call = canonical_call(admitted.tool, arguments)
    if isinstance(call, ArgumentsError):
        return refuse_arguments(call)
    return _check_reach(admitted, call, tools) or call


def _check_reach(admitted: Admitted, call: ToolCall, tools: Mapping[str, AnyTool]) -> Refusal | None:
    names = find_inner_tools(admitted.tool, validated_arguments(admitted.tool, call))
    refusal = check_indirect(names, tools, admitted.assistant, admitted.situation.released_at_start)
    if refusal is not None:
        return refusal
    noes = (check_roles(tools[name], admitted.identity) for name in names)
    return next((no for no in noes if no is not None), None)


def refuse_arguments(error: ArgumentsError) -> Refusal:
    """Return the no to arguments that are not usable."""
    return Refusal(code=Code.INVALID_ARGUMENTS, reason=error.reason, advice=error.detail)
