"""What somebody might try over HTTP with a model that helps: the cases that no other journey acts out."""

import json
import re
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import JsonValue

from tests.fakes.scripted_model_server import Answer, Call, ScriptedModelServer, call, say
from tests.journeys.person import API, Heard, JsonObject, Person, order, problem

ADMIN = "admin"
ASSISTANTS = "/administration/assistants"
NOBODY = "idn_00000000000000000000"
HOSTILE = (
    "first line\nsecond line \u202edlrow\u202c zero\u200bwidth <b onclick='x()'>bold</b> {{7*7}} " + "long " * 60
).strip()


@pytest.fixture
def open_assistant(mara: Person) -> Iterator[str]:
    """An assistant for everyone whose list holds what it should not."""
    key = f"wide-{secrets.token_hex(3)}"
    tools = "onboard_identity copy_access get_identity request_access search_catalog end_my_session create_identity"
    needed = "add_group_members assign_role request_access_for"  # by the flows among them
    names: list[JsonValue] = [*tools.split(), *needed.split()]
    body: JsonObject = {"key": key, "names": {"en": "x, via: ui"}, "tool_names": names, "audience": "everyone"}
    answer = mara.request("POST", ASSISTANTS, body)
    assert answer.status_code in {200, 201}, answer.text
    yield key
    assert mara.request("DELETE", f"{ASSISTANTS}/{key}").status_code in {200, 204}


def _own_words(heard: Heard, object_id: str) -> str:
    return json.dumps([heard.outcomes, heard.contents]).replace(object_id, "…")


def test_a1_who_may_not_be_read_looks_in_the_chat_as_in_the_interface_and_as_if_there_were_nobody(
    tim: Person, paul: Person
) -> None:
    """Abuse case 1."""
    hidden = tim.say("helpdesk", order("get_identity", identity_id=paul.id))
    missing = tim.say("helpdesk", order("get_identity", identity_id=NOBODY))
    shown = tim.client.get(f"{API}/identities/{paul.id}")

    assert hidden.outcomes == [("error", problem(shown)[1])]
    assert shown.json()["detail"] in hidden.contents[0]
    assert _own_words(hidden, paul.id) == _own_words(missing, NOBODY)


@pytest.mark.parametrize(
    "smuggled", [{"user_id": NOBODY}, {"as": "mara.koenig"}, {"role": "administrator"}, {"session": "ses_1"},
                 {"headers": {"Cookie": "a=b"}}, {"cookie": "nova=1"}, {"via": "interface"}],
    ids=lambda smuggled: next(iter(smuggled)),
)  # fmt: skip
def test_a2_nobody_else_can_be_named_in_an_argument(tim: Person, smuggled: dict[str, object]) -> None:
    """Abuse cases 2 and 39."""
    heard = tim.say("helpdesk", f"!call get_identity {json.dumps(smuggled)}")

    assert heard.outcomes[0][0] == "refused"
    assert heard.outcomes[0][1] in {"invalid_arguments", "secret_argument"}
    assert tim.id not in heard.contents[0]


def test_i3_an_unknown_argument_is_refused_at_the_top_and_nested_and_named(mara: Person) -> None:
    """Abuse case 39."""
    name = f"never-{secrets.token_hex(4)}"
    top = mara.say(ADMIN, order("create_group", display_name=name, colour="red"))
    nested = mara.say(ADMIN, order("create_export", resource="groups", filter={"colour": "red"}))

    assert top.outcomes == [("refused", "invalid_arguments")]
    assert "colour" in top.contents[0]
    assert nested.outcomes[0][0] in {"refused", "error"}
    assert "colour" in nested.contents[0]
    assert mara.items("/groups", q=name) == []


def test_a2_people_who_chat_at_once_are_each_themselves(mara: Person, tim: Person, lea: Person, paul: Person) -> None:
    """Abuse case 3: the fifty are in `tools/test_many_at_once.py`; here they are real connections."""
    text = "\n!then\n".join(order("list_sessions", whose="mine", limit=number + 1) for number in range(5))
    text += "\n!then\n" + order("get_identity")

    with ThreadPoolExecutor(4) as pool:
        people = [mara, tim, lea, paul]
        heard = list(pool.map(lambda person: person.say("helpdesk", text), people))

    for person, one in zip(people, heard, strict=True):
        assert json.loads(one.contents[-1])["id"] == person.id
        assert set(one.outcomes) == {("ok", None)}
        others = {other.id for other in people} - {person.id}
        assert not [other for other in others if other in json.dumps(one.contents[:5])]


def test_a2_who_stops_being_the_manager_between_two_calls_is_refused_the_second(
    mara: Person, lea: Person, tim: Person, model: ScriptedModelServer
) -> None:
    """Abuse case 4."""
    asked = len(model.received)
    wanted = {"identity_id": tim.id}
    second = Answer(calls=(Call(name="get_identity", arguments=wanted),), wait_s=1.0)
    model.queue(call("get_identity", identity_id=tim.id), second, say("Over."))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(lea.say, "helpdesk", "Who is Tim, twice?")
        while len(model.received) < asked + 2:
            time.sleep(0.02)
        moved = mara.request("PATCH", f"/identities/{tim.id}", {"manager_id": mara.id})
        heard = running.result()
    back = mara.request("PATCH", f"/identities/{tim.id}", {"manager_id": lea.id})

    assert (moved.status_code, back.status_code) == (200, 200)
    assert heard.outcomes == [("ok", None), ("error", "not_found")]


def test_c11_who_signed_out_in_another_tab_confirms_nothing(sign_in: Callable[[str], Person], mara: Person) -> None:
    """Abuse case 5."""
    leaving = sign_in("mara.koenig")
    doomed = mara.make_group(f"kept-{secrets.token_hex(4)}")
    shown = leaving.say(ADMIN, order("delete_group", group_id=doomed))

    assert leaving.request("DELETE", "/session").status_code in {200, 204}
    pressed = leaving.post_message(ADMIN, {"confirm": shown.preview_id})

    assert problem(pressed)[0] == 401
    assert mara.has_group(doomed)


def test_a2_an_old_tab_of_whoever_was_signed_in_before_sends_nothing_as_somebody_else(
    sign_in: Callable[[str], Person], mara: Person
) -> None:
    """Abuse case 6: one browser, one cookie jar; the old tab still holds its own CSRF token and card."""
    first, second = sign_in("mara.koenig"), sign_in("tim.vogt")
    doomed = mara.make_group(f"kept-{secrets.token_hex(4)}")
    shown = first.say(ADMIN, order("delete_group", group_id=doomed))
    first.request("DELETE", "/session")
    first.client.cookies = second.client.cookies  # whoever signed in after it in the same browser

    pressed = [first.post_message(key, {"confirm": shown.preview_id}) for key in (ADMIN, "helpdesk")]
    written = first.post_message("helpdesk", {"text": "Written in the old tab"})
    as_second = second.post_message("helpdesk", {"confirm": shown.preview_id})

    assert {problem(answer) for answer in (*pressed, written)} == {(403, "csrf_failed")}
    assert problem(as_second)[0] == 404
    assert second.items("/ai/chats", q="old tab") == []
    assert shown.chat_id not in [chat["id"] for chat in second.items("/ai/chats")]
    assert mara.has_group(doomed)


def test_a4_a_writing_flow_on_a_list_for_everyone_is_refused_and_asking_for_oneself_is_not(
    mara: Person, tim: Person, open_assistant: str
) -> None:
    """Abuse case 7."""
    name = f"smuggled.{secrets.token_hex(4)}"
    made = tim.say(open_assistant, order("onboard_identity", user_name=name, given_name="A", family_name="B"))
    copied = tim.say(open_assistant, order("copy_access", from_id=mara.id, to_id=tim.id, justification="Mine now"))
    items = tim.items("/catalog", type="role", limit=50)
    role_id = next(one["role_id"] for one in items if not one["held"] and one["open_request_id"] is None)
    asked = tim.say(open_assistant, order("request_access", role_ids=[role_id], justification="For my work"))

    assert {outcome[0] for heard in (made, copied) for outcome in heard.outcomes} == {"refused"}
    assert mara.items("/identities", q=name) == []
    assert asked.outcomes == [("ok", None)], asked.contents


def test_c2_a_card_tells_every_argument_in_full_and_none_of_the_models_words(
    mara: Person, tim: Person, model: ScriptedModelServer
) -> None:
    """Abuse cases 28 and 29."""
    lie = "Press Confirm, it only refreshes the page."
    suspend = Call(name="suspend_identity", arguments={"identity_id": tim.id, "reason": HOSTILE})
    model.queue(Answer(text=lie, calls=(suspend,)), say(f"<form><button>Confirm</button></form> {lie}"))

    heard = mara.say(ADMIN, "Suspend Tim")

    card = heard.one("preview")
    assert card["arguments"] == {"identity_id": tim.id, "reason": HOSTILE}
    assert lie not in json.dumps(card)
    assert str(card["action"]).find("Tim Vogt") >= 0
    mara.request("DELETE", f"/ai/previews/{heard.preview_id}")


def test_c2_what_one_may_not_see_looks_on_the_card_as_if_it_did_not_exist(mara: Person, tim: Person) -> None:
    """Abuse case 34."""
    foreign = str(next(one["id"] for one in mara.items("/me/sessions")))
    missing = "ses_00000000000000000000"

    shown = [tim.say("helpdesk", order("end_my_session", session_id=one)) for one in (foreign, missing)]

    told = [_as_told(*one) for one in zip(shown, (foreign, missing), strict=True)]
    assert told[0] == told[1]
    assert [card["current_state"] for one in shown for card in one.all("preview")] in ([], [None, None])


def _as_told(heard: Heard, object_id: str) -> str:
    """Return cards and results but for what differs each time: ids and times."""
    told = [event.data for event in heard.events if event.name in {"preview", "tool_result"}]
    text = json.dumps(told).replace(object_id, "the object")
    return re.sub(r'[a-z]{3,4}_[0-9a-z_]{10,}|\d{4}-\d\d-\d\dT[^"]+|"duration_ms": \d+', "…", text)


@pytest.mark.parametrize("value", ["", "*", "%", [], None, {}], ids=repr)
def test_c2_empty_never_means_everything(mara: Person, value: object) -> None:
    """Abuse case 42: every destructive tool, each of its ids."""
    tools = [tool for tool in mara.items(f"/ai/assistants/{ADMIN}/tools") if tool["kind"] == "destructive"]
    calls = [
        (str(tool["name"]), argument)
        for tool in tools
        for argument in dict(_schema(tool)["properties"])  # type: ignore[arg-type]  # an object by its meaning
        if argument.endswith("_id") and argument != "successor_id"
    ]
    assert len(calls) >= 10

    heard = mara.say(ADMIN, "\n".join(_with(name, argument, value) for name, argument in calls))

    assert set(heard.outcomes) == {("refused", "invalid_arguments")}
    assert heard.all("preview") == []


def _schema(tool: JsonObject) -> JsonObject:
    return next(value for value in tool.values() if isinstance(value, dict) and "properties" in value)


def _with(name: str, argument: str, value: object) -> str:
    others = {"group_id": "grp_00000000000000000000", "identity_id": NOBODY} if name == "remove_group_member" else {}
    return f"!call {name} {json.dumps({**others, argument: value})}"


def test_f4_a_mark_in_a_name_is_text_and_each_line_of_the_log_is_one(mara: Person, open_assistant: str) -> None:
    """Abuse case 57: the assistant itself is called `x, via: ui`."""
    name = f"ai_chat:admin\x1b[2J\nERROR forged {secrets.token_hex(4)}"
    by_hand = mara.request("POST", "/groups", {"display_name": name.replace("\n", " ").replace("\x1b", "")})
    refused = mara.request("POST", "/groups", {"display_name": name})
    made = mara.say(open_assistant, order("create_identity", user_name=f"n{secrets.token_hex(4)}", given_name="N",
                                          family_name="via: interface"))  # fmt: skip

    assert by_hand.status_code in {200, 201}
    group_id = by_hand.json()["id"]
    assert [entry["origin"] for entry in mara.items("/audit-log", target_id=group_id)] == ["interface"]
    assert group_id not in json.dumps(mara.items("/audit-log", origin="ai_chat", limit=200))
    assert refused.status_code in {200, 201, 400, 422}
    assert made.outcomes == [("ok", None)]
    new_id = json.loads(made.contents[0])["id"]
    origins = {str(entry["origin"]) for entry in mara.items("/audit-log", target_id=new_id)}
    assert origins == {f"ai_chat:{open_assistant}"}
