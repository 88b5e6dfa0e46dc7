"""The configured model as the self-test asks it: so many requests and no more, in so much time and no more."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from nova_ui.llm.port import Finished, FinishReason, Mode, Model, ModelEvent, ModelRequest, Usage

MAX_REQUESTS_EACH: Final = 3
MAX_SECONDS: Final = 300.0


class BoundedModel:
    """Asks a model as long as the bounds allow; beyond them it answers nothing, which ends the turn."""

    def __init__(
        self, model: Model, *, max_requests_each: int = MAX_REQUESTS_EACH, seconds: float = MAX_SECONDS
    ) -> None:
        self._model = model
        self._max_requests_each = max_requests_each
        self._until = asyncio.get_running_loop().time() + seconds
        self._left = 0
        self.requests = 0
        self.input_tokens = 0
        self.output_tokens = 0

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._model.name

    @property
    def profile(self) -> str:
        """The key of the profile that the model belongs to."""
        return self._model.profile

    @property
    def mode(self) -> Mode:
        """Where the data goes: none but the stage's."""
        return self._model.mode

    @property
    def context_tokens(self) -> int | None:
        """How much the model can read at once."""
        return self._model.context_tokens

    @property
    def is_out_of_time(self) -> bool:
        """Whether no further request is made."""
        return asyncio.get_running_loop().time() >= self._until

    def begin(self) -> None:
        """Begin the next attack."""
        self._left = self._max_requests_each

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Ask once, if that is still allowed."""
        if self._left <= 0 or self.is_out_of_time:
            yield Finished(FinishReason.STOP)
            return
        self._left -= 1
        self.requests += 1
        async with asyncio.timeout_at(self._until):
            async for event in self._model.stream(request):
                if isinstance(event, Usage):
                    self.input_tokens += event.input_tokens
                    self.output_tokens += event.output_tokens
                yield event
