"""Copying gives only what was given directly and is not privileged; asking is for oneself alone."""

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaConflict, NovaForbidden, NovaNotFound, NovaProblem
from nova_ui.tools.copying import COPY_ACCESS, REQUEST_SAME_ACCESS_AS, CopyAccess, RequestSameAccessAs
from tests.fakes.scripted_nova import Answer, ScriptedNova

TIM = "idn_0123456789abcdefghj1"
LEA = "idn_0123456789abcdefghj2"
COPY = CopyAccess(from_id=TIM, to_id=LEA, justification="Same team")


def _item(name: str, source: str = "direct", **more: JsonValue) -> JsonObject:
    ways: list[JsonValue] = [{"source": source, "status": "active", "valid_until": more.pop("until", None)}]
    return {
        "type": "role",
        "id": f"rol_{name}",
        "display_name": name,
        "privileged": False,
        "left": ways,
        "right": [],
        **more,
    }


def _nova(*missing: JsonObject, status: str = "active", **answers: Answer) -> ScriptedNova:
    catalogue: list[JsonValue] = [
        {"role_id": "rol_Free", "display_name": "Free", "held": False},
        {"role_id": "rol_Asked", "display_name": "Asked", "held": False, "open_request_id": "req_1"},
    ]
    return ScriptedNova(
        {
            "GET /identities/{identity_id}": {"id": LEA, "status": status},
            "GET /identities/compare": {"only_left": list(missing), "only_right": [_item("Hers")], "shared": []},
            "GET /catalog": {"items": catalogue, "next_cursor": None},
            **answers,
        }
    )


async def test_what_was_given_directly_is_assigned_one_by_one() -> None:
    nova = _nova(_item("Mail"), _item("Wiki", until="2027-03-01T22:59:59Z"))

    result = await COPY_ACCESS.run(COPY, nova)

    assert nova.ran == [
        ("assign_role", {"identity_id": LEA, "role_id": "rol_Mail", "justification": "Same team"}),
        (
            "assign_role",
            {"identity_id": LEA, "role_id": "rol_Wiki", "justification": "Same team", "valid_until": "2027-03-01"},
        ),
    ]
    assert isinstance(result, dict)
    assert (result["complete"], result["steps_done"], "left_out" in result) == (True, 2, False)


async def test_an_entitlement_that_was_given_directly_is_copied_like_a_role() -> None:
    nova = _nova(_item("Ledger", type="entitlement", id="ent_Ledger"))

    await COPY_ACCESS.run(COPY, nova)

    assert nova.ran == [
        ("assign_role", {"identity_id": LEA, "entitlement_id": "ent_Ledger", "justification": "Same team"})
    ]


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (_item("Root", privileged=True), "privileged"),
        (_item("Job", "birthright"), "birthright"),
        (_item("Team", "group"), "group"),
        (_item("Asked", "request"), "request"),
        (_item("Crowd", "membership", type="group"), "a group"),
    ],
)
async def test_what_is_not_copied_is_named_with_its_reason(item: JsonObject, reason: str) -> None:
    nova = _nova(item)

    result = await COPY_ACCESS.run(COPY, nova)

    assert nova.ran == []
    assert isinstance(result, dict)
    assert (result["complete"], result["steps"], result["left_out_total"]) == (True, 0, 1)
    assert reason in str(result["left_out"])


async def test_the_whole_is_refused_before_anything_is_assigned() -> None:
    too_many = [_item(f"Role{number}") for number in range(26)]
    for nova in (_nova(_item("Mail"), status="disabled"), _nova(*too_many)):
        with pytest.raises(NovaConflict):
            await COPY_ACCESS.run(COPY, nova)
        assert nova.ran == []


async def test_the_first_failure_stops_and_the_rest_is_told() -> None:
    nova = _nova(_item("Mail"), _item("Wiki"), assign_role=NovaConflict("No."))

    result = await COPY_ACCESS.run(COPY, nova)

    assert isinstance(result, dict)
    assert (result["steps_done"], result["steps_not_run"], len(nova.ran)) == (0, 1, 1)


async def test_a4_the_same_access_is_asked_for_oneself_through_the_tool_that_asks() -> None:
    nova = _nova(_item("Free"), _item("Asked"), _item("Secret"), _item("Crowd", "membership", type="group"))
    arguments = RequestSameAccessAs(colleague_id=TIM, justification="I join his team")

    result = await REQUEST_SAME_ACCESS_AS.run(arguments, nova)

    assert nova.ran == [("request_access", {"role_ids": ["rol_Free"], "justification": "I join his team"})]
    assert nova.called[0].query == {"left": TIM, "right": nova.identity.id}
    assert isinstance(result, dict)
    assert (result["complete"], result["left_out_total"]) == (True, 3)


async def test_entitlements_are_asked_for_in_the_same_request() -> None:
    catalogue: list[JsonValue] = [{"role_id": "rol_Free"}, {"entitlement_id": "ent_Ledger"}]
    right = _item("Ledger", type="entitlement", id="ent_Ledger")
    nova = _nova(_item("Free"), right, **{"GET /catalog": {"items": catalogue}})  # type: ignore[arg-type] # answers

    await REQUEST_SAME_ACCESS_AS.run(RequestSameAccessAs(colleague_id=TIM, justification="I join his team"), nova)

    asked = {"role_ids": ["rol_Free"], "entitlement_ids": ["ent_Ledger"], "justification": "I join his team"}
    assert nova.ran == [("request_access", asked)]


@pytest.mark.parametrize("refusal", [NovaNotFound("No."), NovaForbidden("No.")])
async def test_whose_access_may_not_be_read_can_not_be_followed_and_the_tool_says_so(refusal: NovaProblem) -> None:
    nova = _nova(**{"GET /identities/compare": refusal})  # type: ignore[arg-type] # only answers are named so

    with pytest.raises(NovaForbidden, match="request_access_for"):
        await REQUEST_SAME_ACCESS_AS.run(RequestSameAccessAs(colleague_id=TIM, justification="I join his team"), nova)

    assert nova.ran == []


async def test_with_nothing_to_ask_for_nothing_is_asked() -> None:
    nova = _nova(_item("Secret"))

    await REQUEST_SAME_ACCESS_AS.run(RequestSameAccessAs(colleague_id=TIM, justification="I join his team"), nova)

    assert nova.ran == []


async def test_b2_every_tool_that_they_run_is_declared() -> None:
    assert COPY_ACCESS.inner_tools == ("assign_role",)
    assert REQUEST_SAME_ACCESS_AS.inner_tools == ("request_access",)
    assert all(endpoint.startswith("GET ") for endpoint in (*COPY_ACCESS.endpoints, *REQUEST_SAME_ACCESS_AS.endpoints))
