"""What of a profile is sealed: never read back, and entered again when it would go another way (rules D3, D5)."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from pydantic import SecretStr

from nova_ui.errors import NovaInvalid
from nova_ui.nova.views.ai_configuration import AiProfileCreate, AiProfilePatch
from nova_ui.outgoing.headers import MAX_HEADERS, is_addable, is_sendable
from storage.encryption import Encryption, UnsealFailed
from storage.nova.ai_tables import AiProfileRow, password_way, secret_place

# Where a secret goes, and who vouches for whoever is there. A change of any, in whatever spelling, is another way.
WAY: Final = frozenset({"kind", "base_url", "proxy_url", "ca_certificates"})

Headers = Mapping[str, SecretStr | None]


class ProfileSecrets:
    """Seals what administrators enter for the way it is meant for."""

    def __init__(self, encryption: Encryption) -> None:
        self._encryption = encryption

    def seal_new(self, row: AiProfileRow, body: AiProfileCreate, now: datetime) -> None:
        """Put the secrets of a new profile into its row.

        Raises:
            NovaInvalid: one of them holds what can't be sent.

        """
        headers = _usable_headers(body.headers)
        if body.api_key is not None:
            row.api_key, row.api_key_set_at = self._sealed(row, "api_key", _usable(body.api_key, "api_key")), now
        if body.proxy_password is not None:
            row.proxy_password = self._sealed(row, "proxy_password", _usable(body.proxy_password, "proxy_password"))
        if headers:
            row.headers, row.header_names = self._sealed(row, "headers", json.dumps(headers)), sorted(headers)

    def changed(
        self, row: AiProfileRow, values: Mapping[str, object], body: AiProfilePatch, now: datetime
    ) -> dict[str, object]:
        """Return the columns of secrets that a change writes; `values` are the others that it writes.

        Raises:
            NovaInvalid: a stored secret would go another way without having been entered again.

        """
        after = AiProfileRow(**{**row.model_dump(), **values})
        is_moved = bool(WAY & values.keys())
        return {
            **self._changed_key(row, after, body, now, is_moved=is_moved),
            **self._changed_headers(row, after, body, is_moved=is_moved),
            **self._changed_password(row, after, body, is_moved=password_way(row) != password_way(after)),
        }

    def open_headers(self, row: AiProfileRow) -> dict[str, str]:
        """Return the stored headers with their values.

        Raises:
            UnsealFailed: they can't be read, or were not meant for this way.

        """
        if row.headers is None:
            return {}
        opened: dict[str, str] = json.loads(self._encryption.open(row.headers, secret_place(row, "headers")))
        return opened

    def _changed_key(
        self, row: AiProfileRow, after: AiProfileRow, body: AiProfilePatch, now: datetime, *, is_moved: bool
    ) -> dict[str, object]:
        if "api_key" not in body.model_fields_set:
            if is_moved and row.api_key is not None:
                raise NovaInvalid(
                    "The kind, the address, the proxy or the certificates change, and the stored key is not sent"
                    " another way: give the key again, or null.",
                    field="api_key",
                )
            return {}
        if body.api_key is None:
            return {} if row.api_key is None else {"api_key": None, "api_key_set_at": None}
        return {"api_key": self._sealed(after, "api_key", _usable(body.api_key, "api_key")), "api_key_set_at": now}

    def _changed_headers(
        self, row: AiProfileRow, after: AiProfileRow, body: AiProfilePatch, *, is_moved: bool
    ) -> dict[str, object]:
        given = {name.lower(): value for name, value in body.headers.items()}
        kept = [name for name in row.header_names if name not in given]
        if is_moved and kept:
            raise NovaInvalid(
                "The kind, the address, the proxy or the certificates change, and stored header values are not sent"
                f" another way: give each value again, or null ({', '.join(kept)}).",
                field="headers",
            )
        if not given:
            return {}
        before: dict[str, str] = {}
        if kept:
            try:
                before = self.open_headers(row)
            except UnsealFailed:
                raise NovaInvalid(
                    f"The stored header values can't be read: give each again, or null ({', '.join(kept)}).",
                    field="headers",
                ) from None
        headers = {**{name: before[name] for name in kept}, **_usable_headers(body.headers)}
        if len(headers) > MAX_HEADERS:
            raise NovaInvalid(f"At most {MAX_HEADERS} headers are sent.", field="headers")
        sealed = self._sealed(after, "headers", json.dumps(headers)) if headers else None
        return {"headers": sealed, "header_names": sorted(headers)}

    def _changed_password(
        self, row: AiProfileRow, after: AiProfileRow, body: AiProfilePatch, *, is_moved: bool
    ) -> dict[str, object]:
        if after.proxy_url is None:
            return {} if row.proxy_password is None else {"proxy_password": None}
        if "proxy_password" not in body.model_fields_set:
            if is_moved and row.proxy_password is not None:
                raise NovaInvalid(
                    "The proxy or who vouches for it changes, and the stored password is not sent to another one: give"
                    " it again, or null.",
                    field="proxy_password",
                )
            return {}
        if body.proxy_password is None:
            return {} if row.proxy_password is None else {"proxy_password": None}
        return {"proxy_password": self._sealed(after, "proxy_password", _usable(body.proxy_password, "proxy_password"))}

    def _sealed(self, row: AiProfileRow, column: str, value: str) -> str:
        return self._encryption.seal(value, secret_place(row, column))


def header_fields(headers: Headers) -> set[str]:
    """Return how an audit entry names changed headers: by their names only."""
    return {f"headers.{name.lower()}" for name in headers}


def _usable(secret: SecretStr, field: str) -> str:
    value = secret.get_secret_value().strip()
    if not value or not value.isascii() or not value.isprintable():
        raise NovaInvalid("The key holds characters that no key can have.", field=field)
    return value


def _usable_headers(headers: Headers) -> dict[str, str]:
    for name in headers:
        if not is_addable(name):
            raise NovaInvalid("A header of this name is not added: it belongs to the call itself.", field="headers")
    if len({name.lower() for name in headers}) != len(headers):
        raise NovaInvalid("A header is given once only, in whatever letters.", field="headers")
    found = {name.lower(): value.get_secret_value() for name, value in headers.items() if value is not None}
    if not all(is_sendable(value) for value in found.values()):
        raise NovaInvalid("A header's value holds characters that can't be sent.", field="headers")
    return found
