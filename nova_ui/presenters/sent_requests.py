"""What the model saw, on the screen: the requests of one message, each read only once it is opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Protocol

from nova_ui.domain.ai_profile import BUILT_IN_KEY
from nova_ui.domain.chat import TurnId
from nova_ui.domain.identity import Identity
from nova_ui.domain.sent_request import ANSWERED, STOPPED, SentBody, SentRequest
from nova_ui.domain.text import mark
from nova_ui.errors import FailureKind
from nova_ui.i18n.translator import Translator
from nova_ui.llm.sent_reading import ReadBody, read_body

_OUTCOMES: Final[Mapping[str, str]] = {
    ANSWERED: mark("answered"),
    STOPPED: mark("stopped"),
    FailureKind.RATE_LIMIT.value: mark("failed: busy"),
    FailureKind.QUOTA.value: mark("failed: used up"),
    FailureKind.CREDENTIALS.value: mark("failed: key not accepted"),
    FailureKind.NO_SUCH_MODEL.value: mark("failed: no such model"),
    FailureKind.TOO_LONG.value: mark("failed: too long"),
    FailureKind.REJECTED.value: mark("failed: not accepted"),
    FailureKind.TIMEOUT.value: mark("failed: too late"),
    FailureKind.CONNECTION.value: mark("failed: not reached"),
    FailureKind.CUT_OFF.value: mark("failed: broke off"),
}
_FAILED: Final = mark("failed")
_UNKNOWN: Final = mark("no end known")


class SentDoor(Protocol):
    """What models were sent, of one's own messages."""

    async def list_of_turn(self, owner: Identity, turn_id: TurnId) -> tuple[SentRequest, ...]:
        """Return what was sent for one message, in order."""

    async def get(self, owner: Identity, turn_id: TurnId, number: int) -> SentBody:
        """Return one request with its body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedRequest:
    """A request that was opened: its body byte by byte, and what stands in it; None where it was not kept."""

    body: bytes
    read: ReadBody


class SentRequestsPresenter:
    """The requests of one message of the person's own."""

    def __init__(self, door: SentDoor, owner: Identity, turn_id: TurnId) -> None:
        self._door = door
        self._owner = owner
        self._turn_id = turn_id
        self.requests: Sequence[SentRequest] = ()

    async def load(self) -> None:
        """Read which requests there were.

        Raises:
            NovaNotFound: the message was deleted meanwhile, or its assistant is gone.

        """
        self.requests = await self._door.list_of_turn(self._owner, self._turn_id)

    async def open(self, number: int) -> OpenedRequest | None:
        """Read one request; None where its body was not kept.

        Raises:
            NovaNotFound: as for `load`.
            NotTheBodySent: what is stored is damaged.

        """
        sent = await self._door.get(self._owner, self._turn_id, number)
        return (
            None if sent.body is None else OpenedRequest(body=sent.body, read=read_body(sent.request.wire, sent.body))
        )

    def address_of(self, number: int) -> str:
        """Return where the body can be had over HTTP, below the server's own path."""
        return f"/api/v1/ai/turns/{self._turn_id}/requests/{number}/body"

    def reasons(self, tr: Translator) -> dict[int, str]:
        """Return why a request was made that is not the first of its step, by its number."""
        return {after.number: _reason(before, after, tr) for before, after in pairwise(self.requests)}


def outcome_words(sent: SentRequest, tr: Translator) -> str:
    """Return how a request ended, in a few words."""
    return tr(_UNKNOWN) if sent.outcome is None else tr(_OUTCOMES.get(sent.outcome, _FAILED))


def has_failed(sent: SentRequest) -> bool:
    """Whether the model failed."""
    return sent.outcome not in {None, ANSWERED, STOPPED}


def where_to(sent: SentRequest, tr: Translator) -> str:
    """Return where a request went, as host and path."""
    return tr("nowhere: it is part of this server") if sent.profile == BUILT_IN_KEY else f"{sent.host}{sent.path}"


def _reason(before: SentRequest, after: SentRequest, tr: Translator) -> str:
    if before.step != after.step:
        return tr("with the results of the calls")
    if (before.profile, before.model) != (after.profile, after.model):
        return tr("another model, in its place")
    if after.left_out > before.left_out:
        return tr("again, with less of the chat")
    return tr("again")
