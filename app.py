"""Start Nova AI: `python app.py`, or `python app.py --demo` to look around."""

import argparse
import contextlib
import ipaddress
import logging
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn
from pydantic import SecretStr

from nova_ui.domain.sample_sign_ins import SIGN_INS
from nova_ui.errors import ConfigurationError
from nova_ui.http_head import BoundedHead
from nova_ui.log_format import set_up_logging
from nova_ui.settings import Settings, load_settings
from nova_ui.version import VERSION

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

UNUSABLE: Final = 2
PRIVATE_FOLDER: Final = 0o700
GRACE_SECONDS: Final = 5
_EASY_TO_READ: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_FAULT: Final = f"{ConfigurationError.__module__}.{ConfigurationError.__qualname__}: "


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server until it is told to stop; return the exit code."""
    options = parser().parse_args(arguments)
    os.umask(0o077)  # whatever the server writes is nobody else's
    try:
        settings = settings_from(options)
        make_folder(settings.data_path)
        set_up_logging(settings.log_level)
        # Only now: the pages take a second to load, which a wrong option need not wait for.
        from nova_ui.bootstrap import build  # noqa: PLC0415

        server = server_for(build(settings), settings)
    except ConfigurationError as error:
        sys.stderr.write(f"Nova AI can't start: {error}\n")
        return UNUSABLE
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn has stopped cleanly and hands the signal on
        server.run()
    return 0 if server.started else UNUSABLE


def parser() -> argparse.ArgumentParser:
    """Return what the command line understands."""
    described = {name: field.description for name, field in Settings.model_fields.items()}
    found = argparse.ArgumentParser(
        prog="app.py",
        description="Nova AI: a guarded chat that reads and changes Nova.",
        epilog="All other settings come from the environment (NOVA_...); see docs/operating.md.",
    )
    found.add_argument("--demo", action="store_true", default=None, help=described["demo"])
    found.add_argument("--host", help=described["host"])
    found.add_argument("--port", type=int, help=described["port"])
    found.add_argument("--data-dir", type=Path, help=described["data_dir"])
    found.add_argument("--version", action="version", version=f"Nova AI {VERSION}")
    return found


def settings_from(options: argparse.Namespace) -> Settings:
    """Return the settings; options given on the command line win over the environment.

    Raises:
        ConfigurationError: a value is not usable, or a demo would be reachable from other machines.

    """
    given = {name: value for name, value in vars(options).items() if value is not None}
    settings = load_settings(given)
    if not settings.demo:
        return settings
    if not is_loopback(settings.host):
        raise ConfigurationError(
            f"a demo listens on loopback addresses only, such as 127.0.0.1; --host or NOVA_HOST is {settings.host}"
        )
    if settings.demo_password is not None:
        return settings
    return settings.model_copy(update={"demo_password": SecretStr(new_password())})


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches `host`."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def new_password() -> str:
    """Return a password that can be read aloud: 79 random bits."""
    return "-".join("".join(secrets.choice(_EASY_TO_READ) for _ in range(4)) for _ in range(4))


def make_folder(path: Path) -> None:
    """Make the data folder, readable for the server's account only; one that is there stays as it is.

    Raises:
        ConfigurationError: it can't be made or written to.

    """
    try:
        path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"NOVA_DATA_DIR: the folder {path} can't be made: {error.strerror}") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise ConfigurationError(f"NOVA_DATA_DIR: the folder {path} can't be written to")


def server_for(application: "FastAPI", settings: Settings) -> "AnnouncingServer":
    """Return the server, not yet running. It keeps no access log: addresses of sockets hold page ids."""
    logging.getLogger("uvicorn.error").addFilter(_fit_for_the_log)
    config = uvicorn.Config(
        application,
        host=settings.host,
        port=settings.port,
        http=BoundedHead,
        ws="wsproto",
        ws_max_size=settings.max_body_bytes,
        ws_per_message_deflate=False,  # a few kilobytes would unpack into gigabytes before their size is looked at
        proxy_headers=bool(settings.forwarded_allow_ips),
        forwarded_allow_ips=settings.forwarded_allow_ips,
        server_header=False,
        access_log=False,
        log_config=None,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    return AnnouncingServer(config, application, settings)


class AnnouncingServer(uvicorn.Server):
    """Says where it is and how to get in, once it really is there."""

    def __init__(self, config: uvicorn.Config, application: "FastAPI", settings: Settings) -> None:
        super().__init__(config)
        self._application = application
        self._settings = settings

    async def startup(self, sockets: "list[socket.socket] | None" = None) -> None:
        """Start, then tell."""
        await super().startup(sockets=sockets)
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1] if self.servers else self._settings.port
            sys.stdout.write(announcement(self._application, self._settings, port))
            sys.stdout.flush()


def announcement(application: "FastAPI", settings: Settings, port: int) -> str:
    """Return what whoever starts the server needs to know; `bootstrap` leaves a `StartNote` in the state."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{host}:{port}{settings.path_prefix}/"
    lines = [f"Nova AI {VERSION} is ready: {address}"]
    note = getattr(application.state, "start_note", None)
    if note is not None and note.sign_ins and settings.demo_password is not None:
        lines += ["", f"Sign in with the password {settings.demo_password.get_secret_value()} as"]
        lines += [f"  {name:<14}{SIGN_INS.get(name, '')}".rstrip() for name in note.sign_ins]
    if note is not None and note.setup_code is not None:
        lines += ["", f"Not set up yet: open {address}setup", f"From another machine it asks for: {note.setup_code}"]
    return "\n".join(lines) + "\n"


def _fit_for_the_log(record: logging.LogRecord) -> bool:
    """Keep handshakes out, whose addresses hold page ids, and shorten a stopped start to its sentence."""
    message = record.getMessage()
    if '"WebSocket ' in message:
        return False
    if _FAULT in message:
        record.msg, record.args = f"Nova AI can't start: {message.rpartition(_FAULT)[2].strip()}", ()
    return True


if __name__ == "__main__":
    sys.exit(main())
