"""What stands in the tables of a page: the simulated person finds no text within them."""

import asyncio
import json
from collections.abc import Callable

from nicegui.testing import User

from nova_ui.components.object_table import ObjectTable
from nova_ui.domain.json_value import JsonObject


def rows(person: User) -> list[JsonObject]:
    """Return the rows of the only table."""
    table = next(iter(person.find(ObjectTable).elements))
    return list(table.rows)


def cells(person: User) -> str:
    """Return everything in all tables, as text."""
    tables = person.find(ObjectTable).elements
    return json.dumps([row for table in tables for row in table.rows], ensure_ascii=False)


async def until(holds: Callable[[], bool]) -> None:
    """Wait for what a press brings about."""
    for _ in range(50):
        if holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come about")
