"""What must be true of the tools and Nova's endpoints before the server starts."""

from collections.abc import Sequence
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.errors import ConfigurationError

_ORDER: Final = {ToolKind.READ: 0, ToolKind.WRITE: 1, ToolKind.DESTRUCTIVE: 2}
_KIND_MARK: Final = "x-nova-kind"


def check_endpoints(tools: Sequence[AnyTool], openapi: JsonObject) -> None:
    """Check that each declared endpoint exists, and that no tool is called milder than its worst endpoint.

    Raises:
        ConfigurationError: names the tool and the endpoint.

    """
    kinds = kinds_by_endpoint(openapi)
    for tool in tools:
        if not tool.endpoints:
            raise ConfigurationError(f"{tool.name} declares no endpoint")
        for endpoint in tool.endpoints:
            if endpoint not in kinds:
                raise ConfigurationError(f"{tool.name} declares the endpoint {endpoint}, which does not exist")
            if _ORDER[kinds[endpoint]] > _ORDER[tool.kind]:
                raise ConfigurationError(
                    f"{tool.name} is called {tool.kind}, but its endpoint {endpoint} is {kinds[endpoint]}"
                )


def check_inner_tools(tools: Sequence[AnyTool]) -> None:
    """Check that each inner tool exists, and that no tool is called milder than the worst it runs itself.

    Raises:
        ConfigurationError: names both tools.

    """
    by_name = {tool.name: tool for tool in tools}
    for tool in tools:
        for name in tool.inner_tools:
            inner = by_name.get(name)
            if inner is None:
                raise ConfigurationError(f"{tool.name} runs the tool {name}, which does not exist")
            if _ORDER[inner.kind] > _ORDER[tool.kind]:
                raise ConfigurationError(f"{tool.name} is called {tool.kind}, but runs {name}, which is {inner.kind}")


def kinds_by_endpoint(openapi: JsonObject) -> dict[str, ToolKind]:
    """Return the kind that each operation of the document is marked with.

    Raises:
        ConfigurationError: an operation has no such mark.

    """
    paths = openapi.get("paths")
    kinds: dict[str, ToolKind] = {}
    for path, operations in paths.items() if isinstance(paths, dict) else ():
        for method, operation in operations.items() if isinstance(operations, dict) else ():
            if not isinstance(operation, dict) or "responses" not in operation:
                continue  # `parameters` and `summary` stand beside the methods
            endpoint = f"{method.upper()} {path}"
            kinds[endpoint] = _kind(endpoint, operation)
    return kinds


def _kind(endpoint: str, operation: JsonObject) -> ToolKind:
    try:
        return ToolKind(str(operation.get(_KIND_MARK)))
    except ValueError:
        raise ConfigurationError(f"the endpoint {endpoint} does not say of which kind it is") from None
