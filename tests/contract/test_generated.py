"""Whatever the document allows, and much that it doesn't: no failure, and answers as the document says they are.

Schemathesis makes the requests from the OpenAPI document, the same ones each time, and everybody of the cast sends
each. `NOVA_TEST_EXAMPLES=50 pytest tests/contract/test_generated.py` tries more of them.
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from tests.conftest import GENERATED_EXAMPLES
from tests.contract.cast import LETTERS, token_of
from tests.contract.known_codes import KNOWN_CODES
from tests.contract.sample import Sample
from tests.contract.samples import SAMPLES
from tests.contract.stage import Stage
from tests.fakes.guarded import API_URL

_ID: Final = re.compile(r"[a-z]{3}_[0-9a-z]{20}")
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
SENDERS: Final = (*LETTERS, None)
_SETTINGS: Final = hypothesis.settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=GENERATED_EXAMPLES,
    phases=[hypothesis.Phase.generate],
    suppress_health_check=list(hypothesis.HealthCheck),
)


@pytest.fixture(scope="module")
def loop(built_stage: Stage) -> Iterator[asyncio.Runner]:
    """One event loop for all: hypothesis calls from outside of it."""
    with asyncio.Runner() as runner:
        yield runner
        runner.run(built_stage.parts.database.close())


@pytest.fixture(scope="module")
def document(built_stage: Stage) -> Any:  # noqa: ANN401 - Schemathesis' own
    return schemathesis.openapi.from_dict(dict(built_stage.document.raw))


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "invalid"])
@pytest.mark.parametrize("name", SAMPLES)
def test_every_answer_is_what_the_document_says(
    built_stage: Stage,
    loop: asyncio.Runner,
    document: Any,  # noqa: ANN401
    name: str,
    mode: GenerationMode,
) -> None:
    stage = built_stage
    loop.run(stage.come_to_rest())
    stage.reset()
    operation = stage.document.by_id[name]
    generated = document[operation.path][operation.method]

    @_SETTINGS
    @hypothesis.given(case=generated.as_strategy(mode), exists=st.booleans())
    def send(case: Case[Any], *, exists: bool) -> None:
        # A line break in a path reaches no mounted application: what answers is whatever stands around the API.
        hypothesis.assume("%0a" not in case.formatted_path.lower())
        if exists and mode is GenerationMode.POSITIVE:
            _speak_of_what_is_there(stage, SAMPLES[name], case)
        for who in SENDERS:
            answer = loop.run(_send(stage, case, who))
            checks = [*CHECKS, negative_data_rejection] if mode is GenerationMode.NEGATIVE else CHECKS
            if answer.headers.get("content-type", "").startswith("text/event-stream"):
                checks = [not_a_server_error]  # what the document calls a text, Schemathesis takes for each event
            case.validate_response(answer, checks=checks)
            check_answer(stage, answer)

    with suppress(hypothesis.errors.Unsatisfiable):  # nothing of this operation can be invalid, or valid
        send()


def _speak_of_what_is_there(stage: Stage, sample: Sample, case: Case[Any]) -> None:
    """Put ids of things on the stage where the case has made-up ones of the same type."""
    there = {one[:4]: one for one in stage.things.ids.values()}
    own = stage.things.fill(dict(sample.path), "sam")

    def known(value: Any) -> Any:  # noqa: ANN401 - generated JSON
        match value:
            case str() if _ID.fullmatch(value):
                return there.get(value[:4], value)
            case list():
                return [known(one) for one in value]
            case dict():
                return {name: known(one) for name, one in value.items()}
            case _:
                return value

    case.path_parameters = {**known(case.path_parameters or {}), **own}
    if case.query:
        case.query = known(case.query)
    if isinstance(case.body, dict):
        case.body = known(case.body)


async def _send(stage: Stage, case: Case[Any], who: str | None) -> httpx.Response:
    headers = {} if who is None else {"Authorization": f"Bearer {token_of(who)}"}
    prepared = case.as_transport_kwargs(base_url=API_URL, headers=headers)
    known: dict[str, Any] = {
        name: prepared[name] for name in ("method", "url", "params", "json", "headers") if name in prepared
    }
    if prepared.get("data") is not None:
        known["content"] = prepared["data"]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(stage.outside)) as client:
        return await client.request(**known)


def check_answer(stage: Stage, answer: httpx.Response) -> None:
    """Check what no schema says: problems have a known code, and no answer holds a secret."""
    if answer.is_error:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["code"] in KNOWN_CODES
    assert not [secret for secret in stage.things.secrets if secret in answer.text]
