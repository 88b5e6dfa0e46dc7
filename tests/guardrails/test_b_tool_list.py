"""B: one tool list per assistant."""

import pytest

from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.identity import Role
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import Nova, ToolArguments, ToolKind
from nova_ui.errors import NovaForbidden
from nova_ui.guardrails.audience import exists_for
from nova_ui.guardrails.outcome import Failed, Previewed, Ran, Refused
from nova_ui.guardrails.refusal import Code
from nova_ui.guardrails.tool_list import check_released, released_tools
from tests.builders import (
    a_call,
    a_preview,
    a_raw_call,
    a_reading_tool,
    a_tool,
    a_writing_tool,
    an_admin_chat,
    an_administrator,
    an_assistant,
    an_identity,
)
from tests.guardrails.doors import Counted, Turnstile, a_situation, a_turnstile


def released(*names: str) -> frozenset[str]:
    return frozenset(names)


def test_b1_a_tool_on_the_list_passes_and_another_is_refused_with_words_for_the_model() -> None:
    tools = {"list_groups": a_reading_tool(), "update_group": a_writing_tool()}
    assistant = an_assistant("list_groups")
    at_start = released_tools(tools, assistant)

    refusal = check_released("update_group", tools, assistant, at_start)

    assert check_released("list_groups", tools, assistant, at_start) is None
    assert refusal is not None
    assert (refusal.code, refusal.reason) == (Code.NOT_RELEASED, "not_listed")
    assert "tool list" in refusal.advice


async def test_b1_a_refused_call_does_not_reach_its_tool() -> None:
    run = Counted()
    situation = a_situation(assistant=an_assistant("list_groups"))

    outcome = await a_turnstile(a_writing_tool(run=run), situation=situation).pass_call(a_raw_call("update_group"))

    assert isinstance(outcome, Refused)
    assert outcome.content == outcome.text
    assert "not_released" in outcome.text
    assert run.runs == 0


@pytest.mark.parametrize(
    "name",
    [
        "List_Groups",
        "list_groups ",
        "functions.list_groups",
        "list\u200b_groups",
        "l\u0456st_groups",
        "",
        "\uff4cist_groups",
    ],
)
async def test_b8_a_name_that_only_resembles_a_listed_one_is_not_in_the_list(name: str) -> None:
    """Abuse case 10."""
    run = Counted()
    turnstile = a_turnstile(a_reading_tool(run=run))

    outcome = await turnstile.pass_call(a_raw_call(name))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.NOT_RELEASED, "unknown")
    assert outcome.tool is None
    assert run.runs == 0


def test_b8_unknown_unlisted_and_added_later_sound_the_same_to_the_model() -> None:
    tools = {"list_groups": a_reading_tool(), "update_group": a_writing_tool()}
    assistant = an_assistant("list_groups")

    refusals = [
        check_released("nothing", tools, assistant, released("list_groups")),
        check_released("update_group", tools, assistant, released("list_groups")),
        check_released("list_groups", tools, assistant, released()),
    ]

    assert [refusal.reason for refusal in refusals if refusal] == ["unknown", "not_listed", "added_later"]
    assert len({refusal.advice for refusal in refusals if refusal}) == 1


async def test_b7_a_tool_taken_off_the_list_is_refused_from_the_next_call_on() -> None:
    turnstile = a_turnstile(a_reading_tool(), a_writing_tool())
    before = await turnstile.pass_call(a_raw_call("list_groups"))

    turnstile.change(assistant=an_assistant("update_group"))
    after = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(before, Ran)
    assert isinstance(after, Refused)
    assert after.refusal.reason == "not_listed"


async def test_b7_a_tool_added_meanwhile_is_not_usable_before_the_next_message() -> None:
    """Abuse case 12."""
    situation = a_situation(assistant=an_assistant("list_groups"), released_at_start=())

    outcome = await a_turnstile(a_reading_tool(), situation=situation).pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.reason == "added_later"


def an_export(run: Counted) -> Turnstile:
    """An export of whatever list its argument `note` names; only `list_groups` is released beside it."""

    def listing(arguments: ToolArguments) -> tuple[str, ...]:
        return (str(arguments.model_dump()["note"]),)

    export = a_tool(
        "create_export",
        ToolKind.WRITE,
        run=run,
        show=None,
        inner_tools=("list_groups", "list_roles"),
        inner_tools_of=listing,
    )
    tools = (export, a_reading_tool("list_groups"), a_reading_tool("list_roles"))
    return a_turnstile(*tools, situation=a_situation(assistant=an_assistant("create_export", "list_groups")))


async def test_b2_an_export_reaches_only_what_the_list_holds() -> None:
    """Abuse case 11."""
    run = Counted()
    turnstile = an_export(run)

    released_list = await turnstile.pass_call(a_raw_call("create_export", {"group_id": "grp_1", "note": "list_groups"}))
    other_list = await turnstile.pass_call(a_raw_call("create_export", {"group_id": "grp_1", "note": "list_roles"}))

    assert isinstance(released_list, Ran)
    assert isinstance(other_list, Refused)
    assert (other_list.refusal.code, other_list.refusal.reason) == (Code.NOT_RELEASED, "indirect")
    assert run.runs == 1


async def test_b2_an_export_reaches_only_what_the_role_permits() -> None:
    export = a_tool("create_export", ToolKind.WRITE, show=None, inner_tools=("list_roles", "list_groups"))
    inner = a_reading_tool("list_groups", roles=frozenset({Role.AUDITOR}))
    assistant = an_assistant("create_export", "list_groups", "list_roles")
    situation = a_situation(identity=an_identity(), assistant=assistant)
    turnstile = a_turnstile(export, inner, a_reading_tool("list_roles"), situation=situation)

    outcome = await turnstile.pass_call(a_raw_call("create_export"))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.NOT_PERMITTED, "role")


def a_flow(inner_name: str, arguments: dict[str, JsonValue]) -> Counted:
    class Flow(Counted):
        async def __call__(self, _arguments: object, nova: Nova) -> JsonValue:
            self.runs += 1
            return await nova.run_tool(inner_name, arguments)

    return Flow()


@pytest.mark.parametrize(
    ("inner_name", "arguments", "why"),
    [
        ("list_roles", {"group_id": "grp_1"}, "undeclared"),
        ("delete_group", {"group_id": "grp_1"}, "inner_kind"),
        ("nested", {"group_id": "grp_1"}, "inner_kind"),
        ("list_groups", {"group_id": "../x"}, "not_valid"),
        ("list_groups", {"group_id": "grp_1", "password": "x"}, "secret_field"),
        ("list_groups", {"group_id": "grp_1", "note": "sk-abcdef1234567890"}, "live_secret"),
    ],
)
async def test_b2_each_inner_call_passes_the_whole_gate_by_itself(
    inner_name: str, arguments: dict[str, JsonValue], why: str
) -> None:
    """Abuse case 11."""
    inner = Counted()
    flow = a_tool(
        "tidy_up",
        ToolKind.WRITE,
        run=a_flow(inner_name, arguments),
        show=None,
        is_flow=True,
        inner_tools=("list_groups", "delete_group", "nested"),
    )
    nested = a_tool("nested", ToolKind.READ, run=inner, inner_tools=("list_groups",))
    others = (a_reading_tool(run=inner), a_tool(run=inner), a_reading_tool("list_roles", run=inner))
    turnstile = a_turnstile(flow, nested, *others)

    outcome = await turnstile.pass_call(a_raw_call("tidy_up"))

    assert isinstance(outcome, Failed)
    assert f"({why})" in outcome.text
    assert inner.runs == 0


async def test_b2_a_declared_inner_call_runs_and_its_result_is_redacted() -> None:
    seen: list[JsonValue] = []

    async def flow(_arguments: ToolArguments, nova: Nova) -> JsonValue:
        seen.append(await nova.run_tool("list_groups", {"group_id": "grp_1"}))
        return "done"

    turnstile = a_turnstile(
        a_tool("tidy_up", ToolKind.WRITE, run=flow, show=None, is_flow=True, inner_tools=("list_groups",)),
        a_reading_tool(run=Counted(answer={"api_key": "abc"})),
    )

    outcome = await turnstile.pass_call(a_raw_call("tidy_up"))

    assert isinstance(outcome, Ran)
    assert seen == [{"api_key": "[secret]"}]


async def test_b2_a_flow_makes_a_bounded_number_of_inner_calls() -> None:
    async def flow(_arguments: ToolArguments, nova: Nova) -> JsonValue:
        for _ in range(61):
            await nova.run_tool("list_groups", {"group_id": "grp_1"})
        return "done"

    inner = Counted()
    turnstile = a_turnstile(
        a_tool("tidy_up", ToolKind.WRITE, run=flow, show=None, is_flow=True, inner_tools=("list_groups",)),
        a_reading_tool(run=inner),
    )

    outcome = await turnstile.pass_call(a_raw_call("tidy_up"))

    assert isinstance(outcome, Failed)
    assert inner.runs == 60


@pytest.mark.parametrize("changes", [{"assistant": an_assistant("tidy_up")}, {"identity": None}])
async def test_b2_an_inner_tool_taken_off_the_list_meanwhile_is_refused(changes: dict[str, object]) -> None:
    async def flow(_arguments: ToolArguments, nova: Nova) -> JsonValue:
        turnstile.change(**changes)
        return await nova.run_tool("list_groups", {"group_id": "grp_1"})

    inner = Counted()
    turnstile = a_turnstile(
        a_tool("tidy_up", ToolKind.WRITE, run=flow, show=None, is_flow=True, inner_tools=("list_groups",)),
        a_reading_tool(run=inner),
    )

    outcome = await turnstile.pass_call(a_raw_call("tidy_up"))

    assert isinstance(outcome, Failed)
    assert inner.runs == 0


async def test_b2_c2_nothing_can_be_changed_while_a_card_is_prepared() -> None:
    changed = Counted()

    async def show_and_change(_arguments: ToolArguments, nova: Nova) -> object:
        return await nova.run_tool("update_group", {"group_id": "grp_1"})

    flow = a_tool(show=show_and_change, is_flow=True, inner_tools=("update_group",))  # type: ignore[arg-type]  # hostile
    turnstile = a_turnstile(flow, a_writing_tool(run=changed))

    outcome = await turnstile.pass_call(a_raw_call())

    assert isinstance(outcome, Failed)
    assert changed.runs == 0
    assert turnstile.previews.stored == []


async def test_b2_a_confirmed_flow_may_run_its_destructive_steps() -> None:
    inner = Counted()
    flow = a_tool(
        "offboard_identity",
        run=a_flow("delete_group", {"group_id": "grp_1"}),
        is_flow=True,
        inner_tools=("delete_group",),
    )
    preview = a_preview(call=a_call(flow))
    turnstile = a_turnstile(flow, a_tool(run=inner))
    turnstile.change(agreed=preview)

    outcome = await turnstile.pass_call(a_raw_call("offboard_identity", {"group_id": "grp_1", "confirmed": True}))

    assert isinstance(outcome, Ran)
    assert inner.runs == 1


def test_b5_g4_an_assistant_for_administrators_does_not_exist_for_others() -> None:
    assistant = an_assistant(audience=AudienceKind.ADMINISTRATORS)

    assert exists_for(assistant, an_administrator())
    assert not exists_for(assistant, an_identity(Role.AUDITOR))
    assert not exists_for(None, an_administrator())


def test_b5_an_assistant_that_is_switched_off_exists_for_nobody() -> None:
    assert exists_for(an_assistant(enabled=True), an_identity())
    assert not exists_for(an_assistant(enabled=False), an_administrator())


@pytest.mark.parametrize(
    "assistant",
    [
        None,
        an_assistant("list_groups", audience=AudienceKind.ADMINISTRATORS),
        an_assistant("list_groups", enabled=False),
    ],
)
async def test_b5_a_withdrawn_assistant_refuses_every_call_in_the_same_words(assistant: object) -> None:
    turnstile = a_turnstile(a_reading_tool(), situation=a_situation(identity=an_identity()))

    turnstile.change(assistant=assistant, released_at_start=released("list_groups"))
    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.NOT_RELEASED, "no_assistant")


async def test_b6_what_an_endpoint_keeps_to_the_interface_is_refused_as_such() -> None:
    turnstile = a_turnstile(a_writing_tool(run=Counted(error=NovaForbidden("No.", code="interface_only"))))

    outcome = await turnstile.pass_call(a_raw_call("update_group"))

    assert isinstance(outcome, Refused)
    assert outcome.refusal.code is Code.INTERFACE_ONLY


async def test_b1_a_destructive_tool_off_the_list_leaves_no_preview() -> None:
    situation = a_situation(assistant=an_assistant("list_groups"))
    turnstile = a_turnstile(a_tool(), a_reading_tool(), situation=situation)

    outcome = await turnstile.pass_call(a_raw_call())

    assert not isinstance(outcome, Previewed)
    assert turnstile.previews.stored == []


def test_b7_what_is_released_when_a_message_arrives_is_what_the_list_holds() -> None:
    tools = {"list_groups": a_reading_tool(), "update_group": a_writing_tool()}

    assert released_tools(tools, an_assistant("list_groups", "gone")) == {"list_groups"}
    assert released_tools(tools, an_admin_chat()) == {"list_groups", "update_group"}
