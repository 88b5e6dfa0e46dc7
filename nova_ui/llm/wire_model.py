"""A model behind one endpoint, whatever its wire format."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from nova_ui.domain.sent_request import ANSWERED, STOPPED
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.answer import parse_object
from nova_ui.llm.connection import Answer, Connection
from nova_ui.llm.modes import host_of
from nova_ui.llm.port import CallMade, Mode, ModelEvent, ModelRequest, Sent, Usage
from nova_ui.llm.wire import AnswerReader, NewId, Profile, Wire, maker_of

_PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})  # a proxy's sign-in page, and the like
# Failures after which an answer with a finish reason is complete all the same: only its end mark is missing.
_HARMLESS_AFTER_FINISH: Final = frozenset({FailureKind.CONNECTION, FailureKind.TIMEOUT})
_NO_USAGE: Final = Usage(input_tokens=0, output_tokens=0)


def new_call_id() -> str:
    """Return an id for a call that came without one."""
    return f"call_{secrets.token_hex(12)}"


class WireModel:
    """One model at one endpoint; never retries, and lets no call out before the stream has ended properly."""

    def __init__(
        self,
        connection: Connection,
        wire: Wire,
        profile: Profile,
        mode: Mode,
        *,
        profile_key: str = "",
        new_id: NewId = new_call_id,
    ) -> None:
        self._connection = connection
        self._wire = wire
        self._profile = replace(profile, place=profile_key)
        self._mode = mode
        self._profile_key = profile_key
        self._new_id = new_id

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._profile.model

    @property
    def profile(self) -> str:
        """The key of the profile that names the endpoint."""
        return self._profile_key

    @property
    def mode(self) -> Mode:
        """Where the data goes."""
        return self._mode

    @property
    def context_tokens(self) -> int | None:
        """The model's window, if the profile names it."""
        return self._profile.context_tokens

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Ask once; see `nova_ui.llm.port.Model`.

        Raises:
            ModelError: of a kind; `arrived` says whether a part of the answer had come before.

        """
        has_arrived, outcome, usage = False, STOPPED, _NO_USAGE
        reader = self._wire.reader(self._connection.limits, self._new_id)
        path, body = self._wire.path_of(self._profile), self._wire.body_of(request, self._profile)
        watch = request.watch if len(body) <= self._connection.limits.max_request_bytes else None
        if watch is not None:
            watch.sent(self._sent(path, body))
        try:
            async with (
                self._connection.post(path, body) as answer,
                aclosing(self._events(answer, reader)) as events,
            ):
                async for event in events:
                    has_arrived = True
                    usage = event if isinstance(event, Usage) else usage
                    yield self._signed(event) if isinstance(event, CallMade) else event
            outcome = ANSWERED
        except ModelError as failure:
            # A break within an answer is not the same as no answer: a retry would say it twice.
            has_arrived = has_arrived or reader.has_content
            is_cut_off = has_arrived and failure.kind is FailureKind.CONNECTION
            kind = FailureKind.CUT_OFF if is_cut_off else failure.kind
            outcome = kind.value
            raise ModelError(kind, arrived=has_arrived, retry_after_s=failure.retry_after_s) from None
        finally:
            if watch is not None:
                watch.ended(outcome, usage)

    def _sent(self, path: str, body: bytes) -> Sent:
        return Sent(
            profile=self._profile_key,
            wire=self._wire.name,
            model=self._profile.model,
            mode=self._mode,
            body=body,
            host=host_of(self._connection.base_url),
            path=path,
        )

    def _signed(self, made: CallMade) -> CallMade:
        if made.call.signature is None:
            return made
        return CallMade(replace(made.call, made_by=maker_of(self._wire.name, self._profile)))

    async def reported_context_tokens(self) -> int | None:
        """Return the model's window as the provider tells it; None where it does not, or can't be asked."""
        if self._wire.window_path_of is None:
            return None
        try:
            async with self._connection.get(self._wire.window_path_of(self._profile)) as answer:
                told = parse_object(await answer.read(self._connection.limits.max_line_bytes))
        except ModelError:
            return None
        return self._wire.window_of(told, self._profile)

    async def _events(self, answer: Answer, reader: AnswerReader) -> AsyncGenerator[ModelEvent, None]:
        limits = self._connection.limits
        if answer.content_type in _PAGES:
            raise ModelError(FailureKind.PROTOCOL)
        if answer.content_type == "application/json":  # some servers do not stream, at least not with tools
            for event in reader.read_whole(await answer.read(limits.max_line_bytes)):
                yield event
        else:
            async with aclosing(self._streamed(answer, reader)) as events:
                async for event in events:
                    yield event
        for event in reader.finish():
            yield event

    async def _streamed(self, answer: Answer, reader: AnswerReader) -> AsyncGenerator[ModelEvent, None]:
        pieces = answer.messages() if self._wire.framing == "messages" else answer.events()
        try:
            async with aclosing(pieces) as chunks:
                async for data in chunks:
                    for event in reader.feed(data):
                        yield event
                    if reader.has_end_mark:
                        return
                    if reader.has_finish_reason:
                        answer.clock.finish_seen()
        except ModelError as failure:
            if not (reader.has_finish_reason and failure.kind in _HARMLESS_AFTER_FINISH):
                raise
