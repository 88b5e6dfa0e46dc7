"""The built-in model behind the same port as every other: ordinary calls and words, no rule knows it."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from typing import Final

from nova_ui.domain.ai_profile import BUILT_IN_KEY
from nova_ui.domain.clock import Clock
from nova_ui.domain.sent_request import ANSWERED, STOPPED
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, CallId, RawCall
from nova_ui.i18n.translator import Translators
from nova_ui.llm.builtin.conversation import Unwrap, exchanges_of
from nova_ui.llm.builtin.decide import Situation, decide
from nova_ui.llm.builtin.dialogue import NOTE
from nova_ui.llm.builtin.language import language_of
from nova_ui.llm.builtin.understanding import Grammars
from nova_ui.llm.builtin.words import split_words
from nova_ui.llm.plain_request import NAME as PLAIN
from nova_ui.llm.plain_request import PlainRequests
from nova_ui.llm.port import CallMade, Finished, FinishReason, Mode, ModelEvent, ModelRequest, Sent, TextDelta, Usage
from nova_ui.llm.wire_model import new_call_id

NAME: Final = mark("Built-in assistant")
_PIECES: Final = re.compile(r"\S+\s*|\s+")
_WORDS_IN_DELTA: Final = 4


class BuiltInModel:
    """Deterministic: the same messages, tools and day give the same answer, apart from the ids of calls.

    Of `all_tools` it calls none that is not offered; it knows them to say that something is not available.
    """

    def __init__(
        self,
        *,
        unwrap: Unwrap,
        translators: Translators,
        clock: Clock,
        new_id: Callable[[], str] = new_call_id,
        all_tools: Iterable[AnyTool] = (),
    ) -> None:
        self._unwrap = unwrap
        self._translators = translators
        self._clock = clock
        self._new_id = new_id
        self._all_tools = tuple(all_tools)
        self._grammars = Grammars()
        self._requests = PlainRequests()

    @property
    def name(self) -> str:
        """The name shown as the author of an answer; a message id."""
        return NAME

    @property
    def profile(self) -> str:
        """It is a profile by itself."""
        return BUILT_IN_KEY

    @property
    def mode(self) -> Mode:
        """The data goes nowhere."""
        return Mode.BUILT_IN

    @property
    def context_tokens(self) -> int | None:
        """It has no window: it reads what it is given."""
        return None

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Answer once; see `nova_ui.llm.port.Model`. Never fails."""
        outcome = STOPPED
        if request.watch is not None:
            body = self._requests.body_of(request)
            request.watch.sent(Sent(profile=BUILT_IN_KEY, wire=PLAIN, model=NAME, mode=self.mode, body=body))
        try:
            async for event in self._answer(request):
                yield event
            outcome = ANSWERED
        finally:
            if request.watch is not None:
                request.watch.ended(outcome, Usage(input_tokens=0, output_tokens=0))

    async def _answer(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        exchanges = exchanges_of(request.messages, self._unwrap)
        asked = exchanges[-1].text if exchanges else ""
        language = request.language if asked.startswith(NOTE) else language_of(split_words(asked), request.language)
        offered = {offer.tool.name: offer.tool for offer in request.tools}
        decision = decide(
            Situation(
                exchanges=exchanges,
                offered=offered,
                grammars=self._grammars.of(offered.values()),
                today=self._clock.now().date(),
                tr=self._translators.for_language(language),
                may_call=not request.words_only,
                elsewhere=self._grammars.of(tool for tool in self._all_tools if tool.name not in offered),
            )
        )
        if isinstance(decision, str):
            for piece in _deltas(decision):
                yield TextDelta(piece)
                await asyncio.sleep(0)
        else:
            for call in decision:
                text = json.dumps(call.arguments, ensure_ascii=False)
                yield CallMade(RawCall(call_id=CallId(self._new_id()), name=call.name, arguments_text=text))
        yield Finished(FinishReason.STOP)


def _deltas(text: str) -> Iterator[str]:
    pieces = _PIECES.findall(text)
    for start in range(0, len(pieces), _WORDS_IN_DELTA):
        yield "".join(pieces[start : start + _WORDS_IN_DELTA])
