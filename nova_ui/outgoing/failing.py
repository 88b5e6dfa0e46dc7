"""How a call to another system fails; never with that system's own words, which may echo what was sent."""

from enum import StrEnum
from typing import Final

from nova_ui.domain.text import mark
from nova_ui.errors import NovaUiError


class Failure(StrEnum):
    """How a call failed."""

    NAME = "name"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    TLS = "tls"
    REDIRECT = "redirect"
    TOO_MUCH = "too_much"
    PROTOCOL = "protocol"


SENTENCES: Final = {
    Failure.NAME: mark("The host's name is not known."),
    Failure.CONNECTION: mark("The host does not accept the connection."),
    Failure.TIMEOUT: mark("The host did not answer in time."),
    Failure.TLS: mark("No trusted encrypted connection came about: the certificate is not valid for this host."),
    Failure.REDIRECT: mark("The host sends the call elsewhere. Enter the final address."),
    Failure.TOO_MUCH: mark("The answer is larger than it may be."),
    Failure.PROTOCOL: mark("The host answers in another way than expected."),
}


class CallFailed(NovaUiError):
    """No usable answer came; `failure` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure=failure.value)
        self.failure = failure

    @property
    def sentence(self) -> str:
        """The English sentence, which is also its message id."""
        return SENTENCES[self.failure]

    def __str__(self) -> str:
        return f"call failed: {self.failure}"
