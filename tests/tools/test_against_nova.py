"""Every tool against the real Nova with the sample organisation, by each kind of person."""

import json

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolKind
from nova_ui.errors import (
    NovaConflict,
    NovaForbidden,
    NovaNotFound,
    NovaPreconditionFailed,
    NovaProblem,
    NovaUnauthenticated,
)
from nova_ui.guardrails.start_up import check_start_up
from nova_ui.nova.sample_organisation import sample_id
from nova_ui.tools.arguments import DEFAULT_ROWS
from tests.tools.conftest import CHAT, TOOLS, Person, Site

IDENTITIES = "GET /identities"
READING = sorted(name for name, tool in TOOLS.items() if tool.kind is ToolKind.READ)
MAX_RESULT_CHARS = 12_000
TIM = sample_id("idn", "tim.vogt")
NEEDED: dict[str, dict[str, JsonValue]] = {
    "search_directory": {"q": "Brandt"},
    "compare_access": {"left_id": TIM, "right_id": TIM},
    "explain_access": {"role_id": sample_id("rol", "remote-access")},
    "run_report": {"report": "inactive_identities"},
    "test_application": {"application_id": sample_id("app", "git")},
    "explain_sign_in": {"identity_id": TIM},
    "preview_lifecycle_routine": {"routine_id": sample_id("rtn", "leavers")},
}


def _rows(result: JsonObject) -> list[JsonObject]:
    items = result["items"]
    assert isinstance(items, list)
    return [item for item in items if isinstance(item, dict)]


async def _entries_by_chat(person: Person) -> list[str]:
    answer = await person.client.call("GET /audit-log", query={"origin": CHAT.name, "sort": "time"})
    return [str(row["action"]) for row in _rows(answer.object)]


async def test_a4_b6_c1_d1_the_tools_hold_against_the_marks_of_nova(site: Site) -> None:
    check_start_up(TOOLS, site.openapi)


async def test_e4_each_reading_tool_answers_an_administrator_within_one_result(mara: Person) -> None:
    for name in READING:
        result = await mara.run(name, **NEEDED.get(name, {}))

        assert result, name
        assert len(json.dumps(result, ensure_ascii=False)) <= MAX_RESULT_CHARS, name
        if "items" in result:
            assert list(result)[:2] == ["total", "shown"], name
            assert len(_rows(result)) == result["shown"], name
            assert len(_rows(result)) <= DEFAULT_ROWS, name


@pytest.mark.parametrize("user_name", ["paul.adler", "lea.brandt", "tim.vogt"])
async def test_a3_nova_decides_by_the_person_what_a_reading_tool_gives(site: Site, user_name: str) -> None:
    person = await site.sign_in(user_name)
    offered = {name for name in READING if TOOLS[name].roles & person.client.identity.roles}
    refused: set[str] = set()

    for name in READING:
        try:
            await person.run(name, **NEEDED.get(name, {}))
        except (NovaForbidden, NovaNotFound):
            refused.add(name)

    # An owner is a fact that no role tells: the list is offered, and Nova refuses who owns nothing.
    assert refused & offered <= {"list_groups"}
    assert ("search_audit_log" in refused) is (user_name != "paul.adler")


async def test_a1_others_are_not_found_rather_than_forbidden(mara: Person, tim: Person) -> None:
    """Abuse case 1."""
    stranger = await mara.id_of(IDENTITIES, "paul.adler")

    with pytest.raises(NovaProblem) as refused:
        await tim.run("get_identity", identity_id=stranger)

    assert refused.value.status == 404


async def test_a2_an_ended_session_is_refused_at_the_very_next_call(mara: Person, tim: Person) -> None:
    await tim.run("get_identity")
    tim_id = await mara.id_of(IDENTITIES, "tim.vogt")

    await mara.run("end_identity_sessions", identity_id=tim_id)

    with pytest.raises(NovaUnauthenticated):
        await tim.run("get_identity")


@pytest.mark.parametrize("user_name", ["paul.adler", "lea.brandt", "tim.vogt"])
async def test_a3_nobody_but_an_administrator_changes_others(site: Site, mara: Person, user_name: str) -> None:
    person = await site.sign_in(user_name)
    target = await mara.id_of(IDENTITIES, "anna.schmidt")

    for name in ("suspend_identity", "disable_identity", "delete_identity", "end_identity_sessions"):
        with pytest.raises(NovaProblem) as refused:
            await person.run(name, identity_id=target)
        assert refused.value.status in {403, 404}

    assert (await mara.run("get_identity", identity_id=target))["status"] == "active"


async def test_f1_an_identity_lives_through_its_tools_and_each_step_bears_the_chat(mara: Person) -> None:
    made = await mara.run("create_identity", user_name="nora.test", given_name="Nora", family_name="Test")
    identity: dict[str, JsonValue] = {"identity_id": made["id"]}

    changed = await mara.run("update_identity", **identity, department="Sales", title="Tester")
    cleared = await mara.run("update_identity", **identity, clear=["title"])
    await mara.run("suspend_identity", **identity, reason="Test")
    await mara.run("activate_identity", **identity)
    await mara.run("disable_identity", **identity)
    deleted = await mara.run("delete_identity", **identity)

    assert made["display_name"] == "Nora Test"
    assert (changed["title"], cleared.get("title"), cleared["department"]) == ("Tester", None, "Sales")
    assert isinstance(deleted["object"], dict)
    assert deleted["object"]["display_name"] == "Nora Test"
    by_chat = await _entries_by_chat(mara)
    assert "assignment.granted" in by_chat  # what followed by rule bears the chat too
    assert [action for action in by_chat if action.startswith("identity.")] == [
        "identity.created",
        "identity.updated",
        "identity.updated",
        "identity.suspended",
        "identity.activated",
        "identity.disabled",
        "identity.deleted",
    ]


async def test_a_group_lives_through_its_tools(mara: Person) -> None:
    tim_id = await mara.id_of(IDENTITIES, "tim.vogt")
    made = await mara.run("create_group", display_name="Project Apollo", description="Moon")
    group: dict[str, JsonValue] = {"group_id": made["id"]}

    await mara.run("update_group", **group, display_name="Project Artemis")
    await mara.run("add_group_members", **group, identity_ids=[tim_id])
    read = await mara.run("list_groups", **group)
    removal = await mara.show("remove_group_member", **group, identity_id=tim_id)
    await mara.run("remove_group_member", removal.etag, **group, identity_id=tim_id)
    deletion = await mara.show("delete_group", **group)
    await mara.run("delete_group", deletion.etag, **group)

    members = read["members"]
    assert isinstance(members, dict)
    assert [row["display_name"] for row in _rows(members)] == ["Tim Vogt"]
    assert removal.subject == "Tim Vogt (Project Artemis)"
    assert deletion.subject == "Project Artemis"
    assert (await mara.run("list_groups", q="Project Artemis"))["total"] == 0


async def test_a_group_by_rule_tells_what_its_rule_did(mara: Person) -> None:
    role = _rows(await mara.run("list_roles", risk="low", privileged=False))[0]["id"]
    made = await mara.run("create_group", display_name="Sellers", rule='department eq "Sales"', role_ids=[role])
    group: dict[str, JsonValue] = {"group_id": made["id"]}
    renamed = await mara.run("update_group", **group, description="Who sells")
    moved = await mara.run("update_group", **group, rule='department eq "Sales" or department eq "Finance"')
    with pytest.raises(NovaForbidden, match=r"take [1-9][0-9]* members out"):
        await mara.run("update_group", **group, rule='department eq "Finance"')
    by_hand = await mara.run("update_group", **group, membership="manual")

    found = await mara.run("search_identities", filter='department eq "Finance" and active eq true')
    listed = _rows(await mara.run("list_groups", membership="rule", q="Sellers"))

    first, then = made["at_once"], moved["at_once"]
    assert isinstance(first, dict)
    assert isinstance(then, dict)
    assert first["members_added"] == first["roles_granted"] == made["member_count"]
    assert int(str(first["members_added"])) + int(str(then["members_added"])) == moved["member_count"]
    assert "no member" in str(renamed["at_once"])
    assert (by_hand["membership"], by_hand["member_count"]) == ("manual", moved["member_count"])
    assert 0 < int(str(found["total"])) <= int(str(then["members_added"]))  # suspended people stay members
    assert listed == []


async def test_an_assignment_lives_through_its_tools(mara: Person) -> None:
    made_id = (await mara.run("create_identity", user_name="nora.test", given_name="Nora", family_name="Test"))["id"]
    role_id = (_rows(await mara.run("list_roles", risk="low", privileged=False)))[0]["id"]
    given = await mara.run("assign_role", identity_id=made_id, role_id=role_id, justification="For the test")
    assignment: dict[str, JsonValue] = {"assignment_id": given["id"]}

    changed = await mara.run("change_assignment_end", **assignment, valid_until="2027-01-31")
    shown = await mara.show("revoke_assignment", **assignment)
    await mara.run("revoke_assignment", shown.etag, **assignment)

    assert changed["valid_until"] == "Sun 2027-01-31 23:59:59 UTC"
    assert shown.subject.endswith("(Nora Test)")
    left = await mara.run("list_assignments", identity_id=made_id, status="active")
    assert {row["source"] for row in _rows(left)} == {"birthright"}


async def test_a_role_changes_only_where_it_is_told_to(mara: Person) -> None:
    before = _rows(await mara.run("list_roles"))[0]

    await mara.run("update_role", role_id=before["id"], requestable=False)

    after = await mara.run("list_roles", role_id=before["id"])
    assert (after["requestable"], after["risk"], after["display_name"]) == (
        False,
        before["risk"],
        before["display_name"],
    )


async def test_a_request_is_filed_and_cancelled_by_oneself(tim: Person) -> None:
    entry = next(
        row for row in _rows(await tim.run("search_catalog")) if not row["held"] and "open_request_id" not in row
    )
    filed = await tim.run("request_access", role_ids=[entry["role_id"]], justification="Needed for the test")

    cancelled = await tim.run("cancel_my_request", request_id=filed["id"], reason="Test is over")

    assert isinstance(filed["beneficiary"], dict)
    assert filed["beneficiary"]["id"] == tim.client.identity.id
    assert cancelled["status"] == "cancelled"


@pytest.mark.parametrize("decision", ["approve", "deny"])
async def test_an_approver_decides_what_waits_for_one(lea: Person, decision: str) -> None:
    waiting = _rows(await lea.run("list_approvals", status="open", mine=True))[0]

    await lea.run("decide_approval", approval_id=waiting["id"], decision=decision, comment="For the test")

    left = _rows(await lea.run("list_approvals", status="open", mine=True))
    assert waiting["id"] not in [row["id"] for row in left]


async def test_c2_nobody_is_asked_to_confirm_a_decision_that_nova_would_refuse(lea: Person) -> None:
    waiting = _rows(await lea.run("list_approvals", status="open", mine=True))[0]
    shown = await lea.show("decide_approval", approval_id=waiting["id"], decision="approve")
    await lea.run("decide_approval", approval_id=waiting["id"], decision="approve")

    with pytest.raises(NovaConflict):
        await lea.show("decide_approval", approval_id=waiting["id"], decision="approve")

    assert [(one.type, one.result) for one in shown.consequences][:1] == [("approval", "approved")]


async def test_one_changes_ones_own_profile_only(tim: Person) -> None:
    result = await tim.run("update_my_profile", preferred_language="de", phone_numbers=["+49 30 1234567"])

    assert (result["id"], result["preferred_language"]) == (tim.client.identity.id, "de")


async def test_c2_one_ends_another_session_of_ones_own_but_not_the_one_in_use(site: Site, tim: Person) -> None:
    other = await site.sign_in("tim.vogt")
    rows = _rows(await tim.run("list_sessions"))
    ids = {bool(row["current"]): row["id"] for row in rows}

    shown = await tim.show("end_my_session", session_id=ids[False])
    await tim.run("end_my_session", shown.etag, session_id=ids[False])

    assert shown.current_state is not None
    with pytest.raises(NovaUnauthenticated):
        await other.run("get_identity")
    with pytest.raises(NovaConflict):
        await tim.show("end_my_session", session_id=ids[True])


async def test_c2_a_session_of_somebody_else_has_no_current_state(mara: Person, tim: Person) -> None:
    foreign = _rows(await mara.run("list_sessions"))[0]["id"]

    shown = await tim.show("end_my_session", session_id=foreign)

    assert (shown.subject, shown.current_state) == (foreign, None)


async def test_an_export_takes_the_filter_of_its_list(mara: Person) -> None:
    listed = await mara.run("search_identities", department="Sales")

    exported = await mara.run("create_export", resource="identities", filter={"department": "Sales"})

    assert exported["rows"] == listed["total"]


async def test_c14_a_change_after_the_card_makes_nova_refuse_it(mara: Person) -> None:
    group: dict[str, JsonValue] = {"group_id": (await mara.run("create_group", display_name="Project Apollo"))["id"]}
    shown = await mara.show("delete_group", **group)
    await mara.run("update_group", **group, description="Changed meanwhile")

    with pytest.raises(NovaPreconditionFailed):
        await mara.run("delete_group", shown.etag, **group)

    assert (await mara.run("list_groups", **group))["display_name"] == "Project Apollo"


async def test_c13_a_card_shows_the_person_and_changes_nothing(mara: Person, tim: Person) -> None:
    for name in ("suspend_identity", "disable_identity", "delete_identity", "end_identity_sessions"):
        shown = await mara.show(name, identity_id=tim.client.identity.id)

        assert shown.subject == "Tim Vogt"
        assert shown.current_state is not None
        assert "last_sign_in_at" not in shown.current_state
        assert "session" in {consequence.type for consequence in shown.consequences}
        assert shown.etag is not None

    assert await _entries_by_chat(mara) == []
    assert (await tim.run("get_identity"))["status"] == "active"


async def test_nobody_is_asked_to_confirm_locking_oneself_out(mara: Person) -> None:
    for name in ("suspend_identity", "disable_identity", "delete_identity"):
        with pytest.raises(NovaConflict) as refused:
            await mara.show(name, identity_id=mara.client.identity.id)
        assert refused.value.code == "self_lockout"


async def test_offboarding_stops_at_a_failure_and_continues_when_called_again(mara: Person) -> None:
    """Abuse case 8."""
    leaver, heir = await mara.id_of(IDENTITIES, "lea.brandt"), await mara.id_of(IDENTITIES, "katharina.lindner")
    arguments: dict[str, JsonValue] = {"identity_id": leaver, "successor_id": heir}
    mara.refusing["disable_identity"] = NovaConflict("Not now.", code="state_conflict")

    shown = await mara.show("offboard_identity", **arguments)
    stopped = await mara.run("offboard_identity", **arguments)
    status_between = (await mara.run("get_identity", identity_id=leaver))["status"]
    mara.refusing.clear()
    finished = await mara.run("offboard_identity", **arguments)

    assert {"report", "membership"} <= {consequence.type for consequence in shown.consequences}
    assert isinstance(stopped["failed"], dict)
    assert (stopped["complete"], stopped["failed"]["code"]) == (False, "state_conflict")
    assert status_between == "active"
    assert finished["complete"] is True
    assert isinstance(finished["steps"], int)
    assert isinstance(stopped["steps"], int)
    assert finished["steps"] < stopped["steps"]
    assert (await mara.run("get_identity", identity_id=leaver))["status"] == "disabled"
    assert (await mara.run("search_identities", manager_id=leaver))["total"] == 0
    left = _rows(await mara.run("list_groups", member_id=leaver))
    assert {row["source"] for row in left} <= {"connector"}
    kept = [consequence.names for consequence in shown.consequences if consequence.result == "kept"]
    assert kept == [tuple(str(row["display_name"]) for row in left)]
