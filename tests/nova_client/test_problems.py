"""Problem objects of Nova become our errors, and a failing server's own words never do."""

import json

import pytest

from nova_ui.errors import (
    NovaConflict,
    NovaForbidden,
    NovaInvalid,
    NovaNotFound,
    NovaPreconditionFailed,
    NovaProblem,
    NovaTooLarge,
    NovaTooMany,
    NovaUnauthenticated,
    NovaUnavailable,
    NovaUnsaved,
)
from nova_ui.nova_client.problems import problem_from


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, NovaInvalid),
        (401, NovaUnauthenticated),
        (403, NovaForbidden),
        (404, NovaNotFound),
        (409, NovaConflict),
        (412, NovaPreconditionFailed),
        (413, NovaTooLarge),
        (422, NovaInvalid),
        (429, NovaTooMany),
        (418, NovaUnavailable),
        (500, NovaUnavailable),
        (503, NovaUnavailable),
    ],
)
def test_the_status_decides_which_error_it_is(status: int, kind: type[NovaProblem]) -> None:
    problem = problem_from(status, b"{}")

    assert type(problem) is kind


def test_code_words_field_and_further_members_are_kept() -> None:
    body = {"type": "about:blank", "code": "sod_conflict", "detail": "No.", "field": "role_id", "policies": ["a"]}

    problem = problem_from(409, json.dumps(body).encode())

    assert (problem.code, problem.detail, problem.field) == ("sod_conflict", "No.", "role_id")
    assert problem.extra == {"policies": ["a"]}


@pytest.mark.parametrize("content", [b"", b"<html>", b"[1]", b'"text"', b"[" * 100_000, b"\xff", b'{"code": 7}'])
def test_a_refusal_without_a_usable_body_still_is_one(content: bytes) -> None:
    problem = problem_from(403, content)

    assert isinstance(problem, NovaForbidden)
    assert problem.code == "forbidden"


def test_what_a_failing_server_wrote_is_not_passed_on() -> None:
    problem = problem_from(500, json.dumps({"code": "x", "detail": "Traceback: key hunter2"}).encode())

    assert problem.code == "unavailable"
    assert "hunter2" not in problem.detail


def test_i3_long_words_are_cut() -> None:
    problem = problem_from(400, json.dumps({"detail": "x" * 10_000}).encode())

    assert len(problem.detail) == 2_000


@pytest.mark.parametrize("code", ["database_busy", "database_full", "database_unavailable"])
def test_of_a_database_that_can_not_be_used_the_code_is_kept_and_nothing_else(code: str) -> None:
    body = {"code": code, "detail": "INSERT INTO secrets", "status": 503}

    problem = problem_from(503, json.dumps(body).encode())

    assert isinstance(problem, NovaUnsaved)
    assert problem.code == code
    assert "INSERT" not in problem.detail
    assert not isinstance(problem_from(503, b'{"code": "made_up"}'), NovaUnsaved)
    assert not isinstance(problem_from(500, json.dumps(body).encode()), NovaUnsaved)
