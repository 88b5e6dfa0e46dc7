"""Who may do what, of which kind, logged how: each operation is acted out and compared with its marks."""

from typing import Final

import pytest

from tests.contract.acting import may, those_who_may, was_let
from tests.contract.cast import LETTERS
from tests.contract.samples import SAMPLES
from tests.contract.stage import CHAT, Stage, differences

_UNLOGGED: Final = {"sign_in_session_post": "it asks for no session, so there would be nobody to log"}


@pytest.mark.parametrize("name", SAMPLES)
async def test_each_person_may_what_the_mark_says(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    found = {}
    for who in LETTERS:
        answer = await stage.ask(operation, sample, who)
        found[who] = was_let(operation, sample, who, answer)
        if operation.kind != "read":
            await stage.come_to_rest()
            stage.reset()

    assert found == {who: may(operation, sample, who) for who in LETTERS}


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "sign_in_session_post"])
async def test_nobody_gets_anything_without_signing_in(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    before = stage.snapshot()

    answer = await stage.send(f"{operation.method} {stage.path_of(operation, sample, 'uma')}", None)

    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert differences(before, stage.snapshot()) == {}


@pytest.mark.parametrize("name", SAMPLES)
async def test_a_reading_operation_changes_no_row_and_any_other_does(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    before = stage.snapshot()

    answer = await stage.ask(operation, sample, those_who_may(operation, sample)[0])

    changed = differences(before, stage.snapshot())
    assert answer.is_success, answer.text
    if operation.kind == "read" or sample.changes_nothing:
        assert changed == {}
    else:
        assert changed != {}


@pytest.mark.parametrize("name", SAMPLES)
async def test_f3_what_is_logged_is_what_the_mark_names(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    for who in those_who_may(operation, sample):
        before = len(stage.entries())
        await stage.ask(operation, sample, who)
        logged = [entry for entry in stage.entries()[before:] if entry["outcome"] == "success"]
        if operation.kind != "read":
            await stage.come_to_rest()
            stage.reset()

        actions = [entry["action"] for entry in logged]
        assert set(actions) <= set(operation.audit), who
        assert actions[:1] == list(operation.audit[:1]), who
        assert {entry["via"] for entry in logged} <= {None}
        ids = {entry["id"] for entry in logged}
        first_target = logged[0]["target_id"] if logged else None
        followed = [one for one in logged if one["action"] != actions[0] and one["target_id"] != first_target]
        assert all(entry["caused_by"] in ids for entry in followed), "a follow-up names what caused it"
        assert len({entry["request_id"] for entry in logged}) <= 1


@pytest.mark.parametrize("name", SAMPLES)
async def test_f1_b6_the_same_from_a_chat_is_marked_or_refused(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    who = those_who_may(operation, sample)[0]
    before, logged = stage.snapshot(), len(stage.entries())

    answer = await stage.ask(operation, sample, who, via=CHAT)

    entries = stage.entries()[logged:]
    assert {entry["via"] for entry in entries} <= {f"ai_chat:{CHAT}"}
    if not operation.interface_only:
        assert answer.is_success, answer.text
        assert [entry["outcome"] for entry in entries] == ["success"] * len(entries)
        return
    assert (answer.status_code, answer.json()["code"]) == (403, "interface_only")
    assert differences(before, stage.snapshot()) == {}
    if operation.kind != "read" and operation.audit and name not in _UNLOGGED:
        told = [(entry["action"], entry["outcome"], entry["details"]["code"]) for entry in entries]
        assert told == [(operation.audit[0], "refused", "interface_only")]
