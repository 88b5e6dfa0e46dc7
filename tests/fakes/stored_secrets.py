"""What a database holds, column by column, and which of its columns hold secrets: found, not listed.

A column is `table.column`. Everything is read through the product's own engine, as it is stored: nothing is opened.
"""

import asyncio
import json
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    Float,
    Inspector,
    Integer,
    MetaData,
    inspect,
    literal_column,
    select,
    table,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import quoted_name

import storage.all_tables  # noqa: F401 - fills SQLModel.metadata
from nova_ui.guardrails.secret_names import is_secret_name
from storage.database import Database
from storage.nova.ai_tables import SECRET_COLUMNS
from storage.nova.application_tables import SECRET_OF

Stored = Mapping[str, list[bytes]]
"""Every value of every column that is not NULL."""

_SEALED_OR_HASHED: Final = re.compile(rb"enc:v\d+:|\$argon2|\$(?:2[aby]|scrypt|pbkdf2)")
_HOLDS_SECRETS_BY_CODE: Final = frozenset(
    {*(f"connections.{one}" for one in SECRET_OF.values()), *(f"ai_profiles.{one}" for one in SECRET_COLUMNS)}
)
NO_SECRETS: Final = frozenset(
    {
        "ai_routine_runs.answer",  # of a model, to be read
        "audit_chain.end_hash",  # of the audit log's entries, which whoever checks the chain is shown
        "audit_entries.hash",
        "audit_entries.prev_hash",
    }
)
"""Columns whose names alone sound like one."""


def read_all(address: str) -> Stored:
    """Return what stands in every table that the database has, known to the product or not."""
    return asyncio.run(_read_all(address))


async def _read_all(address: str) -> Stored:
    database = Database(address)
    stored: dict[str, list[bytes]] = {}
    try:
        async with database.asking() as connection:
            for name in await connection.run_sync(_names_of_tables):
                stored.update(await _read_table(connection, name))
    finally:
        await database.close()
    return stored


def _names_of_tables(connection: Connection) -> list[str]:
    inspector: Inspector = inspect(connection)
    return inspector.get_table_names()


async def _read_table(connection: AsyncConnection, name: str) -> Stored:
    # A star, so that a column which the models don't know is read as well.
    star: ColumnElement[object] = literal_column("*")
    found = await connection.execute(select(star).select_from(table(quoted_name(name, quote=True))))
    columns = list(found.keys())
    rows = found.fetchall()
    return {
        f"{name}.{column}": [as_bytes(row[at]) for row in rows if row[at] is not None]
        for at, column in enumerate(columns)
    }


def as_bytes(value: object) -> bytes:
    """Return a stored value as it is; what PostgreSQL hands back as an object as the JSON that it was."""
    match value:
        case bytes():
            return value
        case str():
            return value.encode()
        case dict() | list():
            return json.dumps(value, ensure_ascii=False).encode()
        case _:
            return str(value).encode()


def places_of(stored: Stored) -> dict[str, bytes]:
    """Return each column as one place to look into; a canary must not hide in what is deflated."""
    inflated = {f"{column}, inflated": b"\n".join(_inflated(values)) for column, values in stored.items()}
    return {**{column: b"\n".join(values) for column, values in stored.items()}, **inflated}


def _inflated(values: list[bytes]) -> Iterator[bytes]:
    for value in values:
        try:
            yield zlib.decompress(value)
        except zlib.error:
            continue


def secret_columns(metadata: MetaData, marked: Collection[str], stored: Stored) -> frozenset[str]:
    """Return the columns of secrets.

    Those that sound like one or like a hash, those named as a field that the OpenAPI document marks (`marked`), those
    that the code seals, and those in which something sealed or a password's hash stands.
    """
    named = {
        f"{one.name}.{column.name}"
        for one in metadata.sorted_tables
        for column in one.columns
        if not isinstance(column.type, Integer | Float | Boolean)  # `input_tokens` are counted
        and (column.name in marked or is_secret_name(column.name) or column.name.endswith("hash"))
    }
    holding = {column for column, values in stored.items() if any(map(_SEALED_OR_HASHED.match, values))}
    return frozenset((named | holding | _HOLDS_SECRETS_BY_CODE) - NO_SECRETS)


def without_canary(columns: Collection[str], planted_in: Mapping[str, str], canaries: Collection[str]) -> list[str]:
    """Name the columns of secrets for which no canary was planted; `planted_in` says which one stands in which."""
    return sorted(column for column in columns if planted_in.get(column) not in canaries)


def marked_names(document: object) -> frozenset[str]:
    """Return the names of all fields that an OpenAPI document marks as secret, themselves or what they hold."""
    if isinstance(document, list):
        return frozenset().union(*map(marked_names, document))
    if not isinstance(document, dict):
        return frozenset()
    fields = document.get("properties")
    own = {name for name, field in fields.items() if _is_marked(field)} if isinstance(fields, dict) else set[str]()
    return frozenset(own).union(*map(marked_names, document.values()))


def _is_marked(field: object) -> bool:
    return '"x-nova-secret": true' in json.dumps(field)
