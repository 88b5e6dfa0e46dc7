"""Where the page of an object is, for those who may open it."""

from dataclasses import dataclass
from urllib.parse import quote

from nova_ui.domain.identity import Identity, Role
from nova_ui.presenters.fields import PLACES

_OVERSEERS = frozenset({Role.ADMINISTRATOR, Role.AUDITOR})
_EVERYBODYS = frozenset({"role"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectLinks:
    """Makes addresses below `prefix`, the path under which a proxy shows us."""

    prefix: str
    person: Identity

    def row(self, kind: str, object_id: str) -> str:
        """Return the address of an object that its list has shown to the person."""
        return f"{PLACES[kind]}/{quote(object_id, safe='')}" if kind in PLACES and object_id else ""

    def reference(self, kind: str, object_id: str) -> str:
        """Return the address of an object that is only named, or nothing where its page may not be open."""
        is_open = kind in _EVERYBODYS or bool(self.person.roles & _OVERSEERS)
        return self.row(kind, object_id) if is_open else ""

    def absolute(self, address: str) -> str:
        """Return an address for markup that nobody else puts the prefix in front of."""
        return f"{self.prefix}{address}" if address else ""
