"""Named points of the confirmation protocol at which a server can be told to die (rule C10).

A kill at a random moment seldom meets the short ways between two writes, and those are what the order of the protocol
is about. So the servers of the races run with wrappers around what begins and ends such a way: at each the process
looks into the file that an environment variable names, and if the file names this point, it sends itself SIGKILL. The
product itself has no such hook, and without the file each wrapper only passes on.
"""

import os
import signal
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import httpx

from nova_ui.chat import accept
from nova_ui.chat.accept import Acceptance
from nova_ui.chat.confirm import StoredPreviews
from nova_ui.nova_client.client import NovaClient

KILL_VARIABLE: Final = "RACES_KILL_AT"  # names the file that says at which point this one process is to die
_Answering = Callable[..., Awaitable[Any]]


class Point(StrEnum):
    """Where a process can die; each is passed by a turn that confirms, and some by a turn that writes or reads."""

    USED_UP = "used up"  # of a press: within the transaction that accepts it
    ACCEPTED = "accepted"  # the message counts, durably
    ASKING = "about to ask Nova"  # for a change
    ANSWERED = "Nova has answered"  # the change is made, and the chat does not know it yet
    NOTED = "outcome noted"


def write_order(file: Path, point: Point, *, passes: int = 0) -> None:
    """Have the process that `file` belongs to die at a point, once it has passed it `passes` times."""
    file.write_text(f"{passes} {point.value}")


def take_back(file: Path) -> bool:
    """Take back an order; False if it was carried out."""
    was_open = file.exists()
    file.unlink(missing_ok=True)
    return was_open


def obey_orders() -> None:
    """Wrap the points of this process, around whatever stands there already."""
    file = Path(os.environ[KILL_VARIABLE])
    _wrap(accept, "consume_pressed", file, after=Point.USED_UP)
    _wrap(StoredPreviews, "consume", file, after=Point.USED_UP)
    _wrap(Acceptance, "accept", file, after=Point.ACCEPTED)
    _wrap(NovaClient, "_send", file, before=Point.ASKING, after=Point.ANSWERED, only=_is_change_of_a_chat)
    _wrap(StoredPreviews, "record_outcome", file, after=Point.NOTED)


def _is_change_of_a_chat(client: NovaClient, request: httpx.Request, *_: object) -> bool:
    return client._origin.is_chat and request.method != "GET"


def _wrap(
    target: object,
    name: str,
    file: Path,
    *,
    before: Point | None = None,
    after: Point,
    only: Callable[..., bool] = lambda *_: True,
) -> None:
    wrapped: _Answering = getattr(target, name)

    async def dying(*given: Any) -> Any:  # noqa: ANN401 - whatever is wrapped
        is_meant = only(*given)
        if is_meant and before is not None:
            _pass(file, before)
        answer = await wrapped(*given)
        if is_meant:
            _pass(file, after)
        return answer

    patch.object(target, name, dying).start()


def _pass(file: Path, point: Point) -> None:
    """Die here if that is ordered; nothing else of this process runs between the look and the signal."""
    if not file.exists():
        return
    passes, _, name = file.read_text().partition(" ")
    if name != point.value:
        return
    if int(passes):
        write_order(file, point, passes=int(passes) - 1)
        return
    file.unlink()  # before: the process that is started next goes on
    os.kill(os.getpid(), signal.SIGKILL)
