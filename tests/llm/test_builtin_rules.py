"""The five rules of the built-in model, on a few small tools."""

import json
from collections.abc import Callable, Sequence
from datetime import date

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, CallId, RawCall
from nova_ui.guardrails.envelope import unwrap, wrap
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.llm.builtin.conversation import State, read_result
from nova_ui.llm.builtin.slots import read
from nova_ui.llm.builtin.understanding import Grammars, Meaning, Plan, Unclear, understand
from nova_ui.llm.port import (
    AssistantMessage,
    CallMade,
    ChatMessage,
    ModelRequest,
    ResultMessage,
    TextDelta,
    UserMessage,
)
from nova_ui.tools.registry import offer
from tests.llm.playing import PREVIEWED, Played, a_model, play
from tests.llm.toy_tools import DELETE_THING, LIST_THINGS, TOYS

TODAY = date(2026, 3, 18)
ID = "thg_00000000000000000001"
OTHER_ID = "thg_00000000000000000002"


def _meaning(text: str, tools: Sequence[AnyTool] = TOYS) -> Meaning:
    return understand(read(text, TODAY), Grammars().of(tools))


def _things(*rows: JsonObject) -> Callable[[str, JsonObject], str]:
    def answer(_name: str, arguments: JsonObject) -> str:
        wanted = str(arguments.get("q", "")).lower()
        found = [row for row in rows if wanted in json.dumps(row).lower()]
        items: list[JsonValue] = [*found]
        return json.dumps({"total": len(found), "shown": len(found), "items": items})

    return answer


ONE = _things({"id": ID, "display_name": "night shift"})
TWO = _things(
    {"id": ID, "display_name": "Night Shift", "user_name": "night.shift"},
    {"id": OTHER_ID, "display_name": "Night Shift", "user_name": "night.shift2"},
)


async def _play(
    text: str, answering: Callable[[str, JsonObject], str] = ONE, before: Sequence[ChatMessage] = ()
) -> Played:
    return await play(text, offers=[offer(tool) for tool in TOYS], answering=answering, before=before)


# rule 1: one clear winner is called, what is missing is asked for, close ones are offered


async def test_one_clear_winner_is_called_after_looking_its_object_up() -> None:
    played = await _play("delete the group night shift")

    assert played.calls == [
        ("list_things", {"q": "night shift", "limit": 20}),
        ("delete_thing", {"thing_id": ID}),
    ]
    assert "card" in played.text


async def test_what_is_missing_is_asked_for_and_the_answer_completes_the_request() -> None:
    asked = await _play("extend the group night shift")
    done = await _play("31.12.2026", before=asked.messages)

    assert (asked.calls, "2026-12-31" in asked.text) == ([], True)
    assert done.last == ("extend_thing", {"thing_id": ID, "day": "2026-12-31"})


async def test_a_missing_name_is_asked_for() -> None:
    asked = await _play("delete the group")
    done = await _play("the group night shift", before=asked.messages)

    assert asked.calls == []
    assert done.last == ("delete_thing", {"thing_id": ID})


async def test_close_ones_are_offered_and_a_number_chooses() -> None:
    asked = await _play("unblock group night shift")
    done = await _play("2", before=asked.messages)

    assert (asked.calls, "Did you mean" in asked.text) == ([], True)
    assert asked.text.index("1. Activate it") < asked.text.index("2. Unlock it")
    assert done.last == ("unlock_thing", {"thing_id": ID})


async def test_a_new_request_is_no_answer_to_a_question() -> None:
    asked = await _play("delete the group")
    played = await _play("show all groups", before=asked.messages)

    assert played.calls == [("list_things", {})]


async def test_what_nothing_fits_is_said_with_examples_and_the_menu() -> None:
    played = await _play("what is the weather like?")

    assert played.calls == []
    assert "without a language model" in played.text
    assert "Try list" in played.text
    assert "Type /" in played.text


# rule 2: an explicit verb, never a guess between opposites


@pytest.mark.parametrize(
    "text",
    [
        "group night shift",
        "the group night shift please",
        "unlock and delete group night shift",
        "don't delete group night shift",
        "never delete group night shift",
        "how do I delete group night shift",
        "can I delete group night shift?",
        "should we delete group night shift?",
        "who deleted group night shift",
        "delete all groups",
        "delete group night shift if it is empty",
        "do not unlock group night shift but delete group night shift",
        'she said "delete group night shift"',
        "deleted group night shift",
    ],
)
def test_without_a_plain_order_nothing_is_changed(text: str) -> None:
    meaning = _meaning(text)

    assert not isinstance(meaning, Plan) or meaning.tool is LIST_THINGS or meaning.missing


def test_only_what_is_offered_can_win() -> None:
    assert isinstance(_meaning("delete group night shift", [LIST_THINGS]), Unclear)
    assert isinstance(_meaning("delete group night shift", [LIST_THINGS, DELETE_THING]), Plan)


@pytest.mark.parametrize(
    "text",
    [
        "Delete the group night-shift!",
        "please could you delete group night-shift",
        "I want to delete the group night-shift, we don't need it any more",
        "Lösche die Gruppe night-shift",
        "loesche bitte die gruppe night-shift",
        "Die Gruppe night-shift bitte löschen, sie wird nicht mehr gebraucht",
        'delete group "night-shift"',
        "lösche die Gruppe „night-shift“",
    ],
)
async def test_a_plain_order_is_understood_however_it_is_put(text: str) -> None:
    assert (await _play(text, _things({"id": ID, "display_name": "night-shift"}))).last == (
        "delete_thing",
        {"thing_id": ID},
    )


# rule 3: names are looked up first, several matches are asked back


async def test_several_matches_are_asked_back_and_a_name_chooses() -> None:
    asked = await _play("delete the group Night Shift", TWO)
    by_name = await _play("night.shift2", TWO, asked.messages)
    by_number = await _play("the second one", TWO, asked.messages)

    assert [name for name, _ in asked.calls] == ["list_things"]
    assert "1. Night Shift (night.shift)" in asked.text
    assert by_name.last == by_number.last == ("delete_thing", {"thing_id": OTHER_ID})


async def test_a_name_that_is_exactly_one_object_s_is_that_object() -> None:
    assert (await _play("delete the group night.shift", TWO)).last == ("delete_thing", {"thing_id": ID})


async def test_at_most_three_are_listed() -> None:
    rows: list[JsonObject] = [{"id": f"thg_{number:020}", "display_name": "night"} for number in range(5)]

    played = await _play("delete group night", _things(*rows))

    assert (played.text.count("night"), "5 in all" in played.text) == (4, True)


async def test_a_name_that_nothing_has_is_said() -> None:
    played = await _play("delete group nowhere")

    assert [name for name, _ in played.calls] == ["list_things"]
    assert "nowhere" in played.text


async def test_a_near_name_is_never_taken_for_the_one_that_was_said() -> None:
    played = await _play("delete group shifts", _things({"id": ID, "display_name": "a", "description": "shifts"}))

    assert [name for name, _ in played.calls] == ["list_things"]
    assert "Did you mean" in played.text


async def test_an_id_needs_no_looking_up() -> None:
    assert (await _play(f"delete group {ID}")).calls == [("delete_thing", {"thing_id": ID})]


async def test_a_refused_look_up_ends_the_request_with_its_reason() -> None:
    refusal = "Refused: not_released (not_on_list). Choose another tool."

    played = await _play("delete group night shift", lambda _name, _arguments: refusal)

    assert [name for name, _ in played.calls] == ["list_things"]
    assert "may not use this tool" in played.text


async def test_without_a_tool_to_look_up_the_id_is_asked_for() -> None:
    played = await play("delete group night shift", offers=[offer(DELETE_THING)])

    assert (played.calls, "its id" in played.text) == ([], True)


# rule 4: ordinary calls into the same gate, and a part in the confirmation like any model


async def test_an_agreement_repeats_exactly_the_previewed_call() -> None:
    shown = await _play("delete group night shift")

    agreed = await _play("Yes, please!", before=shown.messages)

    assert agreed.calls == [("delete_thing", {"thing_id": ID, "confirmed": True})]
    assert "Done" in agreed.text


@pytest.mark.parametrize("reply", ["no", "Nein, danke", "stop", "abbrechen"])
async def test_a_refusal_is_acknowledged_without_a_call(reply: str) -> None:
    shown = await _play("delete group night shift")

    refused = await _play(reply, before=shown.messages)

    assert refused.calls == []
    assert "Nothing was done" in refused.text or "nichts ausgeführt" in refused.text


async def test_an_agreement_with_nothing_to_agree_to_calls_nothing() -> None:
    listed = await _play("show all groups")

    assert (await _play("yes", before=listed.messages)).calls == []
    assert (await _play("yes")).calls == []


async def test_another_request_after_a_card_is_a_request() -> None:
    shown = await _play("delete group night shift")

    assert (await _play("show all groups", before=shown.messages)).calls == [("list_things", {})]


async def test_after_the_button_it_reports_and_calls_nothing() -> None:
    call = RawCall(call_id=CallId("c1"), name="delete_thing", arguments_text=json.dumps({"thing_id": ID}))
    result = {
        "object": {"display_name": "night shift"},
        "effects": [{"type": "session", "display": "x", "result": "ended"}],
    }
    told: list[ChatMessage] = [
        UserMessage(text="(The person pressed Confirm and execute for delete_thing. The server ran the stored call.)"),
        AssistantMessage(text="", calls=(call,)),
        ResultMessage(call_id="c1", tool_name="delete_thing", content=wrap("delete_thing", json.dumps(result))),
    ]

    text = await _answer(told)

    assert "Done" in text
    assert "night shift" in text
    assert "1 object went with it" in text


async def test_words_only_calls_nothing() -> None:
    played = await play("show all groups", offers=[offer(tool) for tool in TOYS], words_only=True)

    assert (played.calls, bool(played.text)) == ([], True)


async def test_a_look_up_that_never_helps_ends() -> None:
    played = await _play("delete group night shift", lambda _name, _arguments: "no JSON at all")

    assert len(played.calls) <= 8


# rule 5: it says what it is, in the reader's language


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("hello", Language.GERMAN, "without a language model"),
        ("Guten Tag", Language.ENGLISH, "ohne Sprachmodell"),
        ("who are you?", Language.GERMAN, "built-in assistant"),
        ("Was kannst du?", Language.ENGLISH, "eingebaute Assistent"),
        ("xyzzy", Language.GERMAN, "ohne Sprachmodell"),
        ("xyzzy", Language.ENGLISH, "without a language model"),
        ("danke!", Language.ENGLISH, "Gern geschehen"),
        ("Zeige alle Gruppen", Language.ENGLISH, "Treffer"),
        ("show all groups", Language.GERMAN, "match"),
        ("reset my password please", Language.ENGLISH, "secrets"),
    ],
)
async def test_it_says_what_it_is_in_the_language_of_the_message(text: str, language: Language, expected: str) -> None:
    played = await play(text, offers=[offer(tool) for tool in TOYS], language=language, answering=ONE)

    assert expected in played.text


async def test_the_answer_comes_in_small_pieces_and_never_fails() -> None:
    for text in ("", " ", "?" * 5000, "\x00\ud800", "{" * 300, "delete " * 500):
        played = await _play(text)

        assert played.calls == []
        assert played.text


# what the server says about calls is read as it is written


def test_results_are_read_in_the_words_of_the_gate() -> None:
    refusal = Refusal(code=Code.NOT_PERMITTED, reason="role", advice="Ask somebody.")
    words = f"Refused: {refusal.code} ({refusal.reason}). {refusal.advice}"

    assert read_result(words, unwrap) == (State.REFUSED, None, "not_permitted", "Ask somebody.")
    assert read_result(wrap("x", words), unwrap)[0] is State.REFUSED
    assert read_result(wrap("x", "The tool failed: conflict. It owns 2 groups."), unwrap) == (
        State.FAILED,
        None,
        "conflict",
        "It owns 2 groups.",
    )
    assert read_result(PREVIEWED, unwrap)[0] is State.PREVIEWED
    assert read_result(wrap("x", '{"total": 1}'), unwrap) == (State.RAN, {"total": 1}, "", "")
    assert read_result(wrap("x", "plain"), unwrap) == (State.RAN, "plain", "", "")
    assert read_result(wrap("x", "[" * 100_000), unwrap)[0] is State.RAN


async def _answer(messages: Sequence[ChatMessage]) -> str:
    offers = [offer(tool) for tool in TOYS]
    request = ModelRequest(messages=messages, tools=offers, language=Language.ENGLISH)
    events = [event async for event in a_model().stream(request)]
    assert not any(isinstance(event, CallMade) for event in events)
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_a_request_with_a_verb_never_fills_what_was_asked_before() -> None:
    asked = await _play("delete group nowhere")

    for text in (
        "activate group night shift",
        "request the role Developer",
        "give me the group",
        "end group night shift",
    ):
        played = await _play(text, before=asked.messages)

        assert all(name != "delete_thing" for name, _ in played.calls), text
