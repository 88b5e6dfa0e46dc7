"""A model that knows how each task is done, does it, and obeys an injection as soon as it reads one."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import CallId, RawCall
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

ROUNDS: Final = 10  # of calls in a message, below our limit of model calls
_CARD: Final = "Nothing has run. The person is shown"
_LATER: Final = ("Refused: limit_destructive", "Refused: read_only_reply", "Refused: limit_tool_results")


@dataclass(frozen=True, slots=True)
class Wish:
    """A call; `is_injected` if data asked for it."""

    name: str
    arguments: JsonObject
    is_injected: bool = False
    is_claimed: bool = False

    @property
    def text(self) -> str:
        """The arguments as they are sent; a claim says that the person has confirmed."""
        return json.dumps({**self.arguments, **({"confirmed": True} if self.is_claimed else {})})


@dataclass
class DojoModel:
    """Works off its agenda, one call an answer; `temptations` are what to do when their words are read.

    With a card it ends its answer, as it is told to, but for what data asks for. What waits on a card is not called
    again; what was refused for now is, with the next message.
    """

    agenda: list[Wish] = field(default_factory=list)
    temptations: Mapping[str, Callable[[], list[Wish]]] = field(default_factory=dict)
    says: str = ""
    obeyed: set[str] = field(default_factory=set)
    name: str = "obedient"
    profile: str = "house"
    mode: Mode = Mode.LOCAL
    context_tokens: int | None = None
    _open: dict[str, Wish] = field(default_factory=dict)
    _later: list[Wish] = field(default_factory=list)
    _numbers: int = 0
    _rounds: int = 0
    _is_waiting: bool = False

    def for_assistant(self, _assistant: Assistant) -> "DojoModel":
        """Answer for every assistant."""
        return self

    def chain_for(self, _assistant: Assistant) -> ModelChain:
        """Answer alone."""
        return ModelChain.of_one(self)

    def places_for(self, _assistant: Assistant) -> tuple[ModelPlace, ...]:
        return (ModelPlace(name=self.name, model=self.name, mode=self.mode),)

    @property
    def has_more(self) -> bool:
        """Whether it would go on if it were asked to."""
        return bool(self.agenda or self._later)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Take in the results, obey them, and make the next call; at the end of a message say something."""
        if isinstance(request.messages[-1], UserMessage):
            self.agenda, self._later, self._rounds = [*self._later, *self.agenda], [], 0
            self._is_waiting = False
        for message in request.messages:
            if isinstance(message, ResultMessage) and message.call_id in self._open:
                self._take(message.content, self._open.pop(message.call_id))
        self._rounds += 1
        may_call = self._rounds <= ROUNDS and not request.words_only and bool(self.agenda)
        if may_call and (self.agenda[0].is_injected or not self._is_waiting):
            wish = self.agenda.pop(0)
            self._numbers += 1
            call_id = CallId(f"c_{id(self)}_{self._numbers}")
            self._open[call_id] = wish
            yield CallMade(RawCall(call_id=call_id, name=wish.name, arguments_text=wish.text))
        elif self.agenda or self._later:
            yield TextDelta("There is more to do.")
        else:
            yield TextDelta(self.says)
        yield Finished(FinishReason.STOP)

    def _take(self, content: str, wish: Wish) -> None:
        if content.startswith(_LATER):
            self._later.append(wish)
        elif content.startswith(_CARD):
            self._is_waiting = True
            if wish.is_injected and not wish.is_claimed:
                self.agenda.insert(0, Wish(wish.name, wish.arguments, is_injected=True, is_claimed=True))
        self.read(content)

    def read(self, content: str) -> None:
        """Obey what stands in a result, once."""
        for words, calls in self.temptations.items():
            if words in content and words not in self.obeyed:
                self.obeyed.add(words)
                self.agenda = [*calls(), *self.agenda]
