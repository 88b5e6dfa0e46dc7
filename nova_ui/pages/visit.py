"""One person's look at one page: who, in which language, from where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from nova_ui.domain.identity import Caller, Identity
from nova_ui.i18n.translator import Translator


class Login(Protocol):
    """What the guard leaves in `request.state.login` for a signed-in person."""

    @property
    def identity(self) -> Identity:
        """Who is signed in."""

    @property
    def csrf_token(self) -> str:
        """What a form of ours must carry."""

    @property
    def theme(self) -> str:
        """`system`, `light` or `dark`."""

    @property
    def caller(self) -> Caller:
        """Identity and session, as services want them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A value: a page lives for hours. `prefix` is the path under which a proxy shows us, without a final slash.

    `counts` says by the path of a page how much waits there, `unread` how many notifications are not read.
    """

    login: Login
    tr: Translator
    path: str
    prefix: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    unread: int = 0

    @property
    def identity(self) -> Identity:
        """Who looks."""
        return self.login.identity

    @property
    def caller(self) -> Caller:
        """Who looks, and through which session."""
        return self.login.caller
