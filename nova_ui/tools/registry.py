"""Which tools there are: the list written by hand, and what makes it unusable."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.tool import CONFIRMED_ARGUMENT, AnyTool, ToolKind
from nova_ui.errors import ConfigurationError
from nova_ui.tools import (
    access_requests,
    applications,
    approvals,
    assignments,
    audit_log,
    comparing,
    copying,
    entitlements,
    exports,
    group_removals,
    groups,
    identities,
    identity_changes,
    identity_endings,
    lifecycle,
    moving,
    offboarding,
    onboarding,
    profile,
    reports,
    requesting,
    requesting_for,
    roles,
    sessions,
    sign_in,
)
from nova_ui.tools.schema import offer

__all__ = ["ALL_TOOLS", "build_registry", "offer"]

MAX_NAME_CHARS: Final = 40
_NAME: Final = re.compile(r"[a-z]+(_[a-z]+)+")

ALL_TOOLS: Final[tuple[AnyTool, ...]] = (
    *identities.TOOLS,
    *comparing.TOOLS,
    *identity_changes.TOOLS,
    *identity_endings.TOOLS,
    *onboarding.TOOLS,
    *moving.TOOLS,
    *offboarding.TOOLS,
    *groups.TOOLS,
    *group_removals.TOOLS,
    *roles.TOOLS,
    *applications.TOOLS,
    *entitlements.TOOLS,
    *assignments.TOOLS,
    *copying.TOOLS,
    *access_requests.TOOLS,
    *requesting.TOOLS,
    *requesting_for.TOOLS,
    *approvals.TOOLS,
    *sessions.TOOLS,
    *lifecycle.TOOLS,
    *sign_in.TOOLS,
    *audit_log.TOOLS,
    *reports.TOOLS,
    *profile.TOOLS,
    *exports.TOOLS,
)


def build_registry(tools: Sequence[AnyTool] = ALL_TOOLS) -> Mapping[str, AnyTool]:
    """Return the tools by name.

    Raises:
        ConfigurationError: a doubled or unusable name, the reserved argument `confirmed`, or a missing text.

    """
    registry: dict[str, AnyTool] = {}
    for tool in tools:
        check_definition(tool)
        if tool.name in registry:
            raise ConfigurationError(f"two tools are called {tool.name}")
        registry[tool.name] = tool
    return MappingProxyType(registry)


def check_definition(tool: AnyTool) -> None:
    """Check what a tool says of itself.

    Raises:
        ConfigurationError: names the tool and what is wrong.

    """
    if _NAME.fullmatch(tool.name) is None or len(tool.name) > MAX_NAME_CHARS:
        raise ConfigurationError(f"the tool name {tool.name!r} is not usable")
    if not isinstance(tool.kind, ToolKind):
        raise ConfigurationError(f"{tool.name} does not say whether it reads, writes or destroys")
    if CONFIRMED_ARGUMENT in tool.arguments.model_fields:
        raise ConfigurationError(f"{tool.name} defines the reserved argument {CONFIRMED_ARGUMENT}")
    for what, text in (("title", tool.title), ("summary", tool.summary), ("area", tool.area), ("icon", tool.icon)):
        if not text:
            raise ConfigurationError(f"{tool.name} has no {what}")
    if needs_confirmation(tool, every_change=True):
        _check_card(tool)
    for name, field in tool.arguments.model_fields.items():
        if not field.description:
            raise ConfigurationError(f"{tool.name} does not describe its argument {name}")


def _check_card(tool: AnyTool) -> None:
    if "{subject}" not in tool.action:
        raise ConfigurationError(f"{tool.name} is {tool.kind} but has no action sentence with {{subject}}")
    if tool.show is None:
        raise ConfigurationError(f"{tool.name} is {tool.kind} but shows nothing before it runs")
