"""Comparing and explaining tell where each right comes from, and say so where there is none."""

import pytest
from pydantic import ValidationError

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaNotFound
from nova_ui.tools.comparing import COMPARE_ACCESS, EXPLAIN_ACCESS, CompareAccess, ExplainAccess
from nova_ui.tools.reports import RUN_REPORT, RunReport
from nova_ui.tools.results import rows_of
from tests.fakes.scripted_nova import Answer, ScriptedNova

TIM = "idn_0123456789abcdefghj1"
LEA = "idn_0123456789abcdefghj2"
ROLE = "rol_0123456789abcdefghj1"
RIGHT = "ent_0123456789abcdefghj1"
REQUEST = "req_0123456789abcdefghj1"


def _held(source: str, **more: JsonValue) -> JsonObject:
    return {
        "assignment_id": "asg_1",
        "role": {"id": ROLE, "display_name": "VPN"},
        "source": source,
        "source_id": REQUEST if source == "request" else None,
        "why": "Because.",
        **more,
    }


def _nova(*held: JsonObject, request: Answer = None) -> ScriptedNova:
    approvals: list[JsonValue] = [
        {
            "step": 1,
            "approver": {"id": LEA, "display_name": "Lea"},
            "status": "approved",
            "decided_at": "2026-03-02T09:00:00Z",
        },
        {"step": 2, "approver": {"id": TIM, "display_name": "Tim"}, "status": "skipped"},
    ]
    filed: JsonObject = {"id": REQUEST, "requester": {"id": TIM}, "approvals": approvals, "status": "completed"}
    earlier: list[JsonValue] = [{"id": "asg_0", "status": "revoked", "created_at": "2025-03-02T09:00:00Z"}]
    access: JsonObject = {"identity": {"id": TIM, "display_name": "Tim"}, "items": list(held)}
    return ScriptedNova(
        {
            "GET /identities/{identity_id}/access": access,
            "GET /me/access": access,
            "GET /assignments": {"items": earlier},
            "GET /assignments/{assignment_id}": {"created_at": "2026-03-02T09:05:00Z"},
            "GET /access-requests/{request_id}": request or filed,
        }
    )


async def test_a_right_that_was_asked_for_says_who_agreed_and_when() -> None:
    result = await EXPLAIN_ACCESS.run(ExplainAccess(identity_id=TIM, role_id=ROLE), _nova(_held("request")))

    assert isinstance(result, dict)
    assert (result["total"], result["shown"]) == (1, 1)
    items = rows_of(result)
    assert [item["granted_at"] for item in items] == ["Mon 2026-03-02 09:05:00 UTC"]
    request = items[0]["request"]
    assert isinstance(request, dict)
    assert request["agreed"] == [
        {
            "step": 1,
            "approver": {"id": LEA, "display_name": "Lea"},
            "status": "approved",
            "decided_at": "Mon 2026-03-02 09:00:00 UTC",
        }
    ]


async def test_a_request_that_one_may_not_see_is_said_to_be_so() -> None:
    nova = _nova(_held("request"), request=NovaNotFound("No."))

    result = await EXPLAIN_ACCESS.run(ExplainAccess(role_id=ROLE), nova)

    assert "not visible" in str(result)
    assert nova.called[0].endpoint == "GET /me/access"


@pytest.mark.parametrize(
    ("item", "ways", "included_in"),
    [
        (_held("request"), [{"assignment_id": "asg_1", "roles": [{"id": ROLE, "display_name": "VPN"}]}], [ROLE]),
        (_held("direct", role=None, entitlement={"id": RIGHT}), [{"assignment_id": "asg_1", "roles": []}], []),
        (_held("direct", role=None, entitlement={"id": RIGHT}, status="scheduled"), [], []),
    ],
)
async def test_an_entitlement_is_explained_by_what_gives_it_though_only_a_role_was_assigned(
    item: JsonObject, ways: list[JsonValue], included_in: list[str]
) -> None:
    nova = _nova(item, _held("direct", assignment_id="asg_2"))
    access = nova.answers["GET /me/access"]
    assert isinstance(access, dict)
    access["entitlements"] = [{"entitlement": {"id": RIGHT}, "paths": ways}] if ways else []

    result = await EXPLAIN_ACCESS.run(ExplainAccess(entitlement_id=RIGHT), nova)

    assert isinstance(result, dict)
    (explained,) = rows_of(result)
    assert explained["assignment_id"] == "asg_1"
    assert [role["id"] for role in rows_of({"items": explained.get("included_in")})] == included_in


@pytest.mark.parametrize("given", [{}, {"role_id": ROLE, "entitlement_id": RIGHT}])
def test_exactly_one_right_is_explained(given: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="either"):
        ExplainAccess.model_validate(given)


async def test_a_right_that_is_not_held_says_so_and_tells_of_earlier() -> None:
    result = await EXPLAIN_ACCESS.run(ExplainAccess(identity_id=TIM, role_id=ROLE), _nova())

    assert isinstance(result, dict)
    assert (result["total"], result["nothing_matches"]) == (0, f"{ROLE} is not held now. It was, earlier.")
    assert result["earlier"] == [{"id": "asg_0", "status": "revoked", "created_at": "Sun 2025-03-02 09:00:00 UTC"}]


async def test_a_comparison_starts_with_its_counts_and_shows_at_most_twenty_of_each() -> None:
    many: list[JsonValue] = [
        {"type": "role", "id": f"rol_{number}", "display_name": f"R{number}", "left": [{"source": "direct"}]}
        for number in range(25)
    ]
    nova = ScriptedNova({"GET /identities/compare": {"shared": many, "only_left": [], "only_right": many[:1]}})

    result = await COMPARE_ACCESS.run(CompareAccess(left_id=TIM, right_id=LEA), nova)

    assert isinstance(result, dict)
    assert list(result)[:3] == ["shared_total", "only_left_total", "only_right_total"]
    assert (result["shared_total"], result["only_left_total"], result["only_right_total"]) == (25, 0, 1)
    assert isinstance(result["shared"], list)
    assert (len(result["shared"]), result["shared_shown"]) == (20, 20)


async def test_a_report_starts_with_total_and_shown() -> None:
    rows: list[JsonValue] = [{"identity": {"id": TIM}, "last_sign_in_at": "2026-03-02T09:00:00Z"}]
    counts: list[JsonValue] = [{"key": "total", "count": 1}, {"key": "never_signed_in", "count": 0}]
    nova = ScriptedNova(
        {"GET /reports/{key}": {"total": 1, "counts": counts, "items": rows, "parameters": {"days": 90}}}
    )

    result = await RUN_REPORT.run(RunReport(report="inactive_identities", days=90), nova)

    assert isinstance(result, dict)
    assert list(result)[:2] == ["total", "shown"]
    assert result["items"] == [{"identity": {"id": TIM}, "last_sign_in_at": "Mon 2026-03-02 09:00:00 UTC"}]
    assert nova.called[0].query == {"days": 90, "limit": 25}
