"""A move shows the whole plan on one card, refuses it as a whole, and continues where it stopped."""

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import Change, Consequence
from nova_ui.errors import NovaConflict, NovaProblem
from nova_ui.tools.moving import MOVE_IDENTITY, MoveIdentity
from tests.fakes.scripted_nova import Answer, Called, ScriptedNova

TIM = "idn_0123456789abcdefghj1"
LEA = "idn_0123456789abcdefghj2"
ROLE = "rol_0123456789abcdefghj1"
OLD = "asg_0123456789abcdefghj1"
GROUP = "grp_0123456789abcdefghj1"
MOVE = MoveIdentity(
    identity_id=TIM,
    department="Finance",
    manager_id=LEA,
    role_ids=[ROLE],
    drop_assignment_ids=[OLD],
    leave_group_ids=[GROUP],
)


def _nova(*, moved: bool = False, source: str = "direct", status: str = "active", **answers: Answer) -> ScriptedNova:
    def identity(called: Called) -> JsonObject:
        if called.path["identity_id"] == LEA:
            return {"id": LEA, "display_name": "Lea Brandt", "status": "active"}
        place: JsonObject = {"department": "Finance", "manager": {"id": LEA}} if moved else {"department": "Sales"}
        return {"id": TIM, "display_name": "Tim Vogt", "status": status, **place}

    held: JsonObject = {"assignment_id": OLD, "role": {"id": "rol_old", "display_name": "CRM"}, "source": source}
    new: JsonObject = {"assignment_id": "asg_new", "role": {"id": ROLE}, "source": "direct"}
    items: list[JsonValue] = [new] if moved else [held]
    groups: list[JsonValue] = [] if moved else [{"id": GROUP, "display_name": "Sales team"}]
    return ScriptedNova(
        {
            "GET /identities/{identity_id}": identity,
            "GET /identities/{identity_id}/access": {"items": items, "groups": groups},
            "POST /roles/evaluate-birthrights": {},
            "GET /roles/{role_id}": {"id": ROLE, "display_name": "Ledger", "status": "active"},
            **answers,
        }
    )


async def test_c13_one_card_shows_the_whole_plan() -> None:
    assert MOVE_IDENTITY.show is not None
    nova = _nova()

    shown = await MOVE_IDENTITY.show(MOVE, nova)

    assert shown.subject == "Tim Vogt"
    assert shown.changes == (
        Change(field="department", before="Sales", after="Finance"),
        Change(field="manager_id", before=None, after=LEA),
    )
    assert shown.consequences == (
        Consequence(type="assignment", count=1, names=("CRM",), result="revoked"),
        Consequence(type="membership", count=1, names=("Sales team",), result="removed"),
        Consequence(type="assignment", count=1, names=("Ledger",), result="granted"),
    )
    assert nova.ran == []


async def test_the_steps_run_from_safe_to_unsafe_through_the_gate() -> None:
    nova = _nova()

    result = await MOVE_IDENTITY.run(MOVE, nova)

    assert nova.ran == [
        ("update_identity", {"identity_id": TIM, "department": "Finance", "manager_id": LEA}),
        ("assign_role", {"identity_id": TIM, "role_id": ROLE}),
        ("revoke_assignment", {"assignment_id": OLD}),
        ("remove_group_member", {"group_id": GROUP, "identity_id": TIM}),
    ]
    assert isinstance(result, dict)
    assert result["complete"] is True
    assert {name for name, _ in nova.ran} == set(MOVE_IDENTITY.inner_tools)


@pytest.mark.parametrize(
    "nova",
    [
        _nova(moved=True),
        _nova(status="disabled"),
        _nova(source="birthright"),
        _nova(**{"GET /roles/{role_id}": NovaConflict("No.")}),  # type: ignore[arg-type] # only answers are named so
    ],
)
async def test_the_whole_is_refused_before_anything_changes(nova: ScriptedNova) -> None:
    with pytest.raises(NovaProblem):
        await MOVE_IDENTITY.run(MOVE, nova)

    assert nova.ran == []


def _ruled(role_id: str = "rol_new") -> JsonObject:
    def role(one: str, name: str) -> JsonObject:
        return {"role": {"id": one, "display_name": name}, "source": "birthright"}

    return {
        "granted": [role(role_id, "Ledger")],
        "revoked": [role("rol_old", "Quotes")],
        "joining": [{"id": "grp_new", "display_name": "Accountants"}],
        "leaving": [{"id": "grp_old", "display_name": "Sellers"}],
    }


async def test_c13_the_card_names_what_the_rules_will_take_and_give() -> None:
    assert MOVE_IDENTITY.show is not None
    nova = _nova(**{"POST /roles/evaluate-birthrights": _ruled()})  # type: ignore[arg-type] # answers

    shown = await MOVE_IDENTITY.show(MOVE, nova)
    result = await MOVE_IDENTITY.run(MOVE, nova)

    told = [(one.type, one.result, one.names) for one in shown.consequences]
    assert told == [
        ("assignment", "revoked", ("CRM",)),
        ("assignment", "revoked", ("Quotes",)),
        ("membership", "removed", ("Sales team",)),
        ("membership", "removed", ("Sellers",)),
        ("assignment", "granted", ("Ledger",)),
        ("assignment", "granted", ("Ledger",)),
        ("membership", "added", ("Accountants",)),
    ]
    assert isinstance(result, dict)
    by_rules = {"revoked": ["Quotes"], "leaving": ["Sellers"], "granted": ["Ledger"], "joining": ["Accountants"]}
    assert result["by_rules"] == by_rules
    asked = next(one.body for one in nova.called if one.endpoint == "POST /roles/evaluate-birthrights")
    assert asked == {"identity_id": TIM, "department": "Finance", "manager_id": LEA}


async def test_a_role_that_the_rules_give_at_the_new_place_is_not_assigned_as_well() -> None:
    nova = _nova(**{"POST /roles/evaluate-birthrights": _ruled(ROLE)})  # type: ignore[arg-type] # answers

    await MOVE_IDENTITY.run(MOVE, nova)

    assert "assign_role" not in {name for name, _ in nova.ran}
