"""What an audit entry says: who, what, to which object, before and after, and from where (rules F1 to F3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pydantic_core import to_jsonable_python

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaInvalid, NovaProblem, NovaUnavailable
from nova_ui.nova.context import RequestContext, Unattended
from storage.nova.audit import NewEntry

# Named only, never with their values: secrets, and the prompts that auditors may not read.
NAME_ONLY: Final = frozenset({"api_key", "bearer_token", "bind_password", "client_secret", "password_hash", "prompt"})


@dataclass(frozen=True, slots=True)
class Target:
    """What an entry is about; the name is copied."""

    type: str
    id: str | None
    display: str = ""


def changes_between(before: Mapping[str, object], after: Mapping[str, object]) -> list[JsonValue]:
    """Return `{field, before, after}` for each field of `after` that differs; secrets by name only."""
    changes: list[JsonValue] = []
    for name, value in after.items():
        old = _plain(before.get(name))
        new = _plain(value)
        if old == new:
            continue
        changes.append({"field": name} if name in NAME_ONLY else {"field": name, "before": old, "after": new})
    return changes


def entry(
    context: RequestContext | Unattended,
    now: datetime,
    action: str,
    target: Target,
    *,
    details: Mapping[str, object] | None = None,
    caused_by: str | None = None,
    outcome: str = "success",
) -> NewEntry:
    """Return an entry; its actor is the person who asks, or what acts without one; `via` is the origin's alone."""
    return NewEntry(
        time=now,
        action=action,
        outcome=outcome,
        actor_type=context.actor.type,
        actor_id=context.actor.id,
        actor_display=context.actor.display,
        target_type=target.type,
        target_id=target.id,
        target_display=target.display,
        details=_plain_object(details or {}),
        via=context.origin.via,
        request_id=context.request_id,
        caused_by=caused_by,
        ip=context.ip,
        session_id=context.session_id,
    )


def is_logged(problem: NovaProblem) -> bool:
    """Whether a write that ended so is logged as refused: every no but a request that was not valid at all.

    A database that fails refuses nothing, and could not note it either.
    """
    return not isinstance(problem, NovaInvalid | NovaUnavailable)


def _plain_object(details: Mapping[str, object]) -> JsonObject:
    return {name: _plain(value) for name, value in details.items()}


def _plain(value: object) -> JsonValue:
    plain: JsonValue = to_jsonable_python(sorted(value, key=str) if isinstance(value, (set, frozenset)) else value)
    return plain
