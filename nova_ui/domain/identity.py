"""Who acts: an identity, its roles, and the session it acts in."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

IdentityId = NewType("IdentityId", str)
SessionId = NewType("SessionId", str)


class Language(StrEnum):
    """A language that the interface speaks."""

    ENGLISH = "en"
    GERMAN = "de"


class Role(StrEnum):
    """What an identity is to Nova: two stored Nova roles, one fact, and what everyone signed in is."""

    ADMINISTRATOR = "administrator"
    AUDITOR = "auditor"
    MANAGER = "manager"
    USER = "user"


EVERYONE: frozenset[Role] = frozenset(Role)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The signed-in person; a value, since a page lives for hours and a database session does not.

    `group_ids` are no list of its groups: they are looked up where an assistant is open to groups, and only those it
    asks for. Where nobody looked there are none, which admits to nothing.
    """

    id: IdentityId
    user_name: str
    display_name: str
    roles: frozenset[Role]
    language: Language = Language.ENGLISH
    group_ids: frozenset[str] = frozenset()

    @property
    def is_administrator(self) -> bool:
        """Whether the stored role administrator is held."""
        return Role.ADMINISTRATOR in self.roles


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """An identity together with the signed-in session through which it acts."""

    session_id: SessionId
    identity: Identity
