"""The self-test as the administration asks for it: what it would cost, and the run itself."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Protocol

from nova_ui.chat.prompt import system_message
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.clock import Clock
from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.identity import Identity, IdentityId, Role
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.guardrails.limits import MAX_TURN_RESULT_CHARS
from nova_ui.llm.port import Mode, Model
from nova_ui.self_test.bounded_model import MAX_REQUESTS_EACH, MAX_SECONDS
from nova_ui.self_test.by_model import PROMPTS
from nova_ui.self_test.stage import BuildStage, staged
from nova_ui.self_test.subject import Subject
from nova_ui.self_test.tester import ATTACKS, SelfTest
from nova_ui.tools.registry import offer
from storage.chat.assistants import RowAsWritten

_CHARS_PER_TOKEN: Final = 3


class Models(Protocol):
    """Knows which model answers for an assistant."""

    def for_assistant(self, assistant: Assistant) -> Model:
        """Return the assistant's model."""


class OnRequest:
    """Tests what is handed in as values; of the live server it knows the tools, the models and the clock."""

    def __init__(self, build: BuildStage, tools: Mapping[str, AnyTool], models: Models, clock: Clock) -> None:
        self._test = SelfTest(build, clock)
        self._tools = tools
        self._models = models
        self._clock = clock

    def plan(self, assistant: Assistant) -> JsonObject:
        """Return what a run comes to before it begins; the model's share is at most that much."""
        model = self._models.for_assistant(assistant)
        subject = Subject(assistant=assistant, tools=self._tools)
        aims = bool(subject.of_kind(ToolKind.DESTRUCTIVE))
        prompts = sum(aims or not prompt.is_destructive for prompt in PROMPTS)
        requests = prompts * MAX_REQUESTS_EACH
        return {
            "attacks": len(ATTACKS),
            "model": model.name,
            "mode": model.mode.value,
            "asks_model": model.mode is not Mode.BUILT_IN,
            "prompts": prompts,
            "max_requests": requests,
            "max_input_tokens": requests * self._tokens(subject),
            "max_seconds": round(MAX_SECONDS),
        }

    async def run(
        self,
        assistant: Assistant,
        row: RowAsWritten | None,
        progress: Callable[[int, int], Awaitable[None]],
        *,
        with_model: bool,
    ) -> JsonObject:
        """Attack the assistant and return the report; `progress` may raise to end it early."""
        subject = Subject(assistant=assistant, tools=self._tools, row=row)
        model = self._models.for_assistant(assistant) if with_model else None
        return (await self._test.run(subject, progress, model=model)).as_json()

    def _tokens(self, subject: Subject) -> int:
        """Return how many tokens one request holds at most: the prompt, the tools, and results up to their limit."""
        someone = Identity(id=IdentityId(""), user_name="", display_name="", roles=frozenset(Role))
        prompt = system_message(staged(subject.assistant), someone, self._clock.now().date()).text
        asks = subject.assistant.ask_before_changes
        offers = [offer(tool, waits=needs_confirmation(tool, every_change=asks)) for tool in subject.listed]
        tools = sum(len(one.description) + len(json.dumps(one.schema)) for one in offers)
        return (len(prompt) + tools + MAX_TURN_RESULT_CHARS) // _CHARS_PER_TOKEN
