"""A door to Nova for tools that answer by themselves: it knows sessions and origins, and no endpoints."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from nova_ui.domain.identity import Caller, Identity
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, Nova, NovaAnswer
from nova_ui.nova_client.origin import Origin

RunTool = Callable[[str, JsonObject], Awaitable[JsonValue]]


@dataclass(frozen=True, kw_only=True)
class NovaOfOneCall:
    """Nova as one call sees it."""

    identity: Identity
    if_match: str | None
    run_inner: RunTool

    async def run_tool(self, name: str, arguments: JsonObject) -> JsonValue:
        return await self.run_inner(name, arguments)

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int | bool | None] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        del path, query, body, if_match
        raise AssertionError(endpoint)


@dataclass(frozen=True, kw_only=True)
class DoorOfOneTurn:
    """The door that one turn's calls go through."""

    caller: Caller

    def for_tool(self, tool: AnyTool, *, if_match: str | None, run_tool: RunTool) -> Nova:
        del tool
        return NovaOfOneCall(identity=self.caller.identity, if_match=if_match, run_inner=run_tool)


@dataclass
class RecordingNova:
    """Opens doors and remembers for whom, and with which origin."""

    opened: list[tuple[Caller, Origin]] = field(default_factory=list)

    def open(self, caller: Caller, origin: Origin) -> DoorOfOneTurn:
        self.opened.append((caller, origin))
        return DoorOfOneTurn(caller=caller)
