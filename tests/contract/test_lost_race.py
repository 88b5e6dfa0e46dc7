"""A change of what somebody else has changed meanwhile is refused with 412, and nothing of it is done."""

import pytest

from tests.contract.acting import those_who_may
from tests.contract.samples import SAMPLES
from tests.contract.stage import Stage, differences

_WITHOUT_VERSION = {
    "end_my_session": "a session only ends; ending it twice is a 409",
    "end_session": "a session only ends; ending it twice is a 409",
    "order_assistants": "it names every assistant, so it is about no single one",
    "remove_my_totp": "only its owner has it, and a fresh sign-in is asked for",
    "delete_export": "an export never changes",
    "sign_out_session_delete": "a session only ends",
    "cancel_preview_ai_previews__preview_id__delete": "a preview is closed by one conditional write (rule C10)",
    "clear_chats_ai_chats_delete": "it is for all chats, however many there are by then",
    "delete_chat_ai_chats__chat_id__delete": "only its owner has it",
    "rename_chat_ai_chats__chat_id__patch": "only its owner has it",
}
"""Operations on existing objects that take no `If-Match`, with the reason."""


async def test_whatever_changes_an_object_can_be_told_which_version_is_meant(stage: Stage) -> None:
    without = [
        one.id
        for one in stage.document.by_id.values()
        if one.method in {"PATCH", "PUT", "DELETE"} and "If-Match" not in one.parameter_names("header")
    ]

    assert sorted(without) == sorted(_WITHOUT_VERSION), "Let it take If-Match, or give the reason here."


@pytest.mark.parametrize("name", SAMPLES)
async def test_a_lost_race_is_a_412_and_changes_nothing(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    if "If-Match" not in operation.parameter_names("header"):
        return
    who = those_who_may(operation, sample)[0]
    before = stage.snapshot()

    lost = await stage.ask(operation, sample, who, headers={"If-Match": '"987"'})
    untouched = differences(before, stage.snapshot()) == {}
    won = await stage.ask(operation, sample, who, headers={"If-Match": "*"})

    assert (lost.status_code, lost.json()["code"]) == (412, "precondition_failed"), lost.text
    assert untouched
    assert won.is_success, won.text
