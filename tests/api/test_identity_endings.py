"""What ends an identity: who may, what is refused, what goes with it, and that the impact says the same before."""

import asyncio
from datetime import timedelta

import pytest
from sqlmodel import col, select

from nova_ui.domain.identity import Caller, Identity, IdentityId, Role, SessionId
from nova_ui.errors import NovaConflict
from nova_ui.nova.context import RequestContext
from nova_ui.nova_client.origin import INTERFACE
from storage.chat.tables import ChatRow, PreviewRow, TurnEventRow, TurnRow
from storage.ids import new_id
from storage.nova.tables import AccessRequestRow, ApprovalRow, AssignmentRow, IdentityRow, MembershipRow
from tests.api.site import NOW, Site, a_group, a_membership, a_role, changes_of


def an_assignment(identity_id: str, role_id: str | None, **fields: object) -> AssignmentRow:
    return AssignmentRow.model_validate(
        {
            "id": new_id("asg"),
            "identity_id": identity_id,
            "role_id": role_id,
            "created_at": NOW,
            "updated_at": NOW,
            **fields,
        }
    )


def a_request(requester: str, beneficiary: str, role_id: str) -> AccessRequestRow:
    return AccessRequestRow(
        id=new_id("req"),
        requester_id=requester,
        beneficiary_id=beneficiary,
        items=[{"role_id": role_id, "action": "grant", "valid_until": None}],
        justification="needed for the job",
        created_at=NOW,
        updated_at=NOW,
    )


def an_approval(request: AccessRequestRow, approver: str) -> ApprovalRow:
    return ApprovalRow(id=new_id("apv"), request_id=request.id, approver_id=approver, created_at=NOW, updated_at=NOW)


async def give_everything(site: Site, name: str) -> None:
    """Hang one of everything on an identity."""
    person = site.people[name].id
    group, role, wanted = a_group(), a_role(), a_role("erp-user")
    request = a_request(person, person, wanted.id)
    await site.add(group, role, wanted)
    await site.add(a_membership(group, person), an_assignment(person, role.id), request)
    await site.add(an_approval(request, site.people["mara"].id))
    chat = ChatRow(id="cht_1", owner_id=person, assistant_key="helpdesk", created_at=NOW, updated_at=NOW)
    turn = TurnRow(
        id="trn_1",
        chat_id="cht_1",
        identity_id=person,
        assistant_key="helpdesk",
        number=1,
        state="done",
        heartbeat_at=NOW,
        started_at=NOW,
    )
    await site.add(chat, turn, TurnEventRow(turn_id="trn_1", id=1, name="done"))


async def test_deleting_an_identity_takes_everything_along_each_with_its_own_entry(site: Site) -> None:
    await give_everything(site, "sam")
    sam = site.people["sam"]

    answer = await site.call("mara", f"DELETE /identities/{sam.id}", via="admin")

    assert answer.status_code == 200
    assert [(effect["type"], effect["result"]) for effect in answer.json()["effects"]] == [
        ("session", "ended"),
        ("access_request", "cancelled"),
        ("assignment", "revoked"),
        ("membership", "removed"),
        ("chat", "deleted"),
    ]
    entries = await site.entries()
    assert [entry.action for entry in entries] == [
        "identity.deleted",
        "session.ended",
        "request.cancelled",
        "approval.skipped",
        "assignment.revoked",
        "group.member_removed",
        "chat.deleted",
    ]
    cause = entries[0].id
    assert {entry.caused_by for entry in entries if entry.action != "approval.skipped"} == {None, cause}
    assert {entry.via for entry in entries} == {"ai_chat:admin"}
    assert len({entry.request_id for entry in entries}) == 1
    assert site.ended == [frozenset({sam.session_id})]


async def test_nothing_of_a_deleted_identity_is_left_but_its_requests_and_entries(site: Site) -> None:
    await give_everything(site, "sam")

    await site.call("mara", f"DELETE /identities/{site.people['sam'].id}")

    async with site.database.reading() as session:
        for table in (MembershipRow, AssignmentRow, ChatRow, TurnRow, TurnEventRow, PreviewRow):
            assert (await session.exec(select(table))).all() == []
        [request] = (await session.exec(select(AccessRequestRow))).all()
        [approval] = (await session.exec(select(ApprovalRow))).all()
    assert (request.status, approval.status) == ("cancelled", "skipped")
    assert (await site.call("sam", "GET /me")).json()["code"] == "session_ended"


async def test_chats_are_deleted_without_telling_what_they_were_called(site: Site) -> None:
    chat = ChatRow(
        id="cht_1",
        owner_id=site.people["sam"].id,
        assistant_key="helpdesk",
        title="My trouble with Mara",
        created_at=NOW,
        updated_at=NOW,
    )
    await site.add(chat)

    answer = await site.call("mara", f"DELETE /identities/{site.people['sam'].id}")

    assert "trouble" not in answer.text
    assert all("trouble" not in str(entry.model_dump()) for entry in await site.entries())


@pytest.mark.parametrize("action", ["suspend", "disable"])
async def test_whoever_is_locked_out_loses_their_sessions_at_once(site: Site, action: str) -> None:
    sam = site.people["sam"]

    answer = await site.call("mara", f"POST /identities/{sam.id}/{action}", body={"reason": "left"})

    assert answer.json()["object"]["status"] == f"{action.removesuffix('e')}ed"
    assert answer.json()["object"]["status_reason"] == "left"
    assert site.ended == [frozenset({sam.session_id})]
    assert (await site.call("sam", "GET /me")).status_code == 401


async def test_disabling_cancels_requests_passes_decisions_on_and_sets_ends(site: Site) -> None:
    role, wanted = a_role(), a_role("erp-user")
    tim, lea = site.people["tim"].id, site.people["lea"].id
    await site.add(role, wanted)
    held = an_assignment(tim, role.id)
    own, others = a_request(tim, tim, wanted.id), a_request(site.people["sam"].id, site.people["sam"].id, wanted.id)
    held_id, own_id = held.id, own.id
    await site.add(held, own, others)
    decision = an_approval(others, tim)
    decision_id = decision.id
    await site.add(decision)

    answer = await site.call("mara", f"POST /identities/{tim}/disable")

    assert answer.status_code == 200
    assert (await site.get(ApprovalRow, decision_id)).approver_id == lea
    assert (await site.get(AccessRequestRow, own_id)).status == "cancelled"
    assert (await site.get(AssignmentRow, held_id)).valid_until == NOW + timedelta(days=30)


@pytest.mark.parametrize(
    ("who", "target", "action", "code"),
    [
        ("mara", "mara", "suspend", "self_lockout"),
        ("mara", "mara", "disable", "self_lockout"),
        ("mara", "mara", "delete", "self_lockout"),
        ("mara", "mara", "end_sessions", "self_lockout"),
        ("paul", "sam", "delete", "forbidden"),
        ("lea", "tim", "suspend", "forbidden"),
        ("mara", "lea", "delete", "conflict"),
        ("mara", "gone", "disable", "state_conflict"),
        ("mara", "gone", "suspend", "state_conflict"),
        ("mara", "kept", "delete", "protected_object"),
        ("mara", "kept", "suspend", "protected_object"),
    ],
)
async def test_what_is_refused_is_refused_by_the_impact_in_the_same_words(
    site: Site, who: str, target: str, action: str, code: str
) -> None:
    await site.person("gone", status="disabled")
    await site.person("kept", protected=True)
    one = f"/identities/{site.people[target].id}"
    endpoints = {"delete": f"DELETE {one}", "end_sessions": f"DELETE {one}/sessions"}

    impact = (await site.call(who, f"GET {one}/impact", query={"action": action})).json()
    before = await site.entries()
    refused = await site.call(who, endpoints.get(action, f"POST {one}/{action}"))

    assert before == []
    assert refused.json()["code"] == code
    assert impact["refusal"] == {"code": code, "detail": refused.json()["detail"]}
    assert impact["effects"] == []
    [entry] = await site.entries()
    assert (entry.outcome, entry.details["code"]) == ("refused", code)


async def test_the_last_administrator_stays_even_if_the_caller_was_disabled_a_moment_ago(site: Site) -> None:
    mara, otto = site.people["mara"], site.people["otto"]
    async with site.database.transaction() as session:
        row = await session.get(IdentityRow, mara.id)
        assert row is not None
        row.status = "disabled"
    identity = Identity(
        id=IdentityId(mara.id), user_name="mara", display_name="Mara", roles=frozenset({Role.ADMINISTRATOR, Role.USER})
    )
    caller = Caller(session_id=SessionId(mara.session_id), identity=identity)
    context = RequestContext(caller=caller, origin=INTERFACE, request_id="rid_1")

    impact = await site.nova.endings.impact(context, otto.id, "disable")
    with pytest.raises(NovaConflict) as refused:
        await site.nova.endings.disable(context, otto.id, None, None)

    assert impact.refusal is not None
    assert (refused.value.code, impact.refusal.code) == ("last_administrator", "last_administrator")
    assert (await site.get(IdentityRow, otto.id)).status == "active"


async def test_of_two_administrators_who_disable_each_other_at_once_one_stays(site: Site) -> None:
    mara, otto = site.people["mara"].id, site.people["otto"].id

    answers = await asyncio.gather(
        site.call("mara", f"POST /identities/{otto}/disable"), site.call("otto", f"POST /identities/{mara}/disable")
    )

    async with site.database.reading() as session:
        active = select(IdentityRow.id).where(
            col(IdentityRow.id).in_([mara, otto]), col(IdentityRow.status) == "active"
        )
        assert len((await session.exec(active)).all()) == 1
    assert sorted(answer.status_code for answer in answers) in ([200, 401], [200, 409])


async def test_whoever_still_owns_something_is_not_deleted_and_the_answer_lists_it(site: Site) -> None:
    tim = site.people["tim"].id
    group = a_group(owner_ids=[tim])
    group_id = group.id
    await site.add(group)

    answer = await site.call("mara", f"DELETE /identities/{tim}")

    assert answer.status_code == 409
    assert {(one["type"], one["id"]) for one in answer.json()["owned"]} == {
        ("group", group_id),
        ("report", site.people["nina"].id),
    }


async def test_a_transfer_moves_everything_and_then_the_identity_can_go(site: Site) -> None:
    tim, lea = site.people["tim"].id, site.people["lea"].id
    group, role = a_group(owner_ids=[tim, lea]), a_role(owner_ids=[tim])
    role_id, group_id = role.id, group.id
    await site.add(group, role)
    request = a_request(site.people["sam"].id, site.people["sam"].id, role_id)
    await site.add(request)
    await site.add(an_approval(request, tim))

    answer = await site.call("mara", f"POST /identities/{tim}/transfer", body={"to": lea})

    assert {one["type"] for one in answer.json()["transferred"]} == {"group", "role", "report", "approval"}
    assert (await site.call("mara", f"GET /identities/{site.people['nina'].id}")).json()["manager"]["id"] == lea
    assert [owner["id"] for owner in (await site.call("mara", f"GET /groups/{group_id}")).json()["owners"]] == [lea]
    assert len(await site.entries("ownership.transferred")) == 4
    assert (await site.call("mara", f"DELETE /identities/{tim}")).status_code == 200


async def test_a_transfer_to_whoever_filed_the_request_is_refused_as_a_whole(site: Site) -> None:
    tim, sam = site.people["tim"].id, site.people["sam"].id
    role, group = a_role(), a_group(owner_ids=[tim])
    group_id = group.id
    await site.add(role, group)
    request = a_request(sam, sam, role.id)
    await site.add(request)
    await site.add(an_approval(request, tim))

    answer = await site.call("mara", f"POST /identities/{tim}/transfer", body={"to": sam})

    assert answer.json()["code"] == "approver_conflict"
    assert [owner["id"] for owner in (await site.call("mara", f"GET /groups/{group_id}")).json()["owners"]] == [tim]


async def test_the_way_back(site: Site) -> None:
    sam = f"/identities/{site.people['sam'].id}"
    await site.call("mara", f"POST {sam}/suspend")

    back = await site.call("mara", f"POST {sam}/activate")
    again = await site.call("mara", f"POST {sam}/activate")
    unlocked = await site.call("mara", f"POST {sam}/unlock")

    assert back.json()["status"] == "active"
    assert again.json()["code"] == unlocked.json()["code"] == "state_conflict"


async def test_unlocking_forgets_the_lock_and_the_failures(site: Site) -> None:
    locked = await site.person("locked", locked_until=NOW + timedelta(hours=1))

    answer = await site.call("mara", f"POST /identities/{locked.id}/unlock")

    assert answer.json()["locked_until"] is None
    [entry] = await site.entries("identity.unlocked")
    assert list(changes_of(entry)) == ["locked_until"]
