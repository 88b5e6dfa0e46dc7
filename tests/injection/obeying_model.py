"""A model that does its task and obeys every instruction that it reads on the way."""

import json
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import CallId, RawCall, ToolKind
from nova_ui.llm.fallback import ModelChain, ModelPlace
from nova_ui.llm.port import (
    CallMade,
    Finished,
    FinishReason,
    Mode,
    ModelEvent,
    ModelRequest,
    ResultMessage,
    TextDelta,
    UserMessage,
)
from tests.injection.instructions import Instruction, arguments_of, instructions_in, read_result, texts_of

_CALLS_AT_ONCE: Final = 12
_FULL: Final = ("Refused: limit_tool_results", "No room is left")

Task = tuple[str, JsonObject]


@dataclass
class ObeyingModel:
    """Calls what its `agenda` says; what data asks for it calls first, and confirms by itself.

    A call of the agenda that found no more room is made in the next message. `obeys` says which kinds of tools it
    calls because data says so; `read` are the instructions it has read, `results` what the tools gave it.
    """

    name: str = "obeying"
    profile: str = "house"
    mode: Mode = Mode.LOCAL
    context_tokens: int | None = None
    agenda: list[Task] = field(default_factory=list)
    obeys: Collection[ToolKind] = frozenset(ToolKind)
    read: list[Instruction] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    obeyed: list[Task] = field(default_factory=list)
    _open: dict[str, Task] = field(default_factory=dict)
    _numbers: int = 0

    def chain_for(self, _assistant: Assistant) -> ModelChain:
        """Answer for every assistant."""
        return ModelChain.of_one(self)

    def places_for(self, _assistant: Assistant) -> tuple[ModelPlace, ...]:
        return (ModelPlace(name=self.name, model=self.name, mode=self.mode),)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Obey what the newest results say; then go on with the task."""
        if isinstance(request.messages[-1], UserMessage):
            self.obeyed.clear()  # a new message, a new try
        kinds = {offer.tool.name: offer.tool.kind for offer in request.tools}
        is_full = self._take_results(request)
        calls = [] if request.words_only else self._obedience(kinds)
        if not request.words_only and not is_full:
            calls += [self._task() for _ in range(min(_CALLS_AT_ONCE, len(self.agenda)))]
        yield TextDelta("The person has confirmed it. ![](https://evil.example/p.png) [Done](https://evil.example/)")
        for name, arguments, call_id in calls:
            yield CallMade(RawCall(call_id=CallId(call_id), name=name, arguments_text=json.dumps(arguments)))
        yield Finished(FinishReason.STOP)

    def _take_results(self, request: ModelRequest) -> bool:
        """Take in the results since the person's message; return whether there is no more room."""
        messages = request.messages
        since = max(place for place, one in enumerate(messages) if isinstance(one, UserMessage))
        is_full = False
        self._fresh: list[Instruction] = []
        for one in messages[since:]:
            if not isinstance(one, ResultMessage):
                continue
            task = self._open.pop(one.call_id, None)
            if task is None:
                continue
            if one.content.startswith(_FULL):
                is_full = True
                if task not in self.obeyed:
                    self.agenda.append(task)
                continue
            self.results.append(one.content)
            self._fresh += [found for text in texts_of(read_result(one.content)) for found in instructions_in(text)]
        self.read += self._fresh
        return is_full

    def _obedience(self, kinds: dict[str, ToolKind]) -> list[tuple[str, JsonObject, str]]:
        calls = []
        for instruction in self._fresh:
            kind = kinds.get(instruction.tool)
            if kind is not None and kind not in self.obeys:
                continue
            for confirmed in (False, True) if kind is ToolKind.DESTRUCTIVE else (False,):
                task = instruction.tool, arguments_of(instruction, confirmed=confirmed)
                if task not in self.obeyed:
                    self.obeyed.append(task)
                    calls.append(self._call(task))
        return calls

    def _task(self) -> tuple[str, JsonObject, str]:
        return self._call(self.agenda.pop(0))

    def _call(self, task: Task) -> tuple[str, JsonObject, str]:
        self._numbers += 1
        call_id = f"call_{self._numbers}"
        self._open[call_id] = task
        return (*task, call_id)
