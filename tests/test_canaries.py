"""A canary is found in whatever form it got out, and no column of secrets is forgotten."""

import asyncio
import base64
import html
import json
import zlib
from collections.abc import Callable
from urllib.parse import quote

import pytest
from sqlalchemy import Column, MetaData, Table, text
from sqlmodel import AutoString, SQLModel

from storage.database import Database
from tests.fakes.canaries import a_canary, forms_of
from tests.fakes.stored_secrets import (
    NO_SECRETS,
    Stored,
    marked_names,
    places_of,
    read_all,
    secret_columns,
    without_canary,
)

FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": json.dumps,
    "JSON within JSON": lambda text: json.dumps(json.dumps({"a": text})),
    "the beginning": lambda text: f"cut {text[:20]}",
    "the end": lambda text: text[-20:],
    "hex": lambda text: text.encode().hex(),
    "base64 of a longer text": lambda text: base64.b64encode(f"ab{text}cd".encode()).decode(),
    "base64 of basic credentials": lambda text: base64.urlsafe_b64encode(f"user:{text}".encode()).decode(),
    "in a query": lambda text: f"?a={quote(text)}&b",
    "in a page": html.escape,
}


@pytest.mark.parametrize("form", FORMS)
def test_a_canary_is_found_in_whatever_form(form: str) -> None:
    for plain in (True, False):
        canary = a_canary(plain=plain)
        content = FORMS[form](canary).encode()

        assert any(written in content for written in forms_of(canary))


def test_another_canary_is_none_of_it() -> None:
    one, another = a_canary(), a_canary()

    assert not any(written in another.encode() for written in forms_of(one) if len(written) > 9)


def a_table(*columns: str) -> MetaData:
    metadata = MetaData()
    Table("webhooks", metadata, *(Column(name, AutoString()) for name in columns))
    return metadata


@pytest.mark.parametrize("column", ["signing_secret", "pin", "token", "code_hash"])
def test_d5_a_new_column_that_sounds_like_a_secret_is_named_until_it_has_a_canary(column: str) -> None:
    columns = secret_columns(a_table("id", "address", column), (), {})
    planted_in = dict.fromkeys(columns - {f"webhooks.{column}"}, "a canary")

    assert without_canary(columns, planted_in, {"a canary"}) == [f"webhooks.{column}"]
    assert without_canary(columns, {**planted_in, f"webhooks.{column}": "a canary"}, {"a canary"}) == []
    assert f"webhooks.{column}" in without_canary(columns, dict.fromkeys(columns, "another"), {"a canary"})


def test_d5_a_new_column_is_found_by_the_mark_of_its_field_whatever_it_is_called() -> None:
    field = {"anyOf": [{"type": "string", "x-nova-secret": True}, {"type": "null"}]}
    document = {"components": {"schemas": {"Webhook": {"properties": {"shade": field, "address": {}}}}}}
    marked = marked_names(document)

    assert marked == {"shade"}
    assert "webhooks.shade" in secret_columns(a_table("id", "address", "shade"), marked, {})
    assert "webhooks.shade" not in secret_columns(a_table("id", "address", "shade"), (), {})


@pytest.mark.parametrize("value", [b"enc:v1:abc:AAAA", b"$argon2id$v=19$m=1$x", b"$2b$12$x"])
def test_d5_a_new_column_is_found_by_what_stands_in_it_whatever_it_is_called(value: bytes) -> None:
    held: Stored = {"webhooks.address": [b"https://x", value], "webhooks.id": [b"enc"]}

    assert secret_columns(a_table(), (), held) - secret_columns(a_table(), (), {}) == {"webhooks.address"}


async def test_a_column_that_the_models_do_not_know_is_read_as_well(database_url: str) -> None:
    """With values as they are, and what is deflated as it was."""
    database = Database(database_url)
    packed = "BLOB" if database.is_sqlite else "BYTEA"
    row = {"shade": "Zq1", "packed": zlib.compress(b"Zq2")}
    async with database.asking() as connection:
        await connection.execute(text(f'CREATE TABLE "left over" (shade VARCHAR, packed {packed})'))
        await connection.execute(text('INSERT INTO "left over" VALUES (:shade, :packed)'), row)
        await connection.commit()
        try:
            stored = await asyncio.to_thread(read_all, database_url)
        finally:
            await connection.execute(text('DROP TABLE "left over"'))
            await connection.commit()
    await database.close()
    places = places_of(stored)

    assert places["left over.shade"] == b"Zq1"
    assert places["left over.packed, inflated"] == b"Zq2"


@pytest.mark.parametrize("secret", sorted(NO_SECRETS))
def test_a_column_that_is_excused_is_there_and_sounds_like_a_secret(secret: str) -> None:
    table, column = secret.split(".")

    assert column in SQLModel.metadata.tables[table].columns
    assert f"webhooks.{column}" in secret_columns(a_table(column), (), {})
