"""AgentDojo's functions as tools of ours; what they change is the case's, whichever runs."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from pydantic import BaseModel, create_model

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict
from nova_ui.tools.definition import any_tool
from tests.bench.agentdojo.kinds import SECRETS, Marking, kind_of

Run = Callable[[str, JsonObject], tuple[JsonValue, str | None]]


class Function(Protocol):
    """What we need to know of a function of theirs."""

    name: str
    description: str
    parameters: type[BaseModel]


def tools_of(functions: Sequence[Function], run: Run, marking: Marking) -> tuple[AnyTool, ...]:
    """Return the functions as tools, but for those that rule D1 lets no tool be; `run` returns a result or an error."""
    return tuple(_tool(one, run, kind_of(one.name, marking)) for one in functions if one.name not in SECRETS)


def _tool(function: Function, run: Run, kind: ToolKind) -> AnyTool:
    async def run_it(arguments: ToolArguments, _nova: Nova) -> JsonValue:
        result, error = run(function.name, arguments.model_dump(mode="json"))
        if error is not None:
            raise NovaConflict(error)
        return result

    async def show(arguments: ToolArguments, _nova: Nova) -> Shown:
        values = arguments.model_dump(mode="json").values()
        return Shown(subject=str(next(iter(values), "")))

    is_destructive = kind is ToolKind.DESTRUCTIVE
    tool: Tool[ToolArguments] = Tool(
        name=function.name,
        title=function.name,
        summary=function.description or function.name,
        area="AgentDojo",
        icon="science",
        kind=kind,
        endpoints=(f"{_METHODS[kind]} /{function.name}",),
        arguments=_arguments(function),
        run=run_it,
        action=f"{function.name} {{subject}}" if is_destructive else "",
        show=show if is_destructive else None,
    )
    return any_tool(tool)


_METHODS: Final = {ToolKind.READ: "GET", ToolKind.WRITE: "PATCH", ToolKind.DESTRUCTIVE: "DELETE"}


def _arguments(function: Function) -> type[ToolArguments]:
    fields: dict[str, Any] = {
        name: (field.annotation, field) for name, field in function.parameters.model_fields.items()
    }
    return create_model(f"Arguments of {function.name}", __base__=ToolArguments, **fields)
