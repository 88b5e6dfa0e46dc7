"""A message says whom it reaches before it goes out, and goes to exactly those."""

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.presenters.actions import Actions
from nova_ui.presenters.identity_kind import IDENTITY_LIST
from nova_ui.presenters.message_action import SEND_MESSAGE
from nova_ui.presenters.object_form import fill
from tests.builders import an_administrator, an_identity
from tests.fakes.page_nova import PageNova

TEXT: JsonObject = {"title": "Maintenance", "body": "Nova is away on Sunday."}
TIM, LEA = "idn_0123456789abcdefghj1", "idn_0123456789abcdefghj2"


@pytest.mark.parametrize(
    ("entered", "query", "audience"),
    [
        ({"audience": "everyone", "group_id": "grp_1"}, {"everyone": "true"}, {"everyone": True}),
        ({"audience": "group", "group_id": "grp_1"}, {"group_id": "grp_1"}, {"group_id": "grp_1"}),
        ({"audience": "role", "role_id": "rol_1", "group_id": "grp_1"}, {"role_id": "rol_1"}, {"role_id": "rol_1"}),
        (
            {"audience": "people", "identity_ids": [TIM, LEA]},
            {"identity_ids": f"{TIM},{LEA}"},
            {"identity_ids": [TIM, LEA]},
        ),
        ({"audience": "group", "identity_ids": [TIM]}, {}, {}),
    ],
)
async def test_who_is_weighed_is_who_gets_it(
    entered: dict[str, JsonValue], query: JsonObject, audience: JsonObject
) -> None:
    effects: list[JsonValue] = [{"type": "notification", "count": 2, "names": ["Lea", "Tim"], "result": "sent"}]
    nova = PageNova({"GET /notifications/impact": {"effects": effects}, "POST /notifications": {}})
    actions = Actions(nova)
    body = fill(SEND_MESSAGE.fields, {**entered, **TEXT}).body

    prepared = await actions.weigh(await actions.prepare(SEND_MESSAGE, {}), body)
    await actions.run(prepared, body)

    assert [(one.type, one.count) for one in prepared.consequences] == [("notification", 2)]
    assert nova.called[0].query == {"action": "send", **query}
    assert nova.called[1].body == {"audience": audience, **TEXT}


def test_only_administrators_are_offered_it_beside_the_list_of_identities() -> None:
    assert SEND_MESSAGE in IDENTITY_LIST.actions
    assert SEND_MESSAGE.is_offered(an_administrator(), {})
    assert not SEND_MESSAGE.is_offered(an_identity(), {})
