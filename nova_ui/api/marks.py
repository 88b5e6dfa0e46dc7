"""The marks on each operation: one place of truth that tools and start-up checks read from the OpenAPI document."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import ConfigurationError

Kind = Literal["read", "write", "destructive"]

KIND: Final = "x-nova-kind"
WHO: Final = "x-nova-who"
INTERFACE_ONLY: Final = "x-nova-interface-only"
AUDIT: Final = "x-nova-audit"
IMPACT: Final = "x-nova-impact"
SELF_SERVICE: Final = "x-nova-self-service"
SECRET: Final = "x-nova-secret"  # noqa: S105 - the name of a mark

# What groups by rule, the roles of groups and birthright roles add to the log of whatever changes.
FOLLOWS: Final = ("group.member_added", "group.member_removed", "assignment.granted", "assignment.revoked")

_KINDS: Final = frozenset({"read", "write", "destructive"})
_METHODS: Final = frozenset({"get", "put", "post", "delete", "patch", "options", "head", "trace"})
_REQUIRED: Final = (KIND, WHO, INTERFACE_ONLY, AUDIT, SELF_SERVICE)


def marks(
    kind: Kind,
    who: str,
    *,
    audit: Sequence[str] = (),
    impact: str | None = None,
    interface_only: bool = False,
    self_service: bool = False,
) -> dict[str, Any]:
    """Return the `openapi_extra` of an operation.

    `who` holds the letters A U M O S * parted by spaces; `impact` is the operationId of the impact read.
    """
    extra: dict[str, Any] = {
        KIND: kind,
        WHO: who,
        INTERFACE_ONLY: interface_only,
        AUDIT: list(dict.fromkeys(audit)),
        SELF_SERVICE: self_service,
    }
    return extra if impact is None else {**extra, IMPACT: impact}


def check_marks(openapi: JsonObject) -> None:
    """Stop the start when an operation lacks a mark, or a `DELETE` is not destructive.

    Raises:
        ConfigurationError: names the operation.

    """
    paths = openapi.get("paths")
    for path, operations in paths.items() if isinstance(paths, dict) else ():
        for method, operation in operations.items() if isinstance(operations, dict) else ():
            if method in _METHODS:
                _check_operation(f"{method.upper()} {path}", operation if isinstance(operation, dict) else {})


def _check_operation(endpoint: str, operation: JsonObject) -> None:
    missing = [name for name in _REQUIRED if name not in operation]
    if missing:
        raise ConfigurationError(f"The operation {endpoint} lacks the marks {', '.join(missing)}.")
    if operation[KIND] not in _KINDS:
        raise ConfigurationError(f"The operation {endpoint} is of the unknown kind {operation[KIND]!r}.")
    if endpoint.startswith("DELETE ") and operation[KIND] != "destructive":
        raise ConfigurationError(f"The operation {endpoint} is a DELETE and must be marked destructive.")
