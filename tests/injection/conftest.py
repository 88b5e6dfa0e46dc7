"""The stage of the contract tests, with a model that obeys whatever it reads."""

import asyncio

import pytest

from tests.contract.conftest import built_stage, stage
from tests.contract.stage import Stage
from tests.injection.obeying_model import ObeyingModel

__all__ = ["built_stage", "stage"]


@pytest.fixture
def obeying(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> ObeyingModel:
    """Let this model answer for every assistant."""
    # A lock that was once waited for belongs to that test's event loop.
    monkeypatch.setattr(stage.parts.database, "_write_lock", asyncio.Lock())
    model = ObeyingModel()
    monkeypatch.setattr(stage.parts.services.models, "chain_for", model.chain_for)
    return model
