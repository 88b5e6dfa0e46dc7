"""The product as people start it: `app.py` in a process of its own, on a free port of loopback."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import httpx

REPOSITORY: Final = Path(__file__).resolve().parents[2]
DEMO_PASSWORD: Final = "correct-horse-battery"
_START_S: Final = 180.0
_STOP_S: Final = 20.0
_FOREIGN: Final = ("PYTEST_", "NICEGUI_", "NOVA_", "COV_")


class RunningServer:
    """A server over `data_dir`; started again over the same folder it finds what it left.

    `name` is that of its log where several share a folder; `program` is what starts it.
    """

    def __init__(
        self, data_dir: Path, *, name: str = "", program: Sequence[str] = ("app.py",), **settings: str
    ) -> None:
        self._data_dir = data_dir
        self._log = data_dir.parent / f"{name or data_dir.name}.log"
        self._program = program
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def log_text(self) -> str:
        return self._log.read_text(errors="replace")

    def start(self, *arguments: str) -> float:
        """Start and wait until it is ready; return how many seconds that took."""
        self.port = _free_port()
        # Without these NiceGUI takes itself for a test, and the settings for those of whoever runs the tests.
        environment = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        environment |= {
            "NOVA_DEMO_PASSWORD": DEMO_PASSWORD,
            "PYTHONUNBUFFERED": "1",
            "NOVA_MESSAGES_PER_MINUTE": "6000",
        }
        environment |= self._settings
        options = ["--demo", "--port", str(self.port), "--data-dir", str(self._data_dir)]
        command = [sys.executable, *self._program, *options]
        began = time.monotonic()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [*command, *arguments],
                cwd=REPOSITORY,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        with httpx.Client(timeout=2.0) as asking:  # one: each reads every certificate there is
            while time.monotonic() - began < _START_S:
                if self._process.poll() is not None:
                    break
                if self._is_ready(asking):
                    return time.monotonic() - began
                time.sleep(0.05)
        self.kill()
        raise AssertionError(f"the server did not become ready:\n{self.log_text}")

    def stop(self) -> int:
        """Ask it to end and return its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> int:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(number)
        return self._process.wait(_STOP_S)

    def _is_ready(self, asking: httpx.Client) -> bool:
        try:
            return asking.get(f"{self.url}/readyz").status_code == httpx.codes.OK
        except httpx.TransportError:
            return False


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
