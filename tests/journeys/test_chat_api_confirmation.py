"""Confirmation over HTTP: what is shown, what counts as a yes, and that nothing runs twice."""

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.fakes.scripted_model_server import Answer, Call, ScriptedModelServer, call, say
from tests.journeys.person import Heard, Person, group, identity, order, problem

ADMIN = "admin"


@pytest.fixture
def doomed(mara: Person) -> str:
    """A group to delete."""
    return mara.make_group(f"doomed-{secrets.token_hex(4)}")


def _delete(mara: Person, group_id: str, *, chat_id: str | None = None) -> Heard:
    return mara.say(ADMIN, f"{order('delete_group', group_id=group_id)}\n!then\n!say Please confirm.", chat_id=chat_id)


def test_c2_and_c13_a_destructive_call_is_shown_with_what_goes_with_it_and_not_run(mara: Person, doomed: str) -> None:
    mara.request("POST", f"/groups/{doomed}/members", {"identity_ids": [identity("tim.vogt"), identity("lea.brandt")]})

    heard = _delete(mara, doomed)

    card = heard.one("preview")
    state = card["current_state"]
    consequences = card["consequences"]
    assert isinstance(state, dict)
    assert isinstance(consequences, list)
    assert state["id"] == doomed
    assert card["arguments"] == {"group_id": doomed}
    assert [one["count"] for one in consequences if isinstance(one, dict)] == [2]
    assert mara.has_group(doomed)


def test_c2_an_invalid_call_yields_an_error_and_no_card(mara: Person) -> None:
    heard = mara.say(ADMIN, order("delete_group", group_id="contractors"))

    assert heard.outcomes == [("refused", "invalid_arguments")]
    assert heard.all("preview") == []


def test_c2_an_object_that_does_not_exist_has_no_current_state(mara: Person) -> None:
    """Abuse case 34."""
    heard = mara.say(ADMIN, order("delete_group", group_id=group("no-such-group")))

    assert [card["current_state"] for card in heard.all("preview")] in ([], [None])


def test_c3_and_c8_the_button_runs_exactly_the_stored_call(mara: Person, doomed: str) -> None:
    shown = _delete(mara, doomed)

    done = mara.confirm(ADMIN, shown.preview_id)

    assert not mara.has_group(doomed)
    assert done.one("preview_closed") == {"preview_id": shown.preview_id, "reason": "executed"}
    assert ("ok", None) in done.outcomes
    assert done.one("done")["destructive_actions"] == 1


def test_c3_and_c7_a_typed_yes_runs_it_when_the_model_calls_again(
    mara: Person, doomed: str, model: ScriptedModelServer
) -> None:
    shown = _delete(mara, doomed)
    model.queue(call("delete_group", group_id=doomed, confirmed=True), say("Deleted."))

    heard = mara.say(ADMIN, "Yes!", chat_id=shown.chat_id)

    assert heard.outcomes == [("ok", None)]
    assert not mara.has_group(doomed)


@pytest.mark.parametrize(
    "reply", ["yes, but show me the list first", "do not confirm", "he said yes", "What is the weather?", "ye s"]
)
def test_c7_whatever_is_not_wholly_a_yes_is_none_whatever_the_model_makes_of_it(
    mara: Person, doomed: str, model: ScriptedModelServer, reply: str
) -> None:
    """Abuse cases 18 and 19."""
    shown = _delete(mara, doomed)
    model.queue(call("delete_group", group_id=doomed, confirmed=True), say("I tried."))

    heard = mara.say(ADMIN, reply, chat_id=shown.chat_id)

    assert ("ok", None) not in heard.outcomes
    assert mara.has_group(doomed)
    assert problem(mara.post_message(ADMIN, {"confirm": shown.preview_id})) == (409, "confirmation_invalid")


def test_c7_a_confirmation_in_the_message_that_made_the_card_is_refused(
    mara: Person, doomed: str, model: ScriptedModelServer
) -> None:
    """Abuse case 17."""
    first = Call(name="delete_group", arguments={"group_id": doomed})
    confirming = Call(name="delete_group", arguments={"group_id": doomed, "confirmed": True})
    model.queue(Answer(calls=(first, confirming)), Answer(calls=(confirming,)), say("I tried."))

    heard = mara.say(ADMIN, "Delete it at once")

    assert len(heard.outcomes) == 3
    assert ("ok", None) not in heard.outcomes
    assert mara.has_group(doomed)


def test_c4_any_message_in_between_voids_the_card_also_from_another_chat(mara: Person, doomed: str) -> None:
    """Abuse case 20."""
    shown = _delete(mara, doomed)

    between = mara.say(ADMIN, "!say Hello.")

    assert between.chat_id != shown.chat_id
    assert between.one("preview_closed") == {"preview_id": shown.preview_id, "reason": "message_between"}
    assert problem(mara.post_message(ADMIN, {"confirm": shown.preview_id})) == (409, "confirmation_invalid")
    assert mara.has_group(doomed)


def test_c4_a_message_to_another_assistant_leaves_the_card_good(mara: Person, doomed: str) -> None:
    """Abuse case 21."""
    shown = _delete(mara, doomed)
    mara.say("helpdesk", "!say Hello.")

    mara.confirm(ADMIN, shown.preview_id)

    assert not mara.has_group(doomed)


def test_c4_somebody_elses_card_can_not_be_confirmed_and_stays_good(mara: Person, tim: Person, doomed: str) -> None:
    """Abuse case 22."""
    shown = _delete(mara, doomed)

    foreign = problem(tim.post_message("helpdesk", {"confirm": shown.preview_id}))
    mara.confirm(ADMIN, shown.preview_id)

    assert foreign[0] == 404
    assert not mara.has_group(doomed)


def test_c6_other_arguments_than_shown_make_a_new_card(mara: Person, doomed: str, model: ScriptedModelServer) -> None:
    """Abuse case 27."""
    other = mara.make_group(f"other-{secrets.token_hex(4)}")
    shown = _delete(mara, doomed)
    model.queue(call("delete_group", group_id=other, confirmed=True), say("Another one?"))

    heard = mara.say(ADMIN, "yes", chat_id=shown.chat_id)

    assert heard.one("preview")["arguments"] == {"group_id": other}
    assert mara.has_group(doomed)
    assert mara.has_group(other)


def test_c8_after_the_button_only_reading_tools_run(mara: Person, doomed: str, model: ScriptedModelServer) -> None:
    """Abuse case 33."""
    shown = _delete(mara, doomed)
    model.queue(
        Answer(calls=(Call(name="create_group", arguments={"display_name": "sneaky"}), Call(name="list_groups"))),
        say("Done."),
    )

    heard = mara.confirm(ADMIN, shown.preview_id)

    assert ("refused", "read_only_reply") in heard.outcomes
    assert heard.outcomes[-1] == ("ok", None)
    assert mara.items("/groups", q="sneaky") == []
    names = model.received[-1].tool_names
    assert "list_groups" in names
    assert not {"create_group", "delete_group"} & set(names)


def test_c9_and_e2_a_second_destructive_call_in_one_turn_is_refused(
    mara: Person, doomed: str, model: ScriptedModelServer
) -> None:
    """Abuse case 30."""
    other = mara.make_group(f"second-{secrets.token_hex(4)}")
    calls = tuple(Call(name="delete_group", arguments={"group_id": one}) for one in (doomed, other))
    model.queue(Answer(calls=calls), say("One at a time."))

    heard = mara.say(ADMIN, "Delete both")

    assert len(heard.all("preview")) == 1
    assert heard.outcomes[-1] == ("refused", "limit_destructive")


def test_c10_of_many_simultaneous_presses_exactly_one_wins(mara: Person, doomed: str) -> None:
    """Abuse case 24."""
    shown = _delete(mara, doomed)

    with ThreadPoolExecutor(20) as pool:
        presses = [pool.submit(mara.post_message, ADMIN, {"confirm": shown.preview_id}) for _ in range(20)]
        answers = [press.result() for press in presses]

    won = [answer for answer in answers if answer.status_code == 200]
    lost = {problem(answer) for answer in answers if answer.status_code != 200}
    assert len(won) == 1
    assert lost <= {(409, "confirmation_invalid"), (409, "turn_running")}
    deleted = mara.items("/audit-log", action="group.deleted", target_id=doomed)
    assert len(deleted) == 1


def test_c11_rights_lost_after_the_card_count_when_it_is_confirmed(
    mara: Person, sign_in: Callable[[str], Person]
) -> None:
    """Abuse case 5."""
    sign_in("tim.vogt")
    tim = sign_in("tim.vogt")
    others = [str(session["id"]) for session in tim.items("/me/sessions") if not session["current"]]
    shown = tim.use("helpdesk", "end_my_session", session_id=others[0])

    assert mara.request("POST", f"/identities/{tim.id}/suspend", {"reason": "Test"}).status_code == 200
    refused = tim.post_message("helpdesk", {"confirm": shown.preview_id})
    assert mara.request("POST", f"/identities/{tim.id}/activate", {}).status_code == 200

    assert problem(refused)[0] in {401, 403}
    assert mara.items("/audit-log", action="session.ended", origin="ai_chat", target_id=others[0]) == []


@pytest.mark.parametrize("reply", ["no", "Nein.", "stop", "Abbrechen"])
def test_c12_a_typed_no_voids_the_card_before_any_model_is_asked(
    mara: Person, doomed: str, model: ScriptedModelServer, reply: str
) -> None:
    """Abuse case 31."""
    shown = _delete(mara, doomed)
    model.queue(call("delete_group", group_id=doomed, confirmed=True), say("I tried."))

    heard = mara.say(ADMIN, reply, chat_id=shown.chat_id)
    model.drop_queued()

    assert heard.one("preview_closed") == {"preview_id": shown.preview_id, "reason": "cancelled"}
    assert ("ok", None) not in heard.outcomes
    assert mara.has_group(doomed)


def test_c12_cancel_on_the_card_voids_it(mara: Person, doomed: str) -> None:
    """Abuse case 31."""
    shown = _delete(mara, doomed)

    cancelled = mara.request("DELETE", f"/ai/previews/{shown.preview_id}")

    assert cancelled.status_code in {200, 204}
    assert problem(mara.post_message(ADMIN, {"confirm": shown.preview_id})) == (409, "confirmation_invalid")
    assert mara.has_group(doomed)


def test_c14_an_object_that_changed_meanwhile_is_shown_again(mara: Person, doomed: str) -> None:
    """Abuse case 26."""
    shown = _delete(mara, doomed)
    mara.request("PATCH", f"/groups/{doomed}", {"description": "Still needed"})

    heard = mara.confirm(ADMIN, shown.preview_id)

    state = heard.one("preview")["current_state"]
    assert isinstance(state, dict)
    assert state["description"] == "Still needed"
    assert heard.preview_id != shown.preview_id
    assert mara.has_group(doomed)
    mara.confirm(ADMIN, heard.preview_id)
    assert not mara.has_group(doomed)


def test_the_persons_own_destructive_call_waits_on_a_card_as_well(mara: Person, doomed: str) -> None:
    shown = mara.use(ADMIN, "delete_group", group_id=doomed)

    assert mara.has_group(doomed)
    mara.confirm(ADMIN, shown.preview_id)
    assert not mara.has_group(doomed)
