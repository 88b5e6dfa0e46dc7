"""The chat reaches Nova's data through Nova's endpoints and no other way, and many at once never as one another."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from contextvars import ContextVar

import pytest
from pydantic import ValidationError
from sqlmodel import col, select

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.errors import NovaUiError
from nova_ui.nova.sample_organisation import sample_id
from nova_ui.nova_client.client import NovaDoor
from nova_ui.nova_client.origin import Receive, Scope, Send
from storage.nova.tables import IdentityRow
from tests.tools.conftest import CHAT, TOOLS, Person, Site
from tests.tools.test_against_nova import NEEDED, TIM

CONTRACTORS = sample_id("grp", "contractors")
_IN_AN_ENDPOINT: ContextVar[bool] = ContextVar("in_an_endpoint", default=False)
_Opening = Callable[[], AbstractAsyncContextManager[object]]


class Tripwire:
    """Counts the uses of the database inside and outside of Nova's endpoints."""

    def __init__(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        self.inside = 0
        self.outside = 0
        self._api = site.api
        for name in ("transaction", "reading", "asking"):
            monkeypatch.setattr(site.database, name, self._watched(getattr(site.database, name)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = _IN_AN_ENDPOINT.set(True)
        try:
            await self._api(scope, receive, send)
        finally:
            _IN_AN_ENDPOINT.reset(token)

    def _watched(self, opening: _Opening) -> _Opening:
        @asynccontextmanager
        async def watched() -> AsyncIterator[object]:
            if _IN_AN_ENDPOINT.get():
                self.inside += 1
            else:
                self.outside += 1
            async with opening() as opened:
                yield opened

        return watched


def _arguments_of(tool: AnyTool) -> dict[str, JsonValue]:
    """Return its example, with ids that have the right form, and texts where they are asked for."""
    schema = tool.arguments.model_json_schema()
    given: dict[str, JsonValue] = {**tool.examples[Language.ENGLISH][0].arguments}
    for name in {*schema["required"]} if "required" in schema else ():
        found = re.search(r"\^([a-z]{3})_\[", repr(schema["properties"][name]))
        if found is not None:
            an_id = {"idn": TIM, "grp": CONTRACTORS}.get(found[1], f"{found[1]}_00000000000000000000")
            given[name] = [an_id] if name.endswith("_ids") else an_id
        else:
            given.setdefault(name, "for-a-test")
    role_id = sample_id("rol", "remote-access")  # one of several things that may be named
    if tool.kind is ToolKind.WRITE and {"role_ids", "role_id"} & set(schema["properties"]):
        given |= {"role_ids": [role_id]} if "role_ids" in schema["properties"] else {"role_id": role_id}
    return {**given, **NEEDED.get(tool.name, {})}


async def _exercise(person: Person, tool: AnyTool) -> None:
    """Show and run it; whether Nova likes what is asked for is no matter."""
    for use in (person.show, person.run) if tool.show is not None else (person.run,):
        with suppress(NovaUiError, ValidationError):
            await use(tool.name, **_arguments_of(tool))


async def test_a1_no_tool_reaches_the_database_but_through_an_endpoint(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Abuse case 9."""
    signed_in = await site.sign_in("mara.koenig")
    tripwire = Tripwire(site, monkeypatch)
    mara = Person(NovaDoor(tripwire).open(signed_in.caller, CHAT), signed_in.caller)

    used: dict[str, int] = {}
    for name, tool in TOOLS.items():
        before = tripwire.inside
        await _exercise(mara, tool)
        used[name] = tripwire.inside - before

    assert tripwire.outside == 0
    assert [name for name, uses in used.items() if not uses] == []


async def test_a2_i2_fifty_people_at_once_are_each_themselves(site: Site) -> None:
    """Abuse case 3."""
    active = select(IdentityRow.id).where(col(IdentityRow.status) == "active").limit(50)
    async with site.database.reading() as session:
        ids = (await session.exec(active)).all()
        names = {row.id: row.user_name for row in (await session.exec(select(IdentityRow))).all()}
    people = {one: await site.sign_in(names[one]) for one in ids}

    asked = [(one, person.run("get_identity")) for one, person in people.items() for _ in range(10)]
    answers = await asyncio.gather(*(asking for _, asking in asked))

    assert len(people) == 50
    told = [(one, answer["id"]) for (one, _), answer in zip(asked, answers, strict=True)]
    assert [pair for pair in told if pair[0] != pair[1]] == []
