"""Offboarding plans from what is really held, refuses what it could not finish, and continues where it was."""

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import Change, Consequence, NovaAnswer
from nova_ui.errors import NovaConflict, NovaNotFound
from nova_ui.tools.offboarding import OFFBOARD_IDENTITY, OffboardIdentity
from tests.fakes.scripted_nova import Answer, Called, ScriptedNova

LEAVER = "idn_0123456789abcdefghj1"
SUCCESSOR = "idn_0123456789abcdefghj2"
ARGUMENTS = OffboardIdentity(identity_id=LEAVER, successor_id=SUCCESSOR, reason="Leaves")


def _page(*names: str) -> JsonObject:
    items: list[JsonValue] = [{"id": f"grp_{name}", "display_name": name, "source": "nova"} for name in names]
    return {"items": items, "total": len(items), "next_cursor": None}


def _held(name: str, source: str = "direct", status: str = "active") -> JsonObject:
    return {
        "assignment_id": f"asg_{name}",
        "role": {"id": "rol_1", "display_name": name},
        "source": source,
        "status": status,
    }


def _nova(
    *,
    status: str = "active",
    successor_status: str = "active",
    access: list[JsonValue] | None = None,
    groups: JsonObject | None = None,
    owned_groups: JsonObject | None = None,
    owned_entitlements: JsonObject | None = None,
    impact: JsonObject | None = None,
    **inner_tools: Answer,
) -> ScriptedNova:
    def identity(called: Called) -> JsonObject:
        is_leaver = called.path["identity_id"] == LEAVER
        return {
            "id": called.path["identity_id"],
            "display_name": "Tim Vogt" if is_leaver else "Lea Brandt",
            "status": status if is_leaver else successor_status,
        }

    def list_of_groups(called: Called) -> JsonObject:
        return (groups or _page()) if "member_id" in called.query else (owned_groups or _page())

    return ScriptedNova(
        {
            "GET /identities/{identity_id}": identity,
            "GET /identities/{identity_id}/impact": impact or {"effects": [], "refusal": None},
            "GET /identities/{identity_id}/access": {"items": access or []},
            "GET /groups": list_of_groups,
            "GET /roles": _page(),
            "GET /applications": _page(),
            "GET /entitlements": owned_entitlements or _page(),
            "GET /identities": _page(),
            "GET /approvals": _page(),
            "POST /identities/{identity_id}/transfer": {},
            **inner_tools,
        }
    )


async def test_c13_one_card_shows_the_whole_plan() -> None:
    assert OFFBOARD_IDENTITY.show is not None
    nova = _nova(
        access=[_held("VPN"), _held("Mail", "birthright"), _held("Old", status="expired")],
        groups=_page("Sales"),
        owned_groups=_page("Team", "Board"),
        impact={
            "effects": [
                {"type": "session", "count": 2, "names": ["Firefox"], "result": "ended"},
                {"type": "assignment_end", "count": 2, "names": ["VPN", "Mail"], "result": "ends"},
            ],
            "refusal": None,
        },
    )

    shown = await OFFBOARD_IDENTITY.show(ARGUMENTS, nova)

    assert shown.subject == "Tim Vogt"
    assert shown.current_state == {"id": LEAVER, "display_name": "Tim Vogt", "status": "active"}
    assert shown.changes == (
        Change(field="successor", before=None, after="Lea Brandt"),
        Change(field="status", before="active", after="disabled"),
    )
    assert shown.consequences == (
        Consequence(type="group", count=2, names=("Team", "Board"), result="transferred"),
        Consequence(type="assignment", count=1, names=("VPN",), result="revoked"),
        Consequence(type="membership", count=1, names=("Sales",), result="removed"),
        Consequence(type="session", count=2, names=("Firefox",), result="ended"),
        Consequence(type="assignment", count=1, names=("Mail",), result="ends"),
    )
    assert nova.ran == []
    assert all(called.endpoint.startswith("GET ") for called in nova.called)


async def test_entitlements_are_handed_over_and_single_ones_revoked_under_their_names() -> None:
    assert OFFBOARD_IDENTITY.show is not None
    single: JsonObject = {
        "assignment_id": "asg_1",
        "role": None,
        "entitlement": {"id": "ent_1", "display_name": "Payroll"},
        "source": "direct",
        "status": "active",
    }
    nova = _nova(access=[single], owned_entitlements=_page("Ledger"))

    shown = await OFFBOARD_IDENTITY.show(ARGUMENTS, nova)

    assert shown.consequences == (
        Consequence(type="entitlement", count=1, names=("Ledger",), result="transferred"),
        Consequence(type="assignment", count=1, names=("Payroll",), result="revoked"),
    )


async def test_the_steps_run_from_safe_to_unsafe_through_the_gate() -> None:
    nova = _nova(access=[_held("VPN")], groups=_page("Sales"), owned_groups=_page("Team"))

    result = await OFFBOARD_IDENTITY.run(ARGUMENTS, nova)

    assert nova.called[-1].endpoint == "POST /identities/{identity_id}/transfer"
    assert nova.called[-1].body == {"to": SUCCESSOR}
    assert nova.ran == [
        ("end_identity_sessions", {"identity_id": LEAVER}),
        ("revoke_assignment", {"assignment_id": "asg_VPN"}),
        ("remove_group_member", {"group_id": "grp_Sales", "identity_id": LEAVER}),
        ("disable_identity", {"identity_id": LEAVER, "reason": "Leaves"}),
    ]
    assert isinstance(result, dict)
    assert (result["complete"], result["steps_done"]) == (True, 5)


async def test_b2_every_tool_that_it_runs_is_declared() -> None:
    nova = _nova(access=[_held("VPN")], groups=_page("Sales"), owned_groups=_page("Team"))

    await OFFBOARD_IDENTITY.run(ARGUMENTS, nova)

    assert {name for name, _ in nova.ran} == set(OFFBOARD_IDENTITY.inner_tools)
    assert {called.endpoint for called in nova.called} == set(OFFBOARD_IDENTITY.endpoints)


@pytest.mark.parametrize("group", [{"source": "connector"}, {"source": "nova", "membership": "rule"}])
async def test_a_group_that_keeps_its_members_by_itself_is_left_alone(group: JsonObject) -> None:
    kept: JsonObject = {"items": [{"id": "grp_1", "display_name": "all-staff", **group}], "total": 1}
    nova = _nova(groups=kept)

    await OFFBOARD_IDENTITY.run(ARGUMENTS, nova)

    assert "remove_group_member" not in [name for name, _ in nova.ran]


async def test_an_entitlement_given_by_itself_is_revoked_by_its_name() -> None:
    held: JsonObject = {**_held("x"), "role": None, "entitlement": {"id": "ent_1", "display_name": "Root"}}
    assert OFFBOARD_IDENTITY.show is not None

    shown = await OFFBOARD_IDENTITY.show(ARGUMENTS, _nova(access=[held]))

    assert Consequence(type="assignment", count=1, names=("Root",), result="revoked") in shown.consequences


async def test_a_failure_in_the_middle_stops_and_running_again_continues() -> None:
    failing = _nova(
        access=[_held("VPN"), _held("Wiki")], remove_group_member=NovaConflict("No."), groups=_page("Sales")
    )
    first = await OFFBOARD_IDENTITY.run(ARGUMENTS, failing)
    later = _nova(access=[], groups=_page("Sales"))

    second = await OFFBOARD_IDENTITY.run(ARGUMENTS, later)

    assert isinstance(first, dict)
    assert first["complete"] is False
    assert first["steps_not_run"] == 1
    assert "disable_identity" not in [name for name, _ in failing.ran]
    assert isinstance(second, dict)
    assert second["complete"] is True
    assert [name for name, _ in later.ran] == ["end_identity_sessions", "remove_group_member", "disable_identity"]


async def test_c13_a_membership_that_a_connector_keeps_is_told_and_left_alone() -> None:
    assert OFFBOARD_IDENTITY.show is not None
    kept: JsonObject = {"items": [{"id": "grp_1", "display_name": "all-staff", "source": "connector"}], "total": 1}
    nova = _nova(groups=kept)

    shown = await OFFBOARD_IDENTITY.show(ARGUMENTS, nova)
    await OFFBOARD_IDENTITY.run(ARGUMENTS, nova)

    assert shown.consequences == (Consequence(type="membership", count=1, names=("all-staff",), result="kept"),)
    assert [name for name, _ in nova.ran] == ["end_identity_sessions", "disable_identity"]


async def test_what_is_left_of_a_disabled_identity_can_still_be_taken_away() -> None:
    nova = _nova(
        status="disabled", groups=_page("Sales"), impact={"effects": [], "refusal": {"code": "state_conflict"}}
    )

    await OFFBOARD_IDENTITY.run(ARGUMENTS, nova)

    assert [name for name, _ in nova.ran] == ["remove_group_member"]


@pytest.mark.parametrize(
    ("nova", "code"),
    [
        (_nova(successor_status="suspended"), "state_conflict"),
        (_nova(status="disabled"), "state_conflict"),
        (_nova(impact={"refusal": {"code": "last_administrator", "detail": "No."}}), "last_administrator"),
        (_nova(access=[_held(str(number)) for number in range(20)], groups=_page(*"abcdef")), "too_many_objects"),
    ],
    ids=["successor not active", "nothing left", "last step refused", "too many objects"],
)
async def test_the_whole_is_refused_when_it_could_not_finish(nova: ScriptedNova, code: str) -> None:
    assert OFFBOARD_IDENTITY.show is not None

    with pytest.raises(NovaConflict) as when_shown:
        await OFFBOARD_IDENTITY.show(ARGUMENTS, nova)
    with pytest.raises(NovaConflict) as when_run:
        await OFFBOARD_IDENTITY.run(ARGUMENTS, nova)

    assert (when_shown.value.code, when_run.value.code) == (code, code)
    assert nova.ran == []
    assert all(called.endpoint.startswith("GET ") for called in nova.called)


async def test_twenty_five_objects_are_not_too_many() -> None:
    nova = _nova(access=[_held(str(number)) for number in range(20)], groups=_page(*"abcde"))

    await OFFBOARD_IDENTITY.run(ARGUMENTS, nova)

    assert len(nova.ran) == 27


async def test_nobody_succeeds_oneself() -> None:
    arguments = OffboardIdentity(identity_id=LEAVER, successor_id=LEAVER)

    with pytest.raises(NovaConflict):
        await OFFBOARD_IDENTITY.run(arguments, _nova())


async def test_c2_an_identity_that_may_not_be_read_has_no_current_state() -> None:
    assert OFFBOARD_IDENTITY.show is not None
    nova = ScriptedNova({"GET /identities/{identity_id}": NovaNotFound()})

    shown = await OFFBOARD_IDENTITY.show(ARGUMENTS, nova)

    assert (shown.subject, shown.current_state) == (LEAVER, None)


async def test_c14_the_card_carries_the_version_of_the_leaver() -> None:
    assert OFFBOARD_IDENTITY.show is not None
    leaver: JsonObject = {"id": LEAVER, "display_name": "Tim", "status": "active"}
    planned = _nova()
    nova = ScriptedNova(
        {
            **planned.answers,
            "GET /identities/{identity_id}": NovaAnswer(status=200, body=leaver, etag='"4"'),
        }
    )

    shown = await OFFBOARD_IDENTITY.show(ARGUMENTS, nova)

    assert shown.etag == '"4"'
