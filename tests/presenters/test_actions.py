from typing import Final

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaPreconditionFailed
from nova_ui.presenters.actions import Action, Actions
from nova_ui.presenters.group_kind import ADD_MEMBERS, GROUP, REMOVE_MEMBER, REPLACE_MEMBERS
from nova_ui.presenters.identity_actions import IDENTITY_ACTIONS
from nova_ui.presenters.object_page import OWNER
from tests.builders import an_administrator, an_identity
from tests.fakes.page_nova import PageNova

ID: Final = "grp_0123456789abcdefghjk"
GROUP_NOW: Final[JsonObject] = {"id": ID, "display_name": "sales", "owners": [], "source": "nova"}
IMPACT: Final = "GET /groups/{group_id}/impact"


def action(key: str) -> Action:
    return next(one for one in (*GROUP.actions, *IDENTITY_ACTIONS) if one.key == key)


def a_nova(impact: JsonObject | None = None) -> PageNova:
    return PageNova(
        {
            "GET /groups/{group_id}": GROUP_NOW,
            IMPACT: impact or {"effects": [{"type": "membership", "count": 2, "names": ["Anna", "Ben"]}]},
            "DELETE /groups/{group_id}": {},
            "PATCH /groups/{group_id}": {},
            "POST /groups/{group_id}/members": {},
        }
    )


async def test_a_destructive_action_is_weighed_first_and_runs_on_the_version_that_was_shown() -> None:
    nova = a_nova()
    actions = Actions(nova)

    prepared = await actions.prepare(action("delete"), {"id": ID, "display_name": "old name"})

    assert nova.calls_of(IMPACT)[0].query == {"action": "delete"}
    assert (prepared.subject, prepared.refusal) == ("sales", None)
    assert [(one.type, one.count, one.names) for one in prepared.consequences] == [("membership", 2, ("Anna", "Ben"))]
    assert nova.calls_of("DELETE /groups/{group_id}") == []

    await actions.run(prepared, {})

    deleted = nova.calls_of("DELETE /groups/{group_id}")[0]
    assert (deleted.path, deleted.if_match, deleted.body) == ({"group_id": ID}, '"7"', None)


async def test_a_refusal_is_known_before_anybody_confirms() -> None:
    nova = a_nova({"effects": [], "refusal": {"code": "protected_object", "detail": "This group is protected."}})

    prepared = await Actions(nova).prepare(action("delete"), GROUP_NOW)

    assert prepared.refusal is not None
    assert prepared.refusal.code == "protected_object"


async def test_the_impact_of_removing_names_group_and_member() -> None:
    nova = a_nova()
    row: JsonObject = {"id": "idn_x", "display_name": "Anna", OWNER: GROUP_NOW}

    await Actions(nova).prepare(REMOVE_MEMBER, row)

    asked = nova.calls_of(IMPACT)[0]
    assert (asked.path, asked.query) == ({"group_id": ID}, {"action": "remove_member", "identity_id": "idn_x"})


async def test_a_change_without_a_change_makes_no_request() -> None:
    nova = a_nova()
    actions = Actions(nova)
    prepared = await actions.prepare(action("edit"), GROUP_NOW)

    assert await actions.run(prepared, {}) is None
    assert nova.calls_of("PATCH /groups/{group_id}") == []


async def test_who_was_too_late_is_refused() -> None:
    nova = a_nova()
    actions = Actions(nova)
    prepared = await actions.prepare(action("edit"), GROUP_NOW)
    nova.answers["PATCH /groups/{group_id}"] = NovaPreconditionFailed("changed")

    with pytest.raises(NovaPreconditionFailed):
        await actions.run(prepared, {"description": "new"})

    assert nova.called[-1].if_match == '"7"'


async def test_one_dialog_is_one_change_however_often_it_is_sent() -> None:
    nova = a_nova()
    actions = Actions(nova)
    prepared = await actions.prepare(ADD_MEMBERS, GROUP_NOW)

    await actions.run(prepared, {"identity_ids": ["idn_x"]})
    await actions.run(prepared, {"identity_ids": ["idn_x"]})

    assert nova.keys[-1] is not None
    assert nova.keys[-1] == nova.keys[-2]


def test_members_are_changed_by_administrators_and_owners_of_groups_kept_here() -> None:
    owner = an_identity()
    owned: JsonObject = {**GROUP_NOW, "owners": [{"id": owner.id, "display_name": "x"}]}

    assert ADD_MEMBERS.is_offered(an_administrator(), GROUP_NOW)
    assert ADD_MEMBERS.is_offered(owner, owned)
    assert not ADD_MEMBERS.is_offered(owner, GROUP_NOW)
    assert not ADD_MEMBERS.is_offered(an_administrator(), {**GROUP_NOW, "source": "connector"})
    assert not ADD_MEMBERS.is_offered(an_administrator(), {**GROUP_NOW, "membership": "rule"})


@pytest.mark.parametrize(
    ("status", "offered"),
    [
        ("active", {"suspend", "disable"}),
        ("suspended", {"activate", "disable"}),
        ("disabled", {"activate", "archive"}),
        ("archived", set()),
    ],
)
def test_an_identity_offers_what_its_state_allows(status: str, offered: set[str]) -> None:
    states = {"activate", "suspend", "disable", "archive"}
    shown = {one.key for one in IDENTITY_ACTIONS if one.is_offered(an_administrator(), {"status": status})}

    assert shown & states == offered
    assert not any(one.is_offered(an_identity(), {"status": status}) for one in IDENTITY_ACTIONS)


async def test_replacing_all_members_begins_with_those_there_are_and_is_weighed_by_what_was_chosen() -> None:
    """C13: the consequences shown are those of just these members."""
    nova = a_nova()
    nova.answers["GET /groups/{group_id}/members"] = {"items": [{"id": "idn_1", "display_name": "Anna"}]}
    nova.answers["PUT /groups/{group_id}/members"] = {}
    actions = Actions(nova)

    prepared = await actions.prepare(REPLACE_MEMBERS, GROUP_NOW)
    assert REPLACE_MEMBERS.fields[0].present(prepared.current) == ["idn_1"]
    assert nova.calls_of(IMPACT) == []
    weighed = await actions.weigh(prepared, {**GROUP_NOW, "identity_ids": ["idn_2", "idn_3"]})
    await actions.run(weighed, {"identity_ids": ["idn_2", "idn_3"]})
    await actions.run(weighed, {})

    assert nova.calls_of(IMPACT)[0].query == {"action": "replace_members", "identity_ids": "idn_2,idn_3"}
    assert [one.count for one in weighed.consequences] == [2]
    first, emptied = nova.calls_of("PUT /groups/{group_id}/members")
    assert (first.body, first.if_match) == ({"identity_ids": ["idn_2", "idn_3"]}, '"7"')
    assert emptied.body == {"identity_ids": []}


@pytest.mark.parametrize(
    ("count", "membership", "offered"), [(200, "manual", True), (201, "manual", False), (1, "rule", False)]
)
def test_replacing_all_members_is_offered_where_the_form_can_hold_them(
    count: int, membership: str, *, offered: bool
) -> None:
    group: JsonObject = {**GROUP_NOW, "membership": membership, "member_count": count}

    assert REPLACE_MEMBERS.is_offered(an_administrator(), group) is offered
    assert REPLACE_MEMBERS.is_offered(an_identity(), group) is False
