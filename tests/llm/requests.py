"""Requests and tools for the tests of models."""

from collections.abc import Sequence

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import CallId, Nova, RawCall, Tool, ToolArguments, ToolKind, ToolOffer
from nova_ui.llm.port import ChatMessage, ModelRequest, UserMessage


class NoArguments(ToolArguments):
    """None."""


async def _run(_arguments: NoArguments, _nova: Nova) -> JsonValue:
    return {}


def an_offer(name: str = "list_groups") -> ToolOffer:
    tool = Tool(
        name=name,
        title=name,
        summary=name,
        area="groups",
        icon="group",
        kind=ToolKind.READ,
        endpoints=(),
        arguments=NoArguments,
        run=_run,
    )
    return ToolOffer(tool=tool, description=f"About {name}.", schema={"type": "object", "properties": {}})  # type: ignore[arg-type] # a tool's argument type is invariant


def a_request(
    *messages: ChatMessage, tools: Sequence[ToolOffer] | None = None, words_only: bool = False
) -> ModelRequest:
    return ModelRequest(
        messages=messages or (UserMessage(text="hello"),),
        tools=[an_offer()] if tools is None else tools,
        language=Language.ENGLISH,
        words_only=words_only,
    )


def a_call(call_id: str = "c1", name: str = "list_groups", arguments_text: str = "{}") -> RawCall:
    return RawCall(call_id=CallId(call_id), name=name, arguments_text=arguments_text)


def offered_names(body: JsonObject) -> list[JsonValue]:
    """Return the names of the tools that a request's body offers."""
    tools = body["tools"]
    assert isinstance(tools, list)
    functions = [tool["function"] for tool in tools if isinstance(tool, dict)]
    return [function["name"] for function in functions if isinstance(function, dict)]
