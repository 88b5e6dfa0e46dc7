"""Which process runs a turn, a job or a scheduled run, and whether it still lives."""

import os
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Self

SILENT_FOR: Final = timedelta(seconds=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """One process that runs things; `token` tells it from an earlier one with the same number on the same host."""

    host: str
    pid: int
    token: str

    @classmethod
    def of_this_process(cls) -> Self:
        """Return a new worker for this process."""
        return cls(host=socket.gethostname(), pid=os.getpid(), token=secrets.token_hex(8))

    @property
    def id(self) -> str:
        """The worker as a row names it."""
        return f"{self.host}:{self.pid}:{self.token}"

    def finds_dead(
        self, worker_id: str, heartbeat_at: datetime, now: datetime, is_alive: Callable[[int], bool]
    ) -> bool:
        """Whether `worker_id` can no longer be running what it claimed.

        On this host that is seen at once: its process is gone, or this one has taken its number. Anywhere else it
        counts as dead after 30 s without a heartbeat.
        """
        if worker_id == self.id:
            return False
        if now - heartbeat_at > SILENT_FOR:
            return True
        host, _, rest = worker_id.rpartition(":")[0].rpartition(":")
        if host != self.host or not rest.isdecimal():
            return False
        return int(rest) == self.pid or not is_alive(int(rest))


def is_process_alive(pid: int) -> bool:
    """Whether a process of this number exists on this host."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
