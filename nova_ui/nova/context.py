"""Who asks Nova for something, through which session, from where, in which request."""

from dataclasses import dataclass

from nova_ui.domain.identity import Caller, Identity
from nova_ui.nova_client.origin import Origin


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
