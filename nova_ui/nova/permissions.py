"""Who may what, as decisions on values; what they rest on is looked up per request (part 1, "Who may what")."""

from dataclasses import dataclass, replace
from typing import TypeVar

from nova_ui.domain.identity import Identity, Role
from nova_ui.errors import NovaForbidden, NovaNotFound
from nova_ui.nova.context import RequestContext

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Whose data an identity may read: everybody's, or its own and its reports'."""

    everybody: bool
    ids: frozenset[str]

    def covers(self, identity_id: str) -> bool:
        """Whether the data of `identity_id` may be read."""
        return self.everybody or identity_id in self.ids


def reach_of(identity: Identity, tree: frozenset[str]) -> Reach:
    """Return whose data `identity` may read; `tree` is everyone it manages, up to five levels."""
    return Reach(everybody=oversees(identity), ids=tree | {identity.id})


def oversees(identity: Identity) -> bool:
    """Whether `identity` reads everything: an administrator or an auditor."""
    return bool(identity.roles & {Role.ADMINISTRATOR, Role.AUDITOR})


def without_oversight(identity: Identity) -> Identity:
    """Return `identity` as it would be without the role to read everything: an auditor writes only as a person."""
    return replace(identity, roles=identity.roles - {Role.ADMINISTRATOR, Role.AUDITOR})


def require_administrator(identity: Identity) -> None:
    """Refuse everybody else.

    Raises:
        NovaForbidden: the identity is no administrator.

    """
    if not identity.is_administrator:
        raise NovaForbidden("Only administrators may do this.")


def require_interface(context: RequestContext) -> None:
    """Refuse everybody but an administrator in the interface; the endpoint's mark refuses chats too (rule B6).

    Raises:
        NovaForbidden: the identity is no administrator, or a model asks.

    """
    require_administrator(context.identity)
    if context.origin.is_chat:
        raise NovaForbidden("This can be changed in the administration interface only.", code="interface_only")


def require_overseer(identity: Identity) -> None:
    """Refuse everybody else.

    Raises:
        NovaForbidden: the identity is neither administrator nor auditor.

    """
    if not oversees(identity):
        raise NovaForbidden("Only administrators and auditors may read this.")


def require_found(found: T | None, what: str) -> T:
    """Return `found`; an object that may not be read looks as if it did not exist.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    if found is None:
        raise NovaNotFound(f"There is no such {what}, or you may not see it.")
    return found
