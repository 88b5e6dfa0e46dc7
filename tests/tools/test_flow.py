"""A flow runs its steps in order, stops at the first failure, and tells truthfully what was done and what was not."""

import asyncio

import pytest

from nova_ui.domain.json_value import JsonValue
from nova_ui.errors import (
    InnerCallRefused,
    NovaConflict,
    NovaForbidden,
    NovaUiError,
    NovaUnauthenticated,
    NovaUnavailable,
)
from nova_ui.tools import flow
from nova_ui.tools.flow import Step, run_steps
from tests.fakes.scripted_nova import ScriptedNova


def a_step(name: str, tool: str | None = None) -> Step:
    return Step(kind="assignment", name=name, tool=tool or f"revoke_{name}", arguments={"id": name})


async def test_all_steps_run_in_their_order() -> None:
    nova = ScriptedNova({"POST /transfer": {}})
    transfer = Step(kind="ownership", name="all", endpoint="POST /transfer", arguments={"to": "idn_1"})

    result = await run_steps([transfer, a_step("one"), a_step("two")], nova)

    assert (result["complete"], result["steps_done"], result["steps_not_run"]) == (True, 3, 0)
    assert nova.called[0].body == {"to": "idn_1"}
    assert [name for name, _ in nova.ran] == ["revoke_one", "revoke_two"]


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (NovaForbidden("No."), "forbidden"),
        (NovaConflict("No.", code="state_conflict"), "state_conflict"),
        (NovaUnavailable("No."), "unavailable"),
        (NovaUnauthenticated("No."), "session_ended"),
        (InnerCallRefused(tool_name="revoke_two", code="not_released", reason="No."), "not_released"),
    ],
)
async def test_b2_a_flow_stops_at_the_first_failure_and_says_so(problem: NovaUiError, code: str) -> None:
    """Abuse case 8."""
    nova = ScriptedNova({"revoke_two": problem})

    result = await run_steps([a_step("one"), a_step("two"), a_step("three")], nova)

    assert [name for name, _ in nova.ran] == ["revoke_one", "revoke_two"]
    assert result["complete"] is False
    assert result["done"] == [{"step": "revoke_one", "type": "assignment", "name": "one"}]
    assert result["failed"] == {
        "step": "revoke_two",
        "type": "assignment",
        "name": "two",
        "code": code,
        "detail": "No.",
    }
    assert result["not_run"] == [{"step": "revoke_three", "type": "assignment", "name": "three"}]


async def test_a_flow_that_takes_too_long_stops_between_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "MAX_SECONDS", 0.01)

    class SlowNova(ScriptedNova):
        async def run_tool(self, name: str, arguments: dict[str, JsonValue]) -> JsonValue:
            await asyncio.sleep(0.02)
            return await super().run_tool(name, arguments)

    nova = SlowNova({})

    result = await run_steps([a_step("one"), a_step("two")], nova)

    assert [name for name, _ in nova.ran] == ["revoke_one"]
    assert isinstance(result["failed"], dict)
    assert result["failed"]["code"] == "time_limit"


async def test_more_steps_than_a_flow_may_take_are_refused_as_a_whole() -> None:
    nova = ScriptedNova({})

    with pytest.raises(NovaConflict):
        await run_steps([a_step("one")] * 61, nova)

    assert nova.ran == []


async def test_long_lists_of_steps_are_told_by_their_first_twenty() -> None:
    result = await run_steps([a_step("one")] * 25, ScriptedNova({}))

    assert isinstance(result["done"], list)
    assert len(result["done"]) == 21
    assert result["done"][-1] == "and 5 more"
