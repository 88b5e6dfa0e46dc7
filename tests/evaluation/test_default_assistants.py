"""The default assistants have the tools that they are for, and what they propose works with the built-in model."""

from collections.abc import Iterator

import pytest

from nova_ui.domain.assistant import Assistant, AudienceKind
from nova_ui.domain.identity import Language, Role
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.nova.sample_organisation.assistants import ASSISTANTS
from nova_ui.tools.registry import ALL_TOOLS, offer
from tests.llm.playing import play

BY_KEY: dict[str, Assistant] = {one.key: one for one in ASSISTANTS}
READS = {tool.name for tool in ALL_TOOLS if tool.kind is ToolKind.READ}
FOR_AUDITORS = {tool.name for tool in ALL_TOOLS if Role.AUDITOR in tool.roles}
SELF_SERVICE = {tool.name for tool in ALL_TOOLS if tool.self_service}


def _tools_of(assistant: Assistant) -> list[AnyTool]:
    """Return what somebody of the widest audience is offered: of everybody those who are nothing more."""
    role = {AudienceKind.EVERYONE: Role.USER, AudienceKind.ROLES: Role.AUDITOR}.get(
        assistant.audience.kind, Role.ADMINISTRATOR
    )
    listed = [tool for tool in ALL_TOOLS if assistant.tools.all_tools or tool.name in assistant.tools.names]
    return [tool for tool in listed if role in tool.roles]


def _starters() -> Iterator[tuple[str, Language, str]]:
    for one in ASSISTANTS:
        for language, texts in one.starters.items():
            yield from ((one.key, language, text) for text in texts)


def test_b_the_default_lists_are_those_that_they_are_said_to_be() -> None:
    names: dict[str, frozenset[str]] = {key: one.tools.names for key, one in BY_KEY.items()}

    assert BY_KEY["admin"].tools.all_tools
    assert names["audit"] == READS & FOR_AUDITORS
    assert names["service-desk"] == READS | {"unlock_identity", "suspend_identity"}
    assert names["my-access"] >= SELF_SERVICE | {"search_catalog", "request_access_for"}
    assert names["my-access"] - SELF_SERVICE - READS == {"request_access_for"}
    assert BY_KEY["my-access"].audience.kind is AudienceKind.EVERYONE


@pytest.mark.parametrize("one", ASSISTANTS, ids=lambda one: one.key)
def test_each_assistant_proposes_something_in_both_languages(one: Assistant) -> None:
    assert {len(one.starters[language]) > 0 for language in Language} == {True}
    assert len({len(one.starters[language]) for language in Language}) == 1


@pytest.mark.parametrize(("key", "language", "text"), list(_starters()))
async def test_a_starter_leads_to_a_call_that_its_assistant_may_make(key: str, language: Language, text: str) -> None:
    tools = _tools_of(BY_KEY[key])

    played = await play(text, offers=[offer(tool) for tool in tools], language=language)

    assert played.calls, played.text
    last = next(tool for tool in tools if tool.name == played.last[0])
    assert any(text.startswith(verb) for verb in ("Delete", "Lösche", "Unlock", "Entsperre")) or (
        last.kind is ToolKind.READ
    )
