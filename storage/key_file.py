"""Where the keys lie: a file that only the server's own account may read."""

import json
import logging
import os
import secrets
import stat
from pathlib import Path
from typing import Final

from nova_ui.errors import ConfigurationError
from storage.encryption import Encryption, KeyRing, from_text, to_text

log = logging.getLogger(__name__)

_OTHERS_MAY: Final = stat.S_IRWXG | stat.S_IRWXO


def load_or_create(path: Path) -> Encryption:
    """Read the key file, or make one; of several servers that start at once, all use the one that came first.

    Raises:
        ConfigurationError: the file can be read by others, or is no key file, or can't be made.

    """
    if not path.exists():
        try:
            _write_new(path, KeyRing.generate())
            log.info("keys.created")
        except FileExistsError:
            pass  # another server was quicker; its keys are the keys
        except OSError as error:
            raise ConfigurationError(f"the key file {path} can't be made: {error.strerror}") from None
    return Encryption(read_key_file(path))


def read_key_file(path: Path) -> KeyRing:
    """Read the keys.

    Raises:
        ConfigurationError: the file can be read by others, can't be read by us, or is no key file.

    """
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(
                os.fstat(file.fileno()).st_mode
            )  # of the file that is read, not of what the name is now
            text = file.read()
    except OSError as error:
        raise ConfigurationError(f"the key file {path} can't be read: {error.strerror}") from None
    if os.name == "posix" and mode & _OTHERS_MAY:
        raise ConfigurationError(f"the key file {path} is open to others (mode {mode:04o}); run: chmod 600 {path}")
    try:
        stored = json.loads(text)
        keys = {str(key_id): from_text(str(key)) for key_id, key in stored["keys"].items()}
        return KeyRing(current=str(stored["current"]), keys=keys)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigurationError(f"the file {path} is not a key file of Nova AI, or is damaged") from None


def replace_key_file(path: Path, ring: KeyRing) -> None:
    """Write the keys over an existing file; a reader finds the old or the new ones, never half of them."""
    temporary = _write_temporary(path, ring)
    temporary.replace(path)
    _sync_folder(path.parent)


def _write_new(path: Path, ring: KeyRing) -> None:
    """Create the key file in one step: whole, 0600 from its first byte, and never over another."""
    temporary = _write_temporary(path, ring)
    try:
        os.link(temporary, path)  # unlike a rename it fails if the name is taken
    finally:
        temporary.unlink()
    _sync_folder(path.parent)


def _write_temporary(path: Path, ring: KeyRing) -> Path:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump({"current": ring.current, "keys": {key_id: to_text(key) for key_id, key in ring.keys.items()}}, file)
        file.flush()
        os.fsync(file.fileno())
    return temporary


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
