"""A card shows the object as it is and what will happen; what cannot be read or done is not shown as if it could."""

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import Change, Consequence, NovaAnswer, Shown
from nova_ui.errors import NovaConflict, NovaForbidden, NovaNotFound, NovaProblem
from nova_ui.tools.showing import Look, show_object
from tests.fakes.scripted_nova import Answer, ScriptedNova

OBJECT = Look(endpoint="GET /groups/{group_id}", path={"group_id": "grp_1"})
IMPACT = Look(endpoint="GET /groups/{group_id}/impact", path={"group_id": "grp_1"}, query={"action": "delete"})
GROUP: JsonObject = {"id": "grp_1", "display_name": "Contractors", "status": "active", "updated_at": "2026-03-02"}


async def _show(found: Answer, impact: JsonObject, after: JsonObject | None = None) -> Shown:
    nova = ScriptedNova({OBJECT.endpoint: found, IMPACT.endpoint: impact})
    return await show_object(nova, OBJECT, IMPACT, fields=("id", "display_name"), unknown="grp_1", after=after)


async def test_c2_c13_a_card_shows_object_changes_and_consequences() -> None:
    effects: JsonObject = {
        "effects": [{"type": "membership", "count": 12, "names": ["Ada", "Ben"], "result": "removed"}],
        "refusal": None,
    }
    found = NovaAnswer(status=200, body=GROUP, etag='"3"')

    shown = await _show(found, effects, {"status": "disabled", "id": "grp_1"})

    assert shown == Shown(
        subject="Contractors",
        current_state={"id": "grp_1", "display_name": "Contractors"},
        changes=(Change(field="status", before="active", after="disabled"),),
        consequences=(Consequence(type="membership", count=12, names=("Ada", "Ben"), result="removed"),),
        etag='"3"',
    )


@pytest.mark.parametrize("problem", [NovaNotFound(), NovaForbidden()])
async def test_c2_no_object_and_no_right_to_read_it_look_the_same(problem: NovaProblem) -> None:
    shown = await _show(problem, {"effects": [], "refusal": None})

    assert shown == Shown(subject="grp_1")


@pytest.mark.parametrize(
    ("code", "kind"),
    [("last_administrator", NovaConflict), ("self_lockout", NovaConflict), ("forbidden", NovaForbidden)],
)
async def test_nobody_is_asked_to_confirm_what_would_be_refused(code: str, kind: type[NovaProblem]) -> None:
    refusal: JsonObject = {"effects": [], "refusal": {"code": code, "detail": "This is the last administrator."}}

    with pytest.raises(kind, match="last administrator") as refused:
        await _show(GROUP, refusal)

    assert refused.value.code == code
