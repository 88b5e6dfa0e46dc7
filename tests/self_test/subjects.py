"""Assistants to be tested, and stages on which they stand: built once, since that takes seconds."""

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final
from unittest.mock import patch

from nova_ui.bootstrap import build_parts
from nova_ui.domain.assistant import Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.domain.clock import SystemClock
from nova_ui.domain.identity import Language
from nova_ui.self_test.findings import Tried
from nova_ui.self_test.stage import Stage, open_stage
from nova_ui.self_test.subject import Subject
from nova_ui.self_test.tester import ATTACKS, try_attack
from nova_ui.tools.registry import build_registry
from storage.chat.assistants import RowAsWritten, stored_assistant

TOOLS: Final = dict(build_registry())


def _assistant(key: str, audience: Audience, *tools: str, **more: object) -> Assistant:
    plain = Assistant(
        key=AssistantKey(key),
        names={Language.ENGLISH: key.title()},
        descriptions={},
        prompt="",
        tools=ToolList(names=frozenset(tools)),
        audience=audience,
    )
    return replace(plain, **more)  # type: ignore[arg-type]  # by name in tests


def _admin_chat() -> Assistant:
    found = stored_assistant(AssistantKey("admin"), None)
    assert found is not None
    return found.assistant


OPEN: Final = Subject(
    assistant=_assistant(
        "helpdesk",
        Audience(kind=AudienceKind.EVERYONE),
        *("list_groups", "get_identity", "delete_group", "disable_identity", "update_group", "create_export"),
    ),
    tools=TOOLS,
    row=RowAsWritten(all_tools=False, audience="everyone", enabled=True),
)
STRICT: Final = Subject(
    assistant=_assistant(
        "personnel",
        Audience(kind=AudienceKind.GROUPS, group_ids=frozenset({"grp_00000000000000007777"})),
        *("list_groups", "delete_group", "disable_identity", "update_group", "onboard_identity"),
        button_only=True,
        ask_before_changes=True,
        type_name_for=frozenset({"delete_group"}),
        prompt="Be strict.",
    ),
    tools=TOOLS,
    row=RowAsWritten(all_tools=False, audience="groups", enabled=True),
)
ADMIN: Final = Subject(
    assistant=_admin_chat(), tools=TOOLS, row=RowAsWritten(all_tools=True, audience="administrators", enabled=True)
)


class Stages:
    """Keeps the stages open, in one loop of their own."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._open: dict[str, Stage] = {}
        self._stack = AsyncExitStack()

    def attack(self, subject: Subject, *rules: str) -> tuple[Tried, ...]:
        """Make the attacks on some rules, or on all."""
        return self._runner.run(self._attack(subject, rules))

    def open(self, subject: Subject) -> None:
        """Build the stage of a subject, with everything sound."""
        self._runner.run(self._stage(subject))

    def close(self) -> None:
        """Throw the stages away."""
        self._runner.run(self._stack.aclose())
        self._runner.close()

    async def _attack(self, subject: Subject, rules: tuple[str, ...]) -> tuple[Tried, ...]:
        logging.disable(logging.CRITICAL)
        try:
            stage = await self._stage(subject)
            return tuple([await try_attack(stage, one) for one in ATTACKS if not rules or one.rule in rules])
        finally:
            logging.disable(logging.NOTSET)

    async def _stage(self, subject: Subject) -> Stage:
        key = subject.assistant.key
        if key not in self._open:
            with patch("nova_ui.bootstrap.build_registry", lambda: TOOLS):  # so that faults can be planted in it
                opening = open_stage(subject, build_parts, SystemClock().now)
                self._open[key] = await self._stack.enter_async_context(opening)
        return replace(self._open[key], subject=subject)
