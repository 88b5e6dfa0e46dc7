"""The chat over HTTP, as `chat-api.md` describes it, against the real server: tool lists, secrets, limits, data."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest

from tests.fakes.running_server import RunningServer
from tests.fakes.scripted_model_server import Answer, Call, ScriptedModelServer, call, say
from tests.journeys.person import API, JsonObject, Person, group, identity, order, problem

ASSISTANTS = "/administration/assistants"
HELPDESK_READ = "search_directory"


@contextmanager
def _assistant(mara: Person, key: str, *tools: str, audience: str = "administrators") -> Iterator[str]:
    body: JsonObject = {"key": key, "names": {"en": key}, "tool_names": [*tools], "audience": audience}
    answer = mara.request("POST", ASSISTANTS, body)
    assert answer.status_code in {200, 201}, answer.text
    yield key
    assert mara.request("DELETE", f"{ASSISTANTS}/{key}").status_code in {200, 204}


def test_a_message_is_answered_with_a_stream_of_numbered_events(mara: Person) -> None:
    heard = mara.say("admin", f"{order('list_groups', q='vpn')}\n!then\n!say One group.")

    assert [event.id for event in heard.events] == list(range(1, len(heard.events) + 1))
    assert heard.events[0].name == "turn"
    assert heard.events[-1].name == "done"
    assert heard.one("tool_call")["name"] == "list_groups"
    assert heard.one("tool_call")["kind"] == "read"
    assert heard.outcomes == [("ok", None)]
    assert "vpn-users" in heard.contents[0]
    assert heard.text == "One group."
    done = heard.one("done")
    assert (done["model_calls"], done["tool_calls"], done["destructive_actions"]) == (2, 1, 0)


def test_a_turn_can_be_followed_again_from_any_event(mara: Person) -> None:
    heard = mara.say("admin", f"{order('list_groups', q='vpn')}\n!then\n!say One group.")

    assert mara.follow(heard.turn_id).events == heard.events
    assert mara.follow(heard.turn_id, after=3).events == heard.events[3:]


def test_the_same_key_again_is_the_same_turn(mara: Person) -> None:
    first = mara.post_message("admin", {"text": "!say Once."}, **{"Idempotency-Key": "once-only-1"})
    second = mara.post_message("admin", {"text": "!say Once."}, **{"Idempotency-Key": "once-only-1"})

    assert first.text.replace(":\n\n", "") == second.text.replace(":\n\n", "")


def test_a_second_message_while_a_turn_runs_is_a_conflict_and_stop_ends_it(
    mara: Person, model: ScriptedModelServer
) -> None:
    """Abuse case 55."""
    model.queue(Answer(text="A long answer that does not end soon.", delay_s=1.0))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(mara.say, "admin", "Tell me")
        while not model.received or model.received[-1].messages[-1].get("content") != "Tell me":
            time.sleep(0.02)
        chats = mara.items("/ai/chats", assistant="admin")
        second = mara.post_message("admin", {"text": "!say Me too."})
        opened = mara.get(f"/ai/chats/{chats[0]['id']}")
        turns = opened["turns"]
        assert isinstance(turns, list)
        assert isinstance(turns[-1], dict)
        stopped = mara.request("POST", f"/ai/turns/{turns[-1]['id']}/stop")
        heard = running.result()

    assert problem(second) == (409, "turn_running")
    assert stopped.status_code in {200, 202, 204}
    assert "A long answer that does not end soon." not in heard.text


def test_b1_a_call_outside_the_list_is_refused_and_the_model_is_told_why(mara: Person) -> None:
    heard = mara.say("helpdesk", order("delete_group", group_id=group("contractors")))

    assert heard.outcomes == [("refused", "not_released")]
    assert mara.has_group(group("contractors"))


def test_b2_an_export_of_data_whose_list_is_not_released_is_refused(mara: Person) -> None:
    """Abuse case 11."""
    with _assistant(mara, "exporter", "create_export", "list_groups") as key:
        denied = mara.say(key, order("create_export", resource="identities"))
        granted = mara.say(key, order("create_export", resource="groups"))

    assert denied.outcomes == [("refused", "not_released")]
    assert granted.outcomes == [("ok", None)]


@pytest.mark.parametrize("audience", ["everyone", "roles"])
def test_b3_all_tools_go_with_administrators_only_in_either_order(mara: Person, audience: str) -> None:
    """Abuse case 14."""
    both: JsonObject = {"names": {"en": "x"}, "all_tools": True, "audience": audience, "audience_roles": ["user"]}

    created = mara.request("POST", ASSISTANTS, {"key": "wide", **both})
    with _assistant(mara, "narrow") as key:
        mara.request("PATCH", f"{ASSISTANTS}/{key}", {"all_tools": True})
        opened = mara.request("PATCH", f"{ASSISTANTS}/{key}", {"audience": audience, "audience_roles": ["user"]})
    with _assistant(mara, "open", audience="everyone") as key:
        filled = mara.request("PATCH", f"{ASSISTANTS}/{key}", {"all_tools": True})

    assert {problem(answer)[0] // 100 for answer in (created, opened, filled)} == {4}
    assert mara.client.get(f"{API}{ASSISTANTS}/wide").status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"all_tools": False},
        {"enabled": False},
        {"audience": "everyone"},
        {"tool_names": ["list_groups"], "all_tools": False},
    ],
)
def test_b4_the_admin_chat_can_be_neither_weakened_nor_deleted(mara: Person, change: JsonObject) -> None:
    """Abuse case 15."""
    weakened = mara.request("PATCH", f"{ASSISTANTS}/admin", change)
    deleted = mara.request("DELETE", f"{ASSISTANTS}/admin")

    assert problem(weakened)[0] // 100 == 4
    assert problem(deleted)[0] // 100 == 4
    admin = mara.get(f"{ASSISTANTS}/admin")
    assert (admin["all_tools"], admin["audience"], admin["enabled"]) == (True, "administrators", True)


def test_b5_an_assistant_of_administrators_does_not_exist_for_others(tim: Person) -> None:
    """Abuse case 13."""
    listed = tim.items("/ai/assistants")
    to_admin = tim.post_message("admin", {"text": "!say hello"})
    to_nobody = tim.post_message("nothing", {"text": "!say hello"})

    assert {assistant["key"] for assistant in listed} == {"helpdesk", "my-access"}
    assert problem(to_admin) == problem(to_nobody) == (404, "not_found")
    assert to_admin.json()["detail"] == to_nobody.json()["detail"]


def test_b6_no_tool_leads_to_what_only_the_interface_may_change(mara: Person) -> None:
    """Abuse case 15."""
    tools = mara.items("/ai/assistants/admin/tools")

    writing = {str(tool["name"]) for tool in tools if tool["kind"] != "read"}
    assert not [name for name in writing if "assistant" in name or "policy" in name or "configuration" in name]
    assert mara.say("admin", order("update_assistant", key="helpdesk")).outcomes == [("refused", "not_released")]


def test_b7_a_tool_taken_off_is_refused_from_the_next_call_on_within_the_turn(
    mara: Person, model: ScriptedModelServer
) -> None:
    """Abuse case 12."""
    with _assistant(mara, "shrinking", "list_groups") as key:
        asked = len(model.received)
        model.queue(call("list_groups", q="vpn"), Answer(calls=(Call(name="list_groups"),), wait_s=1.5), say("Over."))
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(mara.say, key, "Two calls")
            while len(model.received) < asked + 2:
                time.sleep(0.02)
            taken = mara.request("PATCH", f"{ASSISTANTS}/{key}", {"tool_names": []})
            heard = running.result()

    assert taken.status_code == 200
    assert heard.outcomes == [("ok", None), ("refused", "not_released")]


@pytest.mark.parametrize("name", ["List_groups", "list_groups ", "list_gro\u200bups", "functions.list_groups"])
def test_b8_a_name_that_only_resembles_one_is_not_in_the_list(
    mara: Person, model: ScriptedModelServer, name: str
) -> None:
    """Abuse case 10."""
    model.queue(Answer(calls=(Call(name=name),)), say("Over."))

    heard = mara.say("admin", "Call something")

    assert heard.outcomes == [("refused", "not_released")]


def test_d2_a_secret_among_the_arguments_is_refused(mara: Person) -> None:
    """Abuse case 44."""
    heard = mara.say("admin", order("update_identity", identity_id=identity("tim.vogt"), password="hunter2-hunter2"))

    assert heard.outcomes[0][0] == "refused"
    assert heard.outcomes[0][1] in {"secret_argument", "invalid_arguments"}
    assert "hunter2-hunter2" not in json.dumps([event.data for event in heard.events])


def test_d3_no_secret_comes_out_of_an_application(mara: Person) -> None:
    heard = mara.say("admin", order("list_applications"))

    assert heard.outcomes == [("ok", None)]
    assert "enc:v1:" not in heard.contents[0]


def test_d4_what_looks_like_a_live_secret_is_masked_before_anybody_sees_it(
    mara: Person, model: ScriptedModelServer
) -> None:
    key = "ghp_" + "A1b2C3d4" * 5

    heard = mara.say("admin", f"My key is {key}\n{order('create_group', display_name=f'group {key}')}")

    assert key not in json.dumps(mara.get(f"/ai/chats/{heard.chat_id}"))
    assert key not in json.dumps(model.received[-1].body)
    assert mara.items("/groups", q="group ghp") == []


def test_e1_the_twelfth_model_call_is_asked_for_words_only(mara: Person, model: ScriptedModelServer) -> None:
    """Abuse case 51."""
    asked = len(model.received)
    model.queue(*(call("list_groups", limit=number + 1) for number in range(12)))

    heard = mara.say("admin", "Never stop")

    assert len(model.received) - asked == 12
    assert model.received[-1].body.get("tool_choice") == "none"
    assert heard.outcomes == [*[("ok", None)] * 11, ("refused", "limit_model_calls")]
    assert "limit_model_calls" in heard.notices
    assert heard.one("done")["model_calls"] == 12


def test_e3_the_same_call_runs_three_times_and_no_more(mara: Person, model: ScriptedModelServer) -> None:
    """Abuse cases 38 and 53."""
    model.queue(
        Answer(calls=tuple(Call(name="list_groups", arguments=text) for text in _SPELLINGS)), say("The same each time.")
    )

    heard = mara.say("admin", "Again and again")

    assert heard.outcomes == [*[("ok", None)] * 3, ("refused", "limit_repeated_call")]


_SPELLINGS = (
    '{"q":"vpn","limit":5}',
    '{"limit":5,"q":"vpn"}',
    '{ "q" : "\\u0076pn", "limit" : 5.0 }',
    '{"limit":5,"q":"vpn"}',
)


def test_e4_and_e5_results_are_cut_and_then_no_further_call_runs(mara: Person, model: ScriptedModelServer) -> None:
    """Abuse case 54."""
    calls = tuple(Call(name="search_audit_log", arguments={"limit": 200 - number}) for number in range(14))
    model.queue(Answer(calls=calls), say("Enough."))

    heard = mara.say("admin", "Everything")

    lengths = [int(str(data["characters"])) for data in heard.all("tool_result")]
    assert max(lengths) <= 12_000
    assert sum(lengths[:-1]) <= 60_000
    assert heard.all("tool_result")[0]["truncated"] is True
    assert heard.outcomes[-1] == ("refused", "limit_tool_results")
    assert "limit_tool_results" in heard.notices


def test_h1_a_result_reaches_the_model_in_an_envelope(mara: Person, model: ScriptedModelServer) -> None:
    heard = mara.say("admin", order("list_groups", q="vpn"))

    seen = model.received[-1].results[0]
    assert heard.contents[0] in seen
    assert len(seen) > len(heard.contents[0])


def test_h4_a_tool_that_fails_says_so_and_the_turn_goes_on(mara: Person) -> None:
    heard = mara.say("admin", f"{order('list_groups', group_id=group('no-such-group'))}\n!then\n!say No such group.")

    assert heard.outcomes == [("error", "not_found")]
    assert heard.text == "No such group."


@pytest.mark.parametrize("value", ["../identities", "%2e%2e", "grp_x/../../x", "//evil.example", "a\nb", ""])
def test_i1_an_argument_can_not_lead_to_another_endpoint(mara: Person, value: str) -> None:
    """Abuse case 40."""
    heard = mara.say("admin", order("list_groups", group_id=value))

    assert heard.outcomes == [("refused", "invalid_arguments")]


@pytest.mark.parametrize("text", ['{"q": "a", "q": "b"}', '{"limit": NaN}', "[1]", '{"q": "cut', "[" * 5_000])
def test_i3_broken_arguments_are_refused_and_never_repaired(
    mara: Person, model: ScriptedModelServer, text: str
) -> None:
    """Abuse cases 36 and 41."""
    model.queue(Answer(calls=(Call(name="list_groups", arguments=text),)), say("Over."))

    heard = mara.say("admin", "Call something")

    assert heard.outcomes == [("refused", "invalid_arguments")]


@pytest.mark.parametrize("made", [Call(name=""), Call(name="list_groups", arguments="[" * 100_000)])
def test_i3_an_answer_beyond_all_bounds_runs_nothing_and_is_told(
    mara: Person, model: ScriptedModelServer, made: Call
) -> None:
    """Abuse case 41."""
    model.queue(Answer(calls=(made,)))

    heard = mara.say("admin", "Call something")

    assert heard.outcomes == []
    assert heard.notices == ["model_failed"]


@pytest.mark.parametrize("failure", [Answer(status=429, retry_after_s=0.1), Answer(text="half an answer", cut_after=2)])
def test_a_model_that_fails_is_told_in_plain_words(mara: Person, model: ScriptedModelServer, failure: Answer) -> None:
    """Abuse case 63."""
    model.queue(*([failure] * 12))

    heard = mara.say("admin", "Are you there?")

    model.drop_queued()
    assert heard.events[-1].name in {"done", "error"}
    assert "scripted failure" not in json.dumps([event.data for event in heard.events])


_BAD_BODIES: list[tuple[object, int]] = [
    ({}, 400),
    ({"text": ""}, 400),
    ({"text": "a", "confirm": "b"}, 400),
    ({"text": 7}, 400),
    ({"text": "a", "extra": True}, 400),
    ({"tool": {"name": "list_groups"}, "text": "a"}, 400),
    ({"chat_id": "cht_00000000000000000000", "text": "a"}, 404),
]


@pytest.mark.parametrize(("body", "status"), _BAD_BODIES)
def test_a_bad_body_is_a_problem_object(mara: Person, body: JsonObject, status: int) -> None:
    """Abuse case 32."""
    assert problem(mara.post_message("admin", body))[0] in {status, 422 if status == 400 else status}


def test_malformed_oversized_and_forged_requests_are_problem_objects(
    mara: Person, server: RunningServer, sign_in: Callable[[str], Person]
) -> None:
    path = f"{API}/ai/assistants/admin/messages"
    malformed = mara.client.post(path, content=b'{"text": ', headers={"content-type": "application/json"})
    oversized = mara.client.post(path, content=b'{"text": "' + b"a" * 3_000_000 + b'"}')
    no_csrf = mara.client.post(path, json={"text": "a"}, headers={"X-CSRF-Token": "wrong"})
    stranger = httpx.post(f"{server.url}{path}", json={"text": "a"})
    leaving = sign_in("mara.koenig")
    assert leaving.request("DELETE", "/session").status_code in {200, 204}
    ended = leaving.post_message("admin", {"text": "a"})

    assert problem(malformed)[0] in {400, 422}
    assert problem(oversized)[0] == 413
    assert problem(no_csrf)[0] == 403
    assert problem(stranger)[0] == problem(ended)[0] == 401


def test_the_document_describes_the_chat(mara: Person) -> None:
    document = mara.get("/openapi.json")
    paths = document["paths"]

    assert isinstance(paths, dict)
    assert {"/ai/assistants/{key}/messages", "/ai/turns/{turn_id}/events", "/ai/previews/{preview_id}"} <= set(paths)
    assert mara.client.get(f"{API}/docs").status_code == 200
