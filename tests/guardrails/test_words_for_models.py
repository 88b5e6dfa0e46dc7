"""H4: what a no or a failure tells the model: a plain English sentence, a reason that others know it by."""

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest

from nova_ui.domain.canonical import ArgumentsError, parse_arguments
from nova_ui.domain.tool import ToolKind
from nova_ui.errors import NovaConflict, NovaPreconditionFailed, NovaProblem, NovaUnavailable
from nova_ui.guardrails.audience import no_assistant
from nova_ui.guardrails.failing import Broke, guarded
from nova_ui.guardrails.flows import check_flow
from nova_ui.guardrails.limits import MAX_MODEL_CALLS, MAX_SAME_CALL, MAX_TURN_RESULT_CHARS, TurnLedger
from nova_ui.guardrails.offer import check_read_only
from nova_ui.guardrails.outcome import Refused, failed, previewed, refused
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.roles import check_roles, session_ended
from nova_ui.guardrails.secrets_in import refuse_live_secret
from nova_ui.guardrails.tool_list import check_declared, check_indirect
from nova_ui.guardrails.unattended import check_kind
from tests.builders import a_call, a_preview, a_tool, a_writing_tool, an_assistant, an_identity

SENTENCES = re.compile(r"([A-Z][^.!?]*[a-z][^.!?]*\. ?)+")


def _limits() -> list[Refusal | None]:
    calls, results, same = TurnLedger(), TurnLedger(), TurnLedger()
    for _ in range(MAX_MODEL_CALLS):
        calls.count_model_call()
    results.count_result("x" * MAX_TURN_RESULT_CHARS)
    for _ in range(MAX_SAME_CALL):
        same.count_run("digest")
    same.count_destructive()
    same.note_unknown("lost")
    return [
        calls.check_model_call(),
        calls.check_any_call(),
        results.check_any_call(),
        same.check_same_call("digest"),
        same.check_same_call("lost"),
        same.check_destructive(),
    ]


def test_h4_a_refusal_advises_in_whole_sentences() -> None:
    refusals = [
        no_assistant(),
        session_ended(),
        check_declared("delete_group", ()),
        refuse_live_secret(),
        check_read_only(a_tool(), read_only=True),
        check_roles(a_tool(roles=frozenset()), an_identity()),
        check_flow(a_tool(is_flow=True), an_identity()),
        check_kind(a_tool(), frozenset({ToolKind.READ})),
        check_kind(a_writing_tool(), frozenset({ToolKind.READ})),
        *_limits(),
    ]

    for refusal in refusals:
        assert refusal is not None
        assert SENTENCES.fullmatch(refusal.advice)
        assert re.fullmatch(r"[a-z_]+", refusal.reason)


def test_c8_b2_a_reply_that_may_only_read_and_what_is_reached_indirectly_are_told_apart() -> None:
    read_only = check_read_only(a_tool(), read_only=True)
    indirect = check_indirect(["delete_group"], {"delete_group": a_tool()}, an_assistant("list_groups"), frozenset())

    assert read_only is not None
    assert read_only.reason == "read_only"
    assert indirect is not None
    assert (indirect.reason, indirect.params) == ("indirect", {"tool": "delete_group"})


def test_d4_an_argument_that_is_a_secret_is_refused_by_its_own_reason() -> None:
    assert refuse_live_secret().reason == "live_secret"


def test_e4_a_refusal_or_a_waiting_card_whose_words_were_cut_is_said_to_be() -> None:
    ledger = TurnLedger()
    ledger.count_result("x" * (MAX_TURN_RESULT_CHARS - 20))

    assert refused(session_ended(), a_tool(), ledger).truncated
    assert previewed(a_tool(), a_preview(), None, ledger).truncated
    assert not refused(session_ended(), a_tool(), TurnLedger()).truncated


def test_c2_the_model_is_told_to_end_its_answer_where_a_card_waits() -> None:
    told = previewed(a_tool(), a_preview(), None, TurnLedger())

    assert told.content.startswith("Nothing has run. The person is shown preview prv_1 and must confirm it.")
    assert told.content.endswith(" End this answer now and wait for the next message.")


def test_e1_a_limit_is_known_by_one_reason_and_a_lost_outcome_by_another() -> None:
    assert {refusal.reason for refusal in _limits() if refusal is not None} == {"limit", "outcome_unknown"}


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ('{"a": NaN}', "not_a_number", "NaN and Infinity are not JSON."),
        ('{"a": -Infinity}', "not_a_number", "NaN and Infinity are not JSON."),
        ('{"a": 1e999}', "number_out_of_range", "A number in the arguments is out of range."),
        ('{"a": 9223372036854775808}', "number_out_of_range", "A number in the arguments is out of range."),
        (f'{{"a": 0.{"0" * 398}1}}', "number_out_of_range", "A number in the arguments is out of range."),
    ],
)
def test_i3_a_number_that_is_none_is_said_to_be_so(text: str, reason: str, detail: str) -> None:
    assert parse_arguments(text) == ArgumentsError(reason=reason, detail=detail)


def test_c6_numbers_at_the_edge_of_what_is_read() -> None:
    assert parse_arguments('{"a": 9223372036854775807}') == {"a": 2**63 - 1}
    assert parse_arguments('{"a": 1e18}') == {"a": 10**18}
    assert parse_arguments(f'{{"a": 0.5{"0" * 397}}}') == {"a": 0.5}
    assert isinstance(parse_arguments(f'{{"a": 0.5{"0" * 398}}}'), ArgumentsError)


def _raising(error: Exception) -> Callable[[], Awaitable[None]]:
    async def raising() -> None:
        await asyncio.sleep(0)
        raise error

    return raising


async def _broken(error: Exception, *, changes_something: bool = True) -> Broke | Refusal | None:
    return await guarded(_raising(error), "delete_group", changes_something=changes_something)


class _JustBroken(NovaProblem):
    status = 500
    default_code = "internal"


@pytest.mark.parametrize("error", [_JustBroken("x"), NovaUnavailable("x"), RuntimeError("x"), TimeoutError()])
async def test_c10_where_something_may_have_happened_the_model_is_told_not_to_repeat_it(error: Exception) -> None:
    broken = await _broken(error)

    assert isinstance(broken, Broke)
    assert broken.code == "outcome_unknown"
    assert broken.detail == (
        "Whether it was done is not known. Do not call it again; tell the person, and look at the current state."
    )


@pytest.mark.parametrize("error", [_JustBroken("x"), NovaUnavailable("x"), RuntimeError("x"), TimeoutError()])
async def test_h4_a_failed_read_changed_nothing(error: Exception) -> None:
    broken = await _broken(error, changes_something=False)

    assert isinstance(broken, Broke)
    assert broken.code in {"internal", "unavailable"}
    assert broken.detail == "Nothing was changed."


async def test_c14_an_object_that_changed_meanwhile_is_told_in_nova_s_words() -> None:
    stale = await _broken(NovaPreconditionFailed("The group has changed."))
    other = await _broken(NovaConflict("The name is taken.", field="display_name"))

    assert stale == Broke(code="precondition_failed", detail="The group has changed.", is_stale=True)
    assert other == Broke(code="conflict", detail="The name is taken. (field display_name)")


async def test_b6_what_only_the_interface_may_is_refused_in_words() -> None:
    refusal = await _broken(NovaConflict("x", code="interface_only"))

    assert refusal == Refusal(
        code=Code.INTERFACE_ONLY, reason="endpoint", advice="This is possible in the administration interface only."
    )


def test_e4_a_failure_s_words_that_were_cut_are_said_to_be() -> None:
    outcome = failed(a_tool(), a_call(), "conflict", "x" * 20_000, TurnLedger())

    assert outcome.truncated
    assert not failed(a_tool(), a_call(), "conflict", "x", TurnLedger()).truncated


def test_h4_a_refusal_says_of_which_tool_it_is() -> None:
    outcome = refused(session_ended(), a_tool(), TurnLedger())

    assert isinstance(outcome, Refused)
    assert outcome.tool is not None
    assert outcome.content.startswith("Refused: ")
