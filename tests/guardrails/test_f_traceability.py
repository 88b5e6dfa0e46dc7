"""F: what the gate itself leaves behind."""

import logging

import pytest

from tests.builders import a_raw_call, a_reading_tool, a_tool
from tests.guardrails.doors import Counted, a_turnstile


async def test_f3_the_gate_logs_a_tools_failure_by_name_and_kind_only(caplog: pytest.LogCaptureFixture) -> None:
    turnstile = a_turnstile(a_reading_tool(run=Counted(error=RuntimeError("hunter2 of grp_1"))))

    with caplog.at_level(logging.DEBUG):
        await turnstile.pass_call(a_raw_call("list_groups"))

    assert [record.getMessage() for record in caplog.records] == ["tool.failed"]
    assert {(vars(record)["tool"], vars(record)["error"]) for record in caplog.records} == {
        ("list_groups", "RuntimeError")
    }
    assert "hunter2" not in caplog.text
    assert "grp_1" not in caplog.text


async def test_f4_each_call_and_each_card_gets_nova_from_the_door_that_carries_the_origin() -> None:
    turnstile = a_turnstile(a_tool(), a_reading_tool())

    await turnstile.pass_call(a_raw_call("list_groups"))
    await turnstile.pass_call(a_raw_call())

    assert turnstile.door.opened == [("list_groups", None), ("delete_group", None)]
