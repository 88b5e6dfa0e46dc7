"""What one may ask for and pass on, as the page of one's own access says it to Nova."""

from nova_ui.domain.json_value import JsonObject
from nova_ui.presenters.access_parts import rights_in
from nova_ui.presenters.actions import Actions
from nova_ui.presenters.catalogue_items import read_catalogue, request_body
from nova_ui.presenters.own_access import EXTEND, GIVE_BACK, OWN_RIGHTS
from nova_ui.presenters.request_actions import DELEGATE, DENY_SEVERAL, chosen
from nova_ui.presenters.role_kind import EDIT_BUNDLE
from tests.builders import an_identity
from tests.fakes.page_nova import PageNova


def test_an_entitlement_is_requested_by_its_own_field_and_a_held_one_is_extended() -> None:
    rows: JsonObject = {"items": [{"entitlement_id": "ent_1", "display_name": "A"}, {"role_id": "rol_1", "held": True}]}

    entitlement, role = read_catalogue(rows)

    assert request_body(entitlement, "because", None)["items"] == [{"entitlement_id": "ent_1", "action": "grant"}]
    assert request_body(role, "because", "2026-05-01")["items"] == [
        {"role_id": "rol_1", "action": "extend", "valid_until": "2026-05-01"}
    ]


def test_only_what_waits_now_is_passed_on() -> None:
    offered = [DELEGATE.is_offered(an_identity(), {"status": status}) for status in ("open", "waiting", "approved")]

    assert offered == [True, False, False]


def test_what_one_holds_oneself_is_given_back_or_extended_and_what_comes_with_a_group_is_explained() -> None:
    person = an_identity()
    held: JsonObject = {"source": "request", "status": "active", "valid_until": "2026-05-01T00:00:00Z"}
    endless: JsonObject = {**held, "valid_until": None}
    fixed: JsonObject = {**held, "source": "group"}

    offered = [(GIVE_BACK.is_offered(person, one), EXTEND.is_offered(person, one)) for one in (held, endless, fixed)]

    assert offered == [(True, True), (True, False), (False, False)]
    assert OWN_RIGHTS.note([held, endless]) == ""
    assert OWN_RIGHTS.note([held, fixed]).startswith("What comes with your position or with a group stays")


def test_giving_back_names_the_right_by_its_own_field() -> None:
    [role, entitlement] = rights_in(
        {"items": [{"role": {"id": "rol_1"}}, {"role": None, "entitlement": {"id": "ent_1"}}]}
    )

    bodies = [GIVE_BACK.shape({"justification": "no longer needed"}, one) for one in (role, entitlement)]
    extended = EXTEND.shape({"justification": "still needed here", "valid_until": "2026-09-01"}, role)

    assert [body["items"] for body in bodies] == [
        [{"role_id": "rol_1", "action": "revoke"}],
        [{"entitlement_id": "ent_1", "action": "revoke"}],
    ]
    assert extended["items"] == [{"role_id": "rol_1", "action": "extend", "valid_until": "2026-09-01"}]


async def test_c13_several_decisions_are_weighed_before_they_are_taken() -> None:
    rows: list[JsonObject] = [
        {"id": "apv_1", "beneficiary": {"display_name": "Tim"}},
        {"id": "apv_2", "beneficiary": {"display_name": "Anna"}},
    ]
    effect: JsonObject = {"type": "approval", "result": "denied", "count": 2, "names": ["Tim · CRM", "Anna · CRM"]}
    nova = PageNova(
        {
            "GET /approvals/decisions/impact": {"effects": [effect]},
            "POST /approvals/decisions": {"answers": [{"result": "denied"}, {"result": "refused"}], "effects": []},
        }
    )
    actions = Actions(nova)

    prepared = await actions.prepare(DENY_SEVERAL, chosen(rows))
    before = nova.calls_of("POST /approvals/decisions")
    answer = await actions.run(prepared, {"comment": "not this year"})

    assert before == []
    assert nova.called[0].query == {"deny": "apv_1,apv_2"}
    assert (prepared.subject, [one.result for one in prepared.consequences]) == ("Tim, Anna", ["denied"])
    assert nova.called[-1].body == {
        "decisions": [
            {"approval_id": "apv_1", "decision": "deny", "comment": "not this year"},
            {"approval_id": "apv_2", "decision": "deny", "comment": "not this year"},
        ]
    }
    assert answer is not None
    assert DENY_SEVERAL.went_wrong(answer.object)
    assert DENY_SEVERAL.done_as(answer.object).startswith("Some of it was not possible")


async def test_c13_a_bundle_is_weighed_as_it_was_entered() -> None:
    role: JsonObject = {"id": "rol_1", "display_name": "Sales", "entitlements": [{"id": "ent_1"}], "child_roles": []}
    nova = PageNova(
        {
            "GET /roles/{role_id}": role,
            "GET /roles/{role_id}/entitlements/impact": {"effects": []},
            "PUT /roles/{role_id}/entitlements": {},
        }
    )
    actions = Actions(nova)

    prepared = await actions.prepare(EDIT_BUNDLE, role)
    unasked = nova.calls_of("GET /roles/{role_id}/entitlements/impact")
    await actions.weigh(prepared, {**role, "child_role_ids": ["rol_2", "rol_3"]})
    await actions.run(prepared, {"child_role_ids": ["rol_2", "rol_3"]})

    assert unasked == []
    assert nova.called[1].query == {"entitlement_ids": "", "child_role_ids": "rol_2,rol_3"}
    assert nova.called[2].body == {"entitlement_ids": [], "child_role_ids": ["rol_2", "rol_3"]}
    assert nova.called[2].if_match == '"7"'
