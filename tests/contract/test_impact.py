"""The impact of each destructive operation names exactly what it then does, in its answer and in the tables."""

from collections import Counter
from dataclasses import replace
from typing import Final

import httpx
import pytest

from tests.contract.acting import is_refused_item_by_item, those_who_may
from tests.contract.cast import LETTERS
from tests.contract.sample import NO_BODY
from tests.contract.samples import SAMPLES
from tests.contract.stage import Snapshot, Stage, differences

DESTRUCTIVE: Final = [name for name, sample in SAMPLES.items() if sample.impact is not None]

TABLE_OF: Final = {
    "access_request": "access_requests",
    "ai_profile": "ai_profiles",
    "ai_routine": "ai_routines",
    "ai_routine_run": "ai_routine_runs",
    "approval": "approvals",
    "application": "applications",
    "assignment": "assignments",
    "assignment_end": "assignments",
    "assistant": "assistants",
    "chat": "chats",
    "connection": "connections",
    "ended_assignment": "assignments",
    "entitlement": "entitlements",
    "export": "exports",
    "group": "groups",
    "identity": "identities",
    "membership": "memberships",
    "message": "",
    "notification": "notifications",
    "role": "roles",
    "routine": "lifecycle_routines",
    "session": "sessions",
}
"""In which table an effect of a type is seen; add a new type here."""
ALONG: Final = {
    "chat": {"turns", "turn_events", "previews", "sent_requests", "sent_parts"},
    "access_request": {"approvals"},
    "membership": {"groups"},
}
"""What goes with an effect without being named: parts of the object, and the version of what it was part of."""

OF_ITSELF: Final = frozenset({"personal_field", "sign_in", "synchronisation", "holder"})
"""Effects on the object itself."""


async def read_impact(stage: Stage, name: str, who: str) -> httpx.Response:
    sample = SAMPLES[name]
    impact = stage.document.by_id[stage.document.by_id[name].impact or ""]
    return await stage.ask(impact, replace(sample, query=sample.impact or {}, body=NO_BODY), who)


@pytest.mark.parametrize("name", DESTRUCTIVE)
async def test_c13_the_impact_tells_what_the_action_does(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    who = those_who_may(operation, sample)[0]
    before, logged = stage.snapshot(), len(stage.entries())

    told = await read_impact(stage, name, who)
    untouched = differences(before, stage.snapshot()) == {} and len(stage.entries()) == logged
    done = await stage.ask(operation, sample, who)

    assert (told.status_code, done.status_code) == (200, 200), (told.text, done.text)
    assert untouched
    impact, effects = told.json(), done.json()["effects"]
    assert impact["refusal"] is None
    counted = Counter((one["type"], one["result"]) for one in effects)
    assert {(one["type"], one["result"]): one["count"] for one in impact["effects"]} == dict(counted)
    named = {one for group in impact["effects"] for one in group["names"]}
    assert named == {one["display"] for one in effects if one["display"]}
    _check_tables(before, stage.snapshot(), name, impact["object"]["type"], [one["type"] for one in effects])


def _check_tables(before: Snapshot, after: Snapshot, name: str, subject: str, effects: list[str]) -> None:
    changed = differences(before, after)
    places = {**TABLE_OF, **SAMPLES[name].effects_in}
    expected = Counter(places[kind] for kind in effects if kind not in OF_ITSELF and places[kind])
    wanted = dict(expected)
    along = {table for kind in effects for table in ALONG.get(kind, ())} | SAMPLES[name].follows.keys()
    own = TABLE_OF[subject]
    for table, count in wanted.items():
        rows = changed.get(table, 0)
        least, most = count, count + (table == own)  # the object itself may be one of them, or be told of
        assert least <= rows, f"{table}: {count} effects, {rows} rows"
        assert rows <= most or table in along, f"{table}: {count} effects, {rows} rows"
    assert changed.keys() - wanted.keys() - along - {own} == set(), "rows changed of which no effect tells"


@pytest.mark.parametrize("name", DESTRUCTIVE)
async def test_c13_the_impact_refuses_whom_the_action_refuses(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]

    for who in LETTERS.keys() - set(those_who_may(operation, sample)):
        told, refused = await read_impact(stage, name, who), await stage.ask(operation, sample, who)
        _check_same_refusal(who, told, refused)


@pytest.mark.parametrize("name", DESTRUCTIVE)
async def test_c13_once_it_is_done_the_impact_refuses_what_the_action_refuses(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    if sample.repeats:
        return
    who = those_who_may(operation, sample)[0]
    await stage.ask(operation, sample, who)

    told, again = await read_impact(stage, name, who), await stage.ask(operation, sample, who)

    if is_refused_item_by_item(again):
        _check_same_refusal(who, told, again)
    elif again.is_success:  # there was nothing left to do, which both say
        assert told.json()["effects"] == again.json()["effects"] == []
    else:
        _check_same_refusal(who, told, again)


def _check_same_refusal(who: str, told: httpx.Response, refused: httpx.Response) -> None:
    if is_refused_item_by_item(refused):
        assert is_refused_item_by_item(told), who
        return
    assert refused.status_code in {403, 404, 409}, (who, refused.text)
    if told.status_code == httpx.codes.OK:
        assert told.json()["refusal"] is not None, who
        assert told.json()["refusal"]["code"] == refused.json()["code"], who
    else:
        assert (told.status_code, told.json()["code"]) == (refused.status_code, refused.json()["code"]), who
