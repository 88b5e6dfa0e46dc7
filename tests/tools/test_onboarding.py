"""Onboarding checks all first, creates and equips in this order, and goes on where it stopped."""

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaConflict, NovaInvalid, NovaNotFound, NovaProblem
from nova_ui.tools.onboarding import ONBOARD_IDENTITY, OnboardIdentity
from tests.fakes.scripted_nova import Answer, Called, ScriptedNova

ANNA = "idn_0123456789abcdefghj1"
LEA = "idn_0123456789abcdefghj2"
GROUP = "grp_0123456789abcdefghj1"
ROLE = "rol_0123456789abcdefghj1"
GIVEN = {
    "user_name": "anna.berg",
    "given_name": "Anna",
    "family_name": "Berg",
    "manager_id": LEA,
    "group_ids": [GROUP],
    "role_ids": [ROLE],
    "justification": "New colleague",
}


def _nova(*present: JsonObject, held: tuple[str, ...] = (), **answers: Answer) -> ScriptedNova:
    def access(called: Called) -> JsonObject:
        items: list[JsonValue] = [{"role": {"id": "rol_x", "display_name": "Mail"}, "source": "birthright"}]
        items += [{"role": {"id": one}, "source": "direct"} for one in held]
        groups: list[JsonValue] = [{"id": one} for one in held]
        return {"identity": {"id": called.path["identity_id"]}, "items": items, "groups": groups}

    return ScriptedNova(
        {
            "GET /identities/{identity_id}": {"id": LEA, "display_name": "Lea Brandt", "status": "active"},
            "GET /identities": {"items": list(present), "total": len(present)},
            "GET /identities/{identity_id}/access": access,
            "GET /groups/{group_id}": {"id": GROUP, "display_name": "Team", "source": "nova", "membership": "manual"},
            "GET /roles/{role_id}": {"id": ROLE, "display_name": "VPN", "status": "active"},
            "POST /roles/evaluate-birthrights": {"granted": []},
            "create_identity": {"id": ANNA},
            **answers,
        }
    )


def _anna(**changed: JsonValue) -> OnboardIdentity:
    return OnboardIdentity.model_validate(GIVEN | changed)


async def test_who_joins_is_created_then_put_into_groups_then_given_roles() -> None:
    nova = _nova()

    result = await ONBOARD_IDENTITY.run(_anna(), nova)

    assert [name for name, _ in nova.ran] == ["create_identity", "add_group_members", "assign_role"]
    assert "group_ids" not in nova.ran[0][1]
    assert nova.ran[1][1] == {"group_id": GROUP, "identity_ids": [ANNA]}
    assert nova.ran[2][1] == {"identity_id": ANNA, "role_id": ROLE, "justification": "New colleague"}
    assert isinstance(result, dict)
    assert (result["complete"], result["created_id"], result["manager_told"]) == (True, ANNA, "Lea Brandt")
    assert result["came_with_the_job"] == [{"role": {"id": "rol_x", "display_name": "Mail"}, "source": "birthright"}]


async def test_running_it_again_continues_with_what_is_left() -> None:
    same: JsonObject = {"id": ANNA, "given_name": "Anna", "family_name": "Berg", "status": "active"}
    half, whole = _nova(same), _nova(same, held=(GROUP, ROLE))

    await ONBOARD_IDENTITY.run(_anna(), half)
    result = await ONBOARD_IDENTITY.run(_anna(), whole)

    assert [name for name, _ in half.ran] == ["add_group_members", "assign_role"]
    assert whole.ran == []
    assert isinstance(result, dict)
    assert result["complete"] is True


@pytest.mark.parametrize(
    ("endpoint", "answer"),
    [
        ("GET /identities/{identity_id}", {"status": "disabled"}),
        ("GET /identities/{identity_id}", NovaNotFound("No.")),
        ("GET /groups/{group_id}", {"source": "connector"}),
        ("GET /groups/{group_id}", {"source": "nova", "membership": "rule"}),
        ("GET /roles/{role_id}", {"status": "draft"}),
        (
            "GET /identities",
            {"items": [{"id": ANNA, "given_name": "Ann", "family_name": "Berg", "status": "active"}], "total": 1},
        ),
        (
            "GET /identities",
            {"items": [{"id": ANNA, "given_name": "Anna", "family_name": "Berg", "status": "disabled"}], "total": 1},
        ),
    ],
)
async def test_the_whole_is_refused_before_anything_is_created(endpoint: str, answer: Answer) -> None:
    nova = _nova()
    nova.answers = {**nova.answers, endpoint: answer}

    with pytest.raises(NovaProblem):
        await ONBOARD_IDENTITY.run(_anna(), nova)

    assert nova.ran == []


async def test_roles_wait_until_somebody_is_active() -> None:
    nova = _nova()

    with pytest.raises(NovaInvalid):
        await ONBOARD_IDENTITY.run(_anna(status="staged"), nova)

    assert nova.ran == []


async def test_a_failure_tells_what_was_created_and_what_is_left() -> None:
    nova = _nova(add_group_members=NovaConflict("No."))

    result = await ONBOARD_IDENTITY.run(_anna(), nova)

    assert isinstance(result, dict)
    assert (result["complete"], result["created_id"], result["steps_done"], result["steps_not_run"]) == (
        False,
        ANNA,
        1,
        1,
    )


async def test_b2_every_tool_that_it_runs_is_declared() -> None:
    nova = _nova()

    await ONBOARD_IDENTITY.run(_anna(), nova)

    assert {name for name, _ in nova.ran} == set(ONBOARD_IDENTITY.inner_tools)
    assert {called.endpoint for called in nova.called} <= set(ONBOARD_IDENTITY.endpoints)


async def test_a_role_that_comes_with_the_job_is_not_assigned_as_well() -> None:
    coming: JsonObject = {"granted": [{"role": {"id": ROLE, "display_name": "VPN"}, "source": "birthright"}]}
    nova = _nova(**{"POST /roles/evaluate-birthrights": coming})  # type: ignore[arg-type] # only answers are named so

    await ONBOARD_IDENTITY.run(OnboardIdentity.model_validate({**GIVEN, "department": "Sales"}), nova)

    asked = next(one.body for one in nova.called if one.endpoint == "POST /roles/evaluate-birthrights")
    assert asked == {"user_type": "employee", "department": "Sales", "manager_id": LEA}
    assert [name for name, _ in nova.ran] == ["create_identity", "add_group_members"]
