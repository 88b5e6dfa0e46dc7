"""What one may ask for and pass on, as the page of one's own access says it to Nova."""

from nova_ui.domain.json_value import JsonObject
from nova_ui.presenters.own_access import DELEGATE, read_catalogue, request_body
from tests.builders import an_identity


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
