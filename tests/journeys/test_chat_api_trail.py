"""What the chat leaves behind, over HTTP: entries in the audit log, and one's own history."""

import secrets

from tests.journeys.person import API, Person, identity, order, problem

ADMIN = "admin"


def _newest_entry(mara: Person) -> int:
    return int(str(mara.items("/audit-log", limit=1)[0]["seq"]))


def test_f1_every_entry_of_a_confirmed_call_carries_the_mark_follow_ups_too(mara: Person) -> None:
    """Abuse case 56."""
    doomed = mara.make_group(f"marked-{secrets.token_hex(4)}")
    mara.request("POST", f"/groups/{doomed}/members", {"identity_ids": [identity("tim.vogt")]})
    shown = mara.say(ADMIN, order("delete_group", group_id=doomed))

    mara.confirm(ADMIN, shown.preview_id)

    entries = mara.items("/audit-log", target_id=doomed)
    by_hand = [entry for entry in entries if entry["action"] in {"group.created", "group.member_added"}]
    by_chat = [entry for entry in entries if entry not in by_hand]
    assert {str(entry["origin"]) for entry in by_hand} == {"interface"}
    assert {str(entry["origin"]) for entry in by_chat} == {"ai_chat:admin"}
    assert {"group.deleted", "group.member_removed"} <= {str(entry["action"]) for entry in by_chat}
    assert all(entry["details"]["via"] == "ai_chat:admin" for entry in by_chat if isinstance(entry["details"], dict))


def test_f2_the_filter_shows_exactly_the_entries_with_the_mark(mara: Person) -> None:
    """Abuse case 56."""
    mara.say(ADMIN, order("create_group", display_name=f"by-chat-{secrets.token_hex(4)}"))
    mara.make_group(f"by-hand-{secrets.token_hex(4)}")

    chat = {str(entry["id"]) for entry in mara.items("/audit-log", origin="ai_chat", limit=200)}
    hand = {str(entry["id"]) for entry in mara.items("/audit-log", origin="interface", limit=200)}
    both = mara.items("/audit-log", limit=200)

    assert chat & hand == set()
    for entry in both:
        details = entry["details"]
        assert isinstance(details, dict)
        assert (str(entry["id"]) in chat) == ("via" in details)
        actor = entry["actor"]
        assert isinstance(actor, dict)
        assert (str(entry["id"]) in hand) == ("via" not in details and actor["type"] == "identity")


def test_f3_messages_and_reading_calls_leave_no_entry(mara: Person) -> None:
    before = _newest_entry(mara)

    mara.say(ADMIN, "!say Nothing happened.")
    mara.say(ADMIN, order("list_groups"))
    mara.say("helpdesk", order("delete_group", group_id="x"))

    assert _newest_entry(mara) == before


def test_f4_nothing_in_an_outside_request_makes_or_takes_the_mark(mara: Person) -> None:
    """Abuse case 57."""
    name = f"forged-{secrets.token_hex(4)}"
    forged = {"X-Nova-Origin": "ai_chat:admin", "nova.delegation": "ai_chat:admin", "Via": "ai_chat:admin"}

    made = mara.request("POST", "/groups", {"display_name": name}, **forged)
    body = mara.request("POST", "/groups", {"display_name": f"{name}-2", "via": "ai_chat:admin"})
    heard = mara.say(ADMIN, order("create_group", display_name=f"{name}-3", via="interface"))

    assert [entry["origin"] for entry in mara.items("/audit-log", target_id=str(made.json()["id"]))] == ["interface"]
    assert problem(body)[0] in {400, 422}
    assert heard.outcomes == [("refused", "invalid_arguments")]


def test_g1_a_chat_is_stored_and_opens_again(mara: Person) -> None:
    word = secrets.token_hex(6)
    heard = mara.say(ADMIN, f"Remember {word}\n!say I do.")
    mara.say(ADMIN, "!say Still here.", chat_id=heard.chat_id)

    found = mara.items("/ai/chats", assistant=ADMIN, q=word)
    opened = mara.get(f"/ai/chats/{heard.chat_id}")

    assert [chat["id"] for chat in found] == [heard.chat_id]
    turns = opened["turns"]
    assert isinstance(turns, list)
    assert len(turns) == 2
    assert "I do." in str(turns[0])
    assert "Still here." in str(turns[1])


def test_g2_nobody_reaches_anothers_chat_administrators_included(mara: Person, tim: Person) -> None:
    """Abuse case 58."""
    word = secrets.token_hex(6)
    heard = tim.say("helpdesk", f"My secret plan {word}\n!say Noted.")
    path = f"/ai/chats/{heard.chat_id}"

    assert problem(mara.client.get(f"{API}{path}")) == (404, "not_found")
    assert problem(mara.request("PATCH", path, {"title": "mine"})) == (404, "not_found")
    assert problem(mara.request("DELETE", path)) == (404, "not_found")
    assert problem(mara.client.get(f"{API}{path}/export", params={"format": "md"})) == (404, "not_found")
    assert problem(mara.client.get(f"{API}/ai/turns/{heard.turn_id}/events")) == (404, "not_found")
    assert problem(mara.post_message("helpdesk", {"text": "a", "chat_id": heard.chat_id})) == (404, "not_found")
    assert mara.items("/ai/chats", q=word) == []
    assert [chat["id"] for chat in tim.items("/ai/chats", q=word)] == [heard.chat_id]


def test_g1_a_chat_can_be_renamed_and_downloaded(tim: Person) -> None:
    """Abuse case 61."""
    heard = tim.say("helpdesk", "!say Hello.")

    renamed = tim.request("PATCH", f"/ai/chats/{heard.chat_id}", {"title": "../../etc/passwd\n"})
    for form in ("md", "json"):
        answer = tim.client.get(f"{API}/ai/chats/{heard.chat_id}/export", params={"format": form})
        assert answer.status_code == 200
        assert "Hello." in answer.text
        file_name = answer.headers["content-disposition"]
        assert "/" not in file_name.split("filename", 1)[1].replace("UTF-8''", "")

    assert renamed.status_code == 200


def test_g3_deleting_one_or_all_is_final_and_frees_no_limit(mara: Person, tim: Person) -> None:
    """Abuse cases 31 and 58."""
    doomed = mara.make_group(f"kept-{secrets.token_hex(4)}")
    theirs = tim.say("helpdesk", "!say Tim's.")
    shown = mara.say(ADMIN, order("delete_group", group_id=doomed))
    before = _newest_entry(mara)

    deleted = mara.request("DELETE", f"/ai/chats/{shown.chat_id}")
    pressed = mara.post_message(ADMIN, {"confirm": shown.preview_id})
    mara.say(ADMIN, "!say Another.")
    cleared = mara.request("DELETE", "/ai/chats?assistant=admin")

    assert deleted.status_code in {200, 204}
    assert problem(pressed)[0] in {404, 409}
    assert cleared.status_code in {200, 204}
    assert mara.items("/ai/chats", assistant=ADMIN) == []
    assert mara.has_group(doomed)
    assert tim.get(f"/ai/chats/{theirs.chat_id}")["id"] == theirs.chat_id
    assert _newest_entry(mara) == before


def test_g4_losing_an_assistant_hides_its_chats_from_use_and_not_from_deletion(mara: Person, tim: Person) -> None:
    """Abuse case 13."""
    key = f"gone-{secrets.token_hex(3)}"
    mara.request(
        "POST",
        "/administration/assistants",
        {"key": key, "names": {"en": key}, "tool_names": ["search_directory"], "audience": "everyone"},
    )
    heard = tim.say(key, "!say Hello.")
    closed = mara.request("PATCH", f"/administration/assistants/{key}", {"audience": "administrators"})

    assert closed.status_code == 200
    assert problem(tim.post_message(key, {"text": "a", "chat_id": heard.chat_id}))[0] == 404
    assert heard.chat_id not in [chat["id"] for chat in tim.items("/ai/chats")]
    assert tim.request("DELETE", f"/ai/chats/{heard.chat_id}").status_code in {200, 204}
