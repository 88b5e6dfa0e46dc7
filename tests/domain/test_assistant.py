"""Which assistants cannot exist."""

import dataclasses
from datetime import UTC

import pytest

from nova_ui.domain.ai_routine import AiRoutine
from nova_ui.domain.assistant import Audience, AudienceKind, ToolList
from nova_ui.domain.clock import SystemClock
from nova_ui.domain.identity import IdentityId, Language, Role
from nova_ui.errors import AssistantRuleBroken
from tests.builders import an_admin_chat, an_administrator, an_assistant, an_identity

EVERYONE = Audience(kind=AudienceKind.EVERYONE)
ADMINISTRATORS = Audience(kind=AudienceKind.ADMINISTRATORS)
ONLY_ADMINISTRATORS_BY_ROLE = Audience(kind=AudienceKind.ROLES, roles=frozenset({Role.ADMINISTRATOR}))


def broken_by(change: object) -> str:
    with pytest.raises(AssistantRuleBroken) as broken:
        change()  # type: ignore[operator]  # a callable in each test
    return broken.value.rule


@pytest.mark.parametrize("audience", [EVERYONE, ONLY_ADMINISTRATORS_BY_ROLE])
def test_b3_all_tools_are_for_administrators_only_in_either_order_of_edits(audience: Audience) -> None:
    restricted = dataclasses.replace(an_assistant(audience=AudienceKind.ADMINISTRATORS), tools=ToolList(all_tools=True))
    is_open = an_assistant()

    assert broken_by(lambda: dataclasses.replace(restricted, audience=audience)) == "B3"
    assert broken_by(lambda: dataclasses.replace(is_open, tools=ToolList(all_tools=True), audience=audience)) == "B3"


@pytest.mark.parametrize(
    ("weaker", "reason"),
    [
        ({"tools": ToolList(names=frozenset({"list_groups"}))}, "admin_chat_has_all_tools"),
        ({"audience": EVERYONE}, "admin_chat_is_for_administrators"),
        ({"enabled": False}, "admin_chat_stays_enabled"),
    ],
)
def test_b4_the_admin_chat_is_never_weakened(weaker: dict[str, object], reason: str) -> None:
    with pytest.raises(AssistantRuleBroken) as broken:
        dataclasses.replace(an_admin_chat(), **weaker)  # type: ignore[arg-type]  # by name in tests

    assert (broken.value.rule, broken.value.reason) == ("B4", reason)


def test_b3_the_reason_is_told() -> None:
    with pytest.raises(AssistantRuleBroken) as broken:
        dataclasses.replace(an_assistant(), tools=ToolList(all_tools=True))

    assert (broken.value.rule, broken.value.reason) == ("B3", "all_tools_need_administrators")


def test_b4_the_admin_chat_is_for_administrators_even_without_all_tools() -> None:
    tools = ToolList(names=frozenset({"list_groups"}))

    assert broken_by(lambda: dataclasses.replace(an_admin_chat(), tools=tools, audience=EVERYONE)) == "B4"


def test_b4_the_admin_chat_is_the_preset_and_no_other_is() -> None:
    assert an_admin_chat().is_preset
    assert not an_assistant().is_preset


def test_b5_an_audience_admits_whom_it_names() -> None:
    auditors = Audience(kind=AudienceKind.ROLES, roles=frozenset({Role.AUDITOR}))

    assert EVERYONE.admits(an_identity())
    assert auditors.admits(an_identity(Role.AUDITOR))
    assert not auditors.admits(an_administrator())
    assert ADMINISTRATORS.admits(an_administrator())
    assert not ADMINISTRATORS.admits(an_identity(Role.AUDITOR))


@pytest.mark.parametrize("name", ["List_groups", "list_groups ", "", "list_group"])
def test_b8_a_tool_list_holds_names_byte_for_byte(name: str) -> None:
    tools = ToolList(names=frozenset({"list_groups"}))

    assert tools.holds("list_groups")
    assert not tools.holds(name)


def test_b5_an_audience_of_groups_admits_only_whose_membership_was_looked_up() -> None:
    """Abuse case 13."""
    sales = Audience(kind=AudienceKind.GROUPS, group_ids=frozenset({"grp_sales", "grp_staff"}))
    unknown, member = an_administrator(), dataclasses.replace(an_identity(), group_ids=frozenset({"grp_staff"}))

    assert sales.admits(member)
    assert not sales.admits(unknown)
    assert not sales.admits(dataclasses.replace(member, group_ids=frozenset({"grp_other"})))
    assert not Audience(kind=AudienceKind.GROUPS).admits(member)
    assert sales.asks_for_groups == {"grp_sales", "grp_staff"}
    assert dataclasses.replace(sales, kind=AudienceKind.EVERYONE).asks_for_groups == frozenset()


def test_an_assistant_is_named_in_the_language_then_in_english_then_by_its_key() -> None:
    named = dataclasses.replace(an_assistant(), names={Language.GERMAN: "Hilfe"})
    both = dataclasses.replace(named, names={Language.GERMAN: "Hilfe", Language.ENGLISH: "Help"})
    english = dataclasses.replace(named, names={Language.ENGLISH: "Help"})

    assert [one.name_in(Language.GERMAN) for one in (both, named, english)] == ["Hilfe", "Hilfe", "Help"]
    assert [one.name_in(Language.ENGLISH) for one in (both, named)] == ["Help", "helpdesk"]


def test_a_routine_is_an_assistant_with_its_own_model_and_list() -> None:
    routine = AiRoutine(
        key="nightly",
        names={Language.ENGLISH: "Nightly"},
        prompt="Look.",
        tool_names=frozenset({"list_groups"}),
        acts_as=IdentityId("idn_ada"),
        model="prf_1",
    )
    assistant = routine.as_assistant()

    assert (assistant.key, assistant.model, assistant.prompt) == ("nightly", "prf_1", "")
    assert assistant.tools == ToolList(names=frozenset({"list_groups"}))


def test_the_system_s_clock_tells_utc() -> None:
    assert SystemClock().now().tzinfo is UTC
