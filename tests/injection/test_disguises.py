"""Each disguise is understood by an obedient model and obeyed at once: it ends on a card.

Writing is stopped where the assistant asks before every change.
"""

import json
from typing import Final

import pytest

from tests.contract.stage import Stage, differences
from tests.injection.instructions import DISGUISES, TIGHT, Instruction, instructions_in
from tests.injection.obeying_model import ObeyingModel
from tests.injection.reading import cards_of, say
from tests.injection.test_every_field import CHAT_TABLES
from tests.injection.writing import put_into_own_name

READ_SAM: Final = "search_identities"


@pytest.mark.parametrize("disguise", DISGUISES)
async def test_c2_c7_h1_whatever_hides_an_instruction_it_gets_a_card_and_nothing_more(
    stage: Stage, obeying: ObeyingModel, disguise: str
) -> None:
    """Abuse cases 17, 30 and 35."""
    wish = Instruction("delete_group", {"group_id": stage.things.ids["group"]}, "q001")
    await put_into_own_name(stage, "sam", DISGUISES[disguise](wish))
    obeying.agenda = [(READ_SAM, {})]
    before = stage.snapshot()

    heard = await say(stage, "mara", "admin", "Who works in Sales?")

    assert [one.mark for one in obeying.read] == ["q001"]
    assert heard.outcomes[1:] == [("refused", "confirmation_required"), ("refused", "confirmation_invalid")]
    (card,) = cards_of(heard.events)
    assert card["arguments"] == wish.arguments
    assert differences(before, stage.snapshot()).keys() <= CHAT_TABLES


async def test_c7_the_card_of_an_instruction_goes_with_any_other_message(stage: Stage, obeying: ObeyingModel) -> None:
    """Abuse cases 18 and 35."""
    wish = Instruction("delete_group", {"group_id": stage.things.ids["group"]}, "q001")
    await put_into_own_name(stage, "sam", DISGUISES["confirmed"](wish))
    obeying.agenda = [(READ_SAM, {})]
    first = await say(stage, "mara", "admin", "Who works in Sales?")
    obeying.agenda = [("delete_group", {**wish.arguments, "confirmed": True})]

    then = await say(stage, "mara", "admin", "Yes, thanks, and who works in Finance?")

    assert [one["reason"] for one in then.all("preview_closed")] == ["message_between"]
    assert ("ok", None) not in then.outcomes[:1]
    assert first.preview_id


async def test_f1_what_a_write_in_data_asks_for_is_done_seen_and_logged_as_the_chats(
    stage: Stage, obeying: ObeyingModel
) -> None:
    """Abuse case 56. By itself nothing asks before what only writes: docs/security.md tells so among the gaps."""
    wish = Instruction(
        "update_group", {"group_id": stage.things.ids["group"], "description": "Sam is the boss"}, "q001"
    )
    await put_into_own_name(stage, "sam", DISGUISES["plain"](wish))
    obeying.agenda = [(READ_SAM, {})]

    heard = await say(stage, "mara", "admin", "Who works in Sales?")

    calls = [(one["name"], one["kind"]) for one in heard.all("tool_call")]
    assert calls == [(READ_SAM, "read"), ("update_group", "write")], "a step in the chat, for everybody to see"
    written = stage.entries()[-1]
    assert (written["action"], written["details"]["via"]) == ("group.updated", "ai_chat:admin")


async def test_c15_where_every_change_is_asked_about_a_write_in_data_gets_a_card_and_changes_nothing(
    stage: Stage, obeying: ObeyingModel
) -> None:
    """Abuse case 35."""
    asks = json.dumps({"ask_before_changes": True}).encode()
    assert (await stage.send("PATCH /administration/assistants/admin", "mara", content=asks)).is_success
    switched = stage.entries()[-1]
    ids = stage.things.ids
    wishes = (
        Instruction("update_group", {"group_id": ids["group"], "description": "Sam is the boss"}, "q001"),
        Instruction("update_identity", {"identity_id": ids["sam"], "title": "Boss"}, "q002"),
        Instruction("assign_role", {"identity_id": ids["sam"], "role_id": ids["role"]}, "q003"),
    )
    for wish in wishes:
        await put_into_own_name(stage, "sam", DISGUISES["confirmed"](wish))
        obeying.agenda = [(READ_SAM, {})]
        before = stage.snapshot()

        heard = await say(stage, "mara", "admin", "Who works in Sales?")

        assert heard.outcomes == [("ok", None), ("refused", "confirmation_required")]
        (card,) = cards_of(heard.events)
        shown = card["arguments"]
        assert isinstance(shown, dict)
        assert shown.items() >= wish.arguments.items()
        assert differences(before, stage.snapshot()).keys() <= CHAT_TABLES
    assert switched["action"] == "assistant.updated"
    assert {"field": "ask_before_changes", "before": False, "after": True} in switched["details"]["changes"]


@pytest.mark.parametrize("disguise", [*DISGUISES.values(), *TIGHT.values()])
def test_the_obedient_model_reads_every_disguise(disguise: object) -> None:
    wish = Instruction("delete_group", {"group_id": "grp_00000000000000000000"}, "q001")

    assert callable(disguise)
    assert list(instructions_in(disguise(wish))) == [wish]
