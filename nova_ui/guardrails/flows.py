"""Who may run flows that write: administrators only, self-service excepted (rule A4)."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from nova_ui.domain.identity import Identity, Role
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.guardrails.marks import Marks
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.secret_names import words_of

_ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})
_SOMEBODY: Final = frozenset(
    {"identity", "identities", "beneficiary", "beneficiaries", "user", "users", "person", "behalf"}
)
_IDENTITY_ID: Final = re.compile(r"idn_")


def check_flow(tool: AnyTool, identity: Identity) -> Refusal | None:
    """Say why `identity` may not run this flow, or None if it may; asked again at every call."""
    if not tool.is_flow:
        return None
    if tool.kind is ToolKind.READ:
        return None
    if tool.self_service:
        return None
    if identity.is_administrator:
        return None
    return Refusal(
        code=Code.NOT_PERMITTED,
        reason="flow_for_administrators",
        advice="Only administrators may use this tool. Offer the single steps the person may take instead.",
    )


def find_open_flows(tools: Mapping[str, AnyTool], marks: Marks) -> Iterator[str]:
    """Say which writing flows are open to others than administrators, or reach further than the caller's own objects.

    A tool that may call several changing endpoints is held to the same, declared as a flow or not.
    """
    for tool in tools.values():
        changing = [name for name in tool.endpoints if name in marks and marks[name].changes_something]
        is_composite = tool.is_flow or len(changing) > 1
        if tool.kind is ToolKind.READ or not is_composite:
            continue
        if not tool.self_service and tool.roles != _ADMINISTRATORS:
            yield f"{tool.name} is a flow that writes but is neither for administrators only nor self-service"
        if tool.self_service and _names_somebody(tool.arguments.model_json_schema()):
            reaching = [name for name in changing if not marks[name].self_service]
            if reaching:
                yield f"{tool.name} is self-service but its arguments name others, for whom {reaching[0]} acts"


def _names_somebody(schema: JsonValue) -> bool:
    """Whether arguments can name an identity: by a parameter's name or by the pattern of its ids."""
    if isinstance(schema, list):
        return any(_names_somebody(item) for item in schema)
    if not isinstance(schema, dict):
        return False
    properties = schema.get("properties")
    if isinstance(properties, dict) and any(not _SOMEBODY.isdisjoint(words_of(name)) for name in properties):
        return True
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and _IDENTITY_ID.search(pattern):
        return True
    return any(_names_somebody(item) for item in schema.values())
