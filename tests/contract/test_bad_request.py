"""Whatever is wrong with a request: one problem object that names the field, no echo, and nothing has changed."""

import re
from typing import Final

import httpx
import pytest

from tests.contract.acting import those_who_may
from tests.contract.bad_values import LONG, UNKNOWN, bad_bodies
from tests.contract.sample import NO_BODY
from tests.contract.samples import SAMPLES
from tests.contract.stage import Stage, differences

_WRITING: Final = {"POST", "PUT", "PATCH", "DELETE"}
_WRONG_ID: Final = "zzz_00000000000000000000"


def check_problem(answer: httpx.Response, what: str) -> None:
    assert answer.status_code in {400, 422}, (what, answer.status_code, answer.text[:300])
    assert answer.headers["content-type"] == "application/problem+json", what
    assert answer.json()["code"] == "validation_failed", (what, answer.text[:300])
    assert len(answer.content) < 4000, f"{what}: the answer echoes what was sent"


@pytest.mark.parametrize("name", SAMPLES)
async def test_a_wrong_body_is_refused_as_a_whole_and_the_field_is_named(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    if operation.method not in _WRITING:
        return
    who = those_who_may(operation, sample)[0]
    body = {} if sample.body == NO_BODY else stage.things.fill(sample.body, who)
    before, logged = stage.snapshot(), len(stage.entries())

    for bad in bad_bodies(stage.document, operation, body):
        answer = await stage.ask(operation, sample, who, content=bad.content)
        check_problem(answer, bad.what)
        if bad.field is not None:
            named = answer.json().get("field") or ""
            assert bad.field in named.split(".")[:2], (bad.what, answer.text)  # a body of several kinds names the kind

    assert differences(before, stage.snapshot()) == {}
    assert len(stage.entries()) == logged


@pytest.mark.parametrize("name", SAMPLES)
async def test_an_unknown_or_doubled_query_parameter_is_refused_and_named(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    who = those_who_may(operation, sample)[0]
    query = stage.things.fill(dict(sample.query), who)
    before = stage.snapshot()

    answer = await stage.ask(operation, sample, who, query={**query, UNKNOWN: "1"})

    check_problem(answer, "an unknown parameter")
    assert answer.json()["field"] == UNKNOWN
    for parameter in operation.parameter_names("query"):
        doubled = await stage.ask(operation, sample, who, query={**query, parameter: ["a", "a"]})
        check_problem(doubled, f"{parameter} twice")
        assert doubled.json()["field"] == parameter
    assert differences(before, stage.snapshot()) == {}


@pytest.mark.parametrize("name", SAMPLES)
async def test_a_query_parameter_that_is_too_long_or_holds_nul_is_refused_and_named(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    who = those_who_may(operation, sample)[0]
    query = stage.things.fill(dict(sample.query), who)

    for parameter in operation.parameter_names("query"):
        for value in (LONG[:8000], "a\x00b"):
            answer = await stage.ask(operation, sample, who, query={**query, parameter: value})
            check_problem(answer, f"{parameter}={value[:5]!r}")
            assert answer.json()["field"].split(".")[0] == parameter


@pytest.mark.parametrize("name", SAMPLES)
async def test_an_id_of_something_else_in_the_path_is_told_apart(stage: Stage, name: str) -> None:
    operation, sample = stage.document.by_id[name], SAMPLES[name]
    who = those_who_may(operation, sample)[0]
    typed = [one for one in operation.parameters if one["in"] == "path" and "id of" in one.get("description", "")]

    for parameter in typed:
        path = re.sub(rf"\{{{parameter['name']}\}}", _WRONG_ID, operation.path)
        rest = {one: f"{{{one.removesuffix('_id')}}}" for one in operation.parameter_names("path")}
        filled = path.format(**stage.things.fill({**rest, **sample.path}, who))
        answer = await stage.send(f"{operation.method} {filled}", who)
        check_problem(answer, str(parameter["name"]))
        assert answer.json()["field"] == parameter["name"]
