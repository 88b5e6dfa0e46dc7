"""What `/ai/turns/{turn_id}/requests` gives: where each request went, how it ended, and what stood in it."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.sent_request import SentBody, SentRequest
from nova_ui.llm.port import Mode
from nova_ui.llm.sent_reading import ReadBody, ReadMessage, read_body


class SentRequestView(BaseModel):
    """One request to a model. Its headers, and with them the key, are no part of it."""

    number: int = Field(description="counts the requests of this message, retries included")
    step: int = Field(description="a retry, and what another model is asked instead, belong to the same step")
    sent_at: datetime
    profile: str = Field(description="key of the profile; built-in and environment are the given ones")
    wire: str = Field(description="how it is written: the profile's kind")
    model: str
    mode: Mode = Field(description="where the data went, as it was judged then")
    host: str = Field(description="host of the address; empty for the built-in model")
    path: str = Field(description="what followed the address")
    words_only: bool = Field(description="whether calls were no longer allowed")
    left_out: int = Field(description="how many earlier messages of the chat it does not hold")
    outcome: str | None = Field(
        description="answered, stopped, or how the model failed, such as rate_limit; null: it runs, or nobody knows"
    )
    input_tokens: int
    output_tokens: int
    size_bytes: int
    sha256: str = Field(description="of the body, as it was sent")
    is_kept: bool = Field(description="false: the message's requests together had become too large to be kept")


class SentPartView(BaseModel):
    """A text, a call with its arguments, or a call's result."""

    kind: Literal["text", "call", "result"]
    text: str
    id: str
    name: str


class SentMessageView(BaseModel):
    """What one side said at once."""

    role: Literal["user", "assistant", "tool"]
    parts: list[SentPartView]


class SentToolView(BaseModel):
    """A tool that was on offer."""

    name: str
    description: str
    parameters: JsonValue


class SentBodyView(SentRequestView):
    """A request in readable parts, taken from the bytes that were sent; `settings` is all the rest of it."""

    system: str
    messages: list[SentMessageView]
    tools: list[SentToolView]
    settings: JsonObject


def request_view(sent: SentRequest) -> SentRequestView:
    """Return a request without its body."""
    return SentRequestView(
        number=sent.number,
        step=sent.step,
        sent_at=sent.sent_at,
        profile=sent.profile,
        wire=sent.wire,
        model=sent.model,
        mode=Mode(sent.mode),
        host=sent.host,
        path=sent.path,
        words_only=sent.words_only,
        left_out=sent.left_out,
        outcome=sent.outcome,
        input_tokens=sent.input_tokens,
        output_tokens=sent.output_tokens,
        size_bytes=sent.size_bytes,
        sha256=sent.sha256,
        is_kept=sent.is_kept,
    )


def body_view(sent: SentBody) -> SentBodyView:
    """Return a request with what stood in it; nothing of it where the body was not kept."""
    body = sent.body
    read = (
        ReadBody(system="", messages=(), tools=(), settings={}) if body is None else read_body(sent.request.wire, body)
    )
    return SentBodyView(
        **request_view(sent.request).model_dump(),
        system=read.system,
        messages=[_message_view(message) for message in read.messages],
        tools=[
            SentToolView(name=tool.name, description=tool.description, parameters=tool.parameters)
            for tool in read.tools
        ],
        settings=read.settings,
    )


def _message_view(message: ReadMessage) -> SentMessageView:
    parts = [SentPartView(kind=part.kind, text=part.text, id=part.id, name=part.name) for part in message.parts]
    return SentMessageView(role=message.role, parts=parts)
