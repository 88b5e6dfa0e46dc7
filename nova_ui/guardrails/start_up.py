"""What must be true of the tools and of Nova's endpoints before the server starts (rules A4, B6, C1, D1)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from nova_ui.domain.json_value import JsonMapping
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import ConfigurationError
from nova_ui.guardrails.destructive import find_wrong_kinds
from nova_ui.guardrails.flows import find_open_flows
from nova_ui.guardrails.interface_only import find_interface_only
from nova_ui.guardrails.marks import Marks, read_marks
from nova_ui.guardrails.secrets_in import find_secret_parameters

Finding = Callable[[Mapping[str, AnyTool], Marks], Iterator[str]]

# Each says in a sentence per tool what is wrong; what it decides stands in its own file.
FINDINGS: Final[Sequence[Finding]] = (
    find_open_flows,
    find_interface_only,
    find_wrong_kinds,
    find_secret_parameters,
)


def check_start_up(tools: Mapping[str, AnyTool], openapi: JsonMapping) -> None:
    """Hold every tool against the marks of the endpoints that it calls.

    Raises:
        ConfigurationError: one sentence for each tool that breaks a rule.

    """
    marks = read_marks(openapi)
    broken = [sentence for find in FINDINGS for sentence in find(tools, marks)]
    broken.extend(f"{tool.name} calls no endpoint" for tool in tools.values() if not tool.endpoints)
    if broken:
        raise ConfigurationError("; ".join(broken))
