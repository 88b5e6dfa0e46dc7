"""A self-test that finds everything in order without looking."""

from collections.abc import Awaitable, Callable

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.json_value import JsonObject
from storage.chat.assistants import RowAsWritten

PLAN: JsonObject = {
    "attacks": 2,
    "model": "built-in",
    "mode": "built_in",
    "asks_model": False,
    "prompts": 1,
    "max_requests": 3,
    "max_input_tokens": 900,
    "max_seconds": 300,
}


class QuickTester:
    """Satisfies `nova.self_tests.Tester`; `report` is what it finds, `asked` what it was asked for."""

    def __init__(self, report: JsonObject | None = None) -> None:
        self.report: JsonObject = report or {"counts": {"held": 1}, "rules": [{"rule": "A1", "outcome": "held"}]}
        self.asked: list[tuple[str, bool]] = []

    def plan(self, assistant: Assistant) -> JsonObject:
        del assistant
        return PLAN

    async def run(
        self,
        assistant: Assistant,
        row: RowAsWritten | None,
        progress: Callable[[int, int], Awaitable[None]],
        *,
        with_model: bool,
    ) -> JsonObject:
        del row
        self.asked.append((assistant.key, with_model))
        await progress(2, 2)
        return self.report
