"""What rests on the last answer is understood where that shows one thing; between several nothing is guessed."""

import json
from collections.abc import Callable, Sequence

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolKind
from nova_ui.llm.port import ChatMessage
from nova_ui.tools.registry import ALL_TOOLS, offer
from tests.llm.playing import Played, play

TIM, LEA, MARA = (f"idn_{number:020}" for number in range(1, 4))
NIGHT = f"grp_{1:020}"
MANAGER: JsonObject = {"id": LEA, "display_name": "Lea Brandt"}
WRITES = {tool.name for tool in ALL_TOOLS if tool.kind is not ToolKind.READ}


def _person(number: str, name: str, manager: JsonObject | None = None) -> JsonObject:
    return {"id": number, "display_name": name, "user_name": name.lower().replace(" ", "."), "manager": manager}


ONE = (_person(TIM, "Tim Vogt", MANAGER),)
TWO = (*ONE, _person(LEA, "Lea Brandt", {"id": MARA, "display_name": "Mara König"}))


def _nova(*people: JsonObject, total: int | None = None) -> Callable[[str, JsonObject], str]:
    def answer(name: str, arguments: JsonObject) -> str:
        rows: Sequence[JsonValue] = people if name == "search_identities" else ()
        if name == "get_identity":
            return json.dumps(next((one for one in TWO if one["id"] == arguments.get("identity_id")), {}))
        if name == "list_groups":
            rows = ({"id": NIGHT, "display_name": "night-shift"},)
        wanted = str(arguments.get("q", "")).lower()
        found = [row for row in rows if wanted in json.dumps(row, ensure_ascii=False).lower()]
        return json.dumps({"total": total or len(found), "shown": len(found), "items": found})

    return answer


async def _say(
    *texts: str, nova: Callable[[str, JsonObject], str] | None = None, without: frozenset[str] = frozenset()
) -> Played:
    before: list[ChatMessage] = []
    offers = [offer(tool) for tool in ALL_TOOLS if tool.name not in without]
    for text in texts:
        played = await play(text, before=before, offers=offers, answering=nova or _nova(*ONE))
        before = played.messages
    return played


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("show all contractors", "suspend him", ("suspend_identity", {"identity_id": TIM})),
        ("show all contractors", "delete that one", ("delete_identity", {"identity_id": TIM})),
        ("show all contractors", "delete the first one", ("delete_identity", {"identity_id": TIM})),
        ("show all contractors", "show the first", ("get_identity", {"identity_id": TIM})),
        ("show all contractors", "what access does he have?", ("get_identity_access", {"identity_id": TIM})),
        ("show all contractors", "and his manager?", ("get_identity", {"identity_id": LEA})),
        ("Zeige alle Externen", "Sperre ihn", ("suspend_identity", {"identity_id": TIM})),
        ("Zeige alle Externen", "die erste davon", ("get_identity", {"identity_id": TIM})),
        ("Zeige alle Externen", "und deren Vorgesetzte?", ("get_identity", {"identity_id": LEA})),
        ("Zeige alle Externen", "Welche Zugriffe hat er?", ("get_identity_access", {"identity_id": TIM})),
        ("show all groups", "delete it", ("delete_group", {"group_id": NIGHT})),
        ("show all groups", "Lösche diese Gruppe", ("delete_group", {"group_id": NIGHT})),
    ],
)
async def test_a_pronoun_stands_for_the_one_thing_that_was_shown(
    first: str, then: str, expected: tuple[str, JsonObject]
) -> None:
    assert (await _say(first, then)).last == expected


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ("only the active ones", {"department": "Sales", "status": "active"}),
        ("nur die Externen", {"department": "Sales", "user_type": "contractor"}),
        ("and in Finance?", {"department": "Finance"}),
        ("und in Finance?", {"department": "Finance"}),
    ],
)
async def test_a_condition_alone_narrows_the_last_list(then: str, expected: JsonObject) -> None:
    assert (await _say("who works in Sales?", then)).last == ("search_identities", expected)


async def test_the_same_is_asked_about_another_object_that_is_named() -> None:
    played = await _say("what access does Tim Vogt have?", "and Lea Brandt?", nova=_nova(*TWO))

    assert played.last == ("get_identity_access", {"identity_id": LEA})


@pytest.mark.parametrize("then", ["suspend him", "delete that one", "Sperre sie", "delete it", "disable them"])
@pytest.mark.parametrize("nova", [_nova(*TWO), _nova(*ONE, total=30)])
async def test_between_several_nothing_is_guessed(then: str, nova: Callable[[str, JsonObject], str]) -> None:
    played = await _say("show all contractors", then, nova=nova)

    assert played.calls == []
    assert "Which one do you mean" in played.text or "Welches meinen Sie" in played.text


@pytest.mark.parametrize(
    "then",
    ["don't suspend him", "him", "should I suspend him?", "Sperre ihn nicht", "he was suspended", "and Lea Brandt"],
)
async def test_a_change_needs_its_own_verb(then: str) -> None:
    shown = await _say("show all contractors", then)
    after_a_card = await _say("suspend Tim Vogt", then)

    assert not {name for name, _ in (*shown.calls, *after_a_card.calls)} & WRITES


async def test_without_anything_shown_a_pronoun_stands_for_nothing() -> None:
    for texts in (["suspend him"], ["thanks", "delete it"], ["thanks", "and their managers?"]):
        played = await _say(*texts)

        assert played.calls == [], texts


async def test_who_is_named_is_meant_whatever_was_shown_before() -> None:
    played = await _say("show all groups", "suspend Tim Vogt because he left")

    assert played.last == ("suspend_identity", {"identity_id": TIM, "reason": "he left"})


async def test_several_managers_are_listed_beside_their_people() -> None:
    played = await _say("show all contractors", "and their managers?", nova=_nova(*TWO))

    assert played.calls == []
    assert "| Tim Vogt | Lea Brandt |" in played.text
    assert "| Lea Brandt | Mara König |" in played.text


@pytest.mark.parametrize(
    ("text", "says"), [("how many contractors are there?", "**2**"), ("Wie viele Externe haben wir?", "**2**")]
)
async def test_who_asks_how_many_gets_the_number_and_how_it_was_counted(text: str, says: str) -> None:
    played = await _say(text, nova=_nova(*TWO))

    assert played.text.startswith(says)
    assert "Tim Vogt" not in played.text
    assert "contractor" in played.text or "Extern" in played.text


async def test_what_is_not_offered_is_said_to_be_not_available_here() -> None:
    played = await _say("delete the group night-shift", without=frozenset({"delete_group"}))
    unknown = await _say("frobnicate the group night-shift", without=frozenset({"delete_group"}))

    assert played.calls == []
    assert "“Delete group”" in played.text
    assert "not available here" in played.text
    assert "not available here" not in unknown.text
