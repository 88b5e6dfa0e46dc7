"""Who asks Nova for something, through which session, from where, in which request; or what acts without a person."""

from dataclasses import dataclass
from typing import Final, Literal

from nova_ui.domain.identity import Caller, Identity, SessionId
from nova_ui.nova_client.origin import INTERFACE, Origin

ActorType = Literal["identity", "routine", "system"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who an audit entry says it was; the name is copied."""

    type: ActorType
    id: str | None
    display: str

    @property
    def identity_id(self) -> str | None:
        """The person's id, or None where no person acted."""
        return self.id if self.type == "identity" else None


CLOCK: Final = Actor(type="system", id=None, display="Nova")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """What every service gets with a request; the origin was set inside the process (rule F4)."""

    caller: Caller
    origin: Origin
    request_id: str
    ip: str | None = None

    @property
    def identity(self) -> Identity:
        """The identity that asks."""
        return self.caller.identity

    @property
    def actor(self) -> Actor:
        """The identity as its entries name it."""
        return Actor(type="identity", id=self.identity.id, display=self.identity.display_name)

    @property
    def session_id(self) -> SessionId | None:
        """The session in which it acts."""
        return self.caller.session_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Unattended:
    """What a routine, the clock or a job acts as; a job started from a chat keeps that origin (rule F1)."""

    actor: Actor
    request_id: str
    origin: Origin = INTERFACE
    ip: None = None
    session_id: SessionId | None = None
