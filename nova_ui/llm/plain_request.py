"""What the built-in model reads, written down: it goes over no wire, so the form is our own; pure."""

import json
from typing import Final, assert_never

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import ToolOffer
from nova_ui.llm.port import AssistantMessage, ChatMessage, ModelRequest, ResultMessage, SystemMessage, UserMessage

NAME: Final = "builtin"


class PlainRequests:
    """Writes requests as JSON; the text of each tool is kept, since writing it takes longer than all the rest."""

    def __init__(self) -> None:
        self._tools: dict[str, tuple[ToolOffer, str]] = {}

    def body_of(self, request: ModelRequest) -> bytes:
        """Return the request as JSON."""
        messages = ", ".join(json.dumps(_message(message)) for message in request.messages)
        tools = ", ".join(self._tool(offer) for offer in request.tools)
        choice = ', "tool_choice": "none"' if request.words_only else ""
        language = json.dumps(request.language.value)
        return f'{{"language": {language}, "messages": [{messages}], "tools": [{tools}]{choice}}}'.encode()

    def _tool(self, offer: ToolOffer) -> str:
        kept = self._tools.get(offer.tool.name)
        if kept is None or kept[0] is not offer:
            written = {"name": offer.tool.name, "description": offer.description, "parameters": offer.schema}
            kept = self._tools[offer.tool.name] = (offer, json.dumps(written))
        return kept[1]


def _message(message: ChatMessage) -> JsonValue:
    match message:
        case SystemMessage(text=text):
            return {"role": "system", "content": text}
        case UserMessage(text=text):
            return {"role": "user", "content": text}
        case AssistantMessage(text=text, calls=calls):
            written: list[JsonValue] = [
                {"id": call.call_id, "name": call.name, "arguments": call.arguments_text} for call in calls
            ]
            return {"role": "assistant", "content": text, "calls": written}
        case ResultMessage(call_id=call_id, tool_name=tool_name, content=content):
            return {"role": "tool", "call_id": call_id, "name": tool_name, "content": content}
        case _:
            assert_never(message)
