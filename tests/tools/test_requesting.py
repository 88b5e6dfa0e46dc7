"""A request is for oneself, and refused as a whole when one part of it could not be granted."""

import pytest
from pydantic import ValidationError

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaConflict, NovaInvalid, NovaProblem
from nova_ui.tools.requesting import REQUEST_ACCESS, RequestAccess
from tests.fakes.scripted_nova import Called, ScriptedNova

VPN = "rol_0123456789abcdefghj1"
PAYROLL = "rol_0123456789abcdefghj2"
OTHER = "rol_0123456789abcdefghj3"
WHY = "I work from home"


def _entry(role_id: str, **more: str | bool | None) -> JsonObject:
    return {"role_id": role_id, "display_name": role_id[-1], "held": False, **more}


async def _request(arguments: RequestAccess, *entries: JsonObject) -> ScriptedNova:
    nova = ScriptedNova(
        {
            "GET /catalog": {"items": list(entries), "next_cursor": None, "total": len(entries)},
            "POST /access-requests": {"id": "req_1"},
        }
    )
    await REQUEST_ACCESS.run(arguments, nova)
    return nova


async def test_a4_a_request_names_no_beneficiary_but_the_caller() -> None:
    nova = await _request(RequestAccess(role_ids=[VPN, PAYROLL], justification=WHY), _entry(VPN), _entry(PAYROLL))

    assert nova.called[-1].body == {
        "items": [{"role_id": VPN, "action": "grant"}, {"role_id": PAYROLL, "action": "grant"}],
        "justification": WHY,
    }
    with pytest.raises(ValidationError):
        RequestAccess.model_validate({"role_ids": [VPN], "justification": WHY, "beneficiary_id": "idn_1"})


async def test_a_role_named_twice_is_asked_for_once() -> None:
    nova = await _request(RequestAccess(role_ids=[VPN, VPN], justification=WHY), _entry(VPN))

    assert nova.called[-1].body == {"items": [{"role_id": VPN, "action": "grant"}], "justification": WHY}


async def test_a_role_that_is_held_for_a_time_is_extended() -> None:
    arguments = RequestAccess(role_ids=[VPN], justification=WHY, valid_until="2027-01-31")

    nova = await _request(arguments, _entry(VPN, held=True, held_until="2026-06-30T00:00:00Z"))

    assert nova.called[-1].body == {
        "items": [{"role_id": VPN, "action": "extend", "valid_until": "2027-01-31"}],
        "justification": WHY,
    }


@pytest.mark.parametrize(
    ("entry", "until", "kind"),
    [
        (_entry(OTHER), None, NovaInvalid),
        (_entry(VPN, open_request_id="req_9"), None, NovaConflict),
        (_entry(VPN, held=True), "2027-01-31", NovaConflict),
        (_entry(VPN, held=True, held_until="2026-06-30T00:00:00Z"), None, NovaConflict),
    ],
)
async def test_what_can_not_be_requested_is_refused_before_anything_is_filed(
    entry: JsonObject, until: str | None, kind: type[NovaProblem]
) -> None:
    nova = ScriptedNova({"GET /catalog": {"items": [_entry(PAYROLL), entry], "total": 2}})

    with pytest.raises(kind):
        await REQUEST_ACCESS.run(RequestAccess(role_ids=[PAYROLL, VPN], justification=WHY, valid_until=until), nova)

    assert [called.endpoint for called in nova.called] == ["GET /catalog"]


async def test_the_whole_catalogue_is_read_page_by_page() -> None:
    def page(called: Called) -> JsonObject:
        first = "cursor" not in called.query
        return {"items": [_entry(PAYROLL if first else VPN)], "next_cursor": "more" if first else None, "total": 2}

    nova = ScriptedNova({"GET /catalog": page, "POST /access-requests": {"id": "req_1"}})

    await REQUEST_ACCESS.run(RequestAccess(role_ids=[VPN], justification=WHY), nova)

    assert [called.endpoint for called in nova.called] == ["GET /catalog", "GET /catalog", "POST /access-requests"]
