"""Which parameters each kind of provider takes, and how high."""

import pytest

from nova_ui.domain.ai_profile import (
    MAX_TEMPERATURES,
    WORKING_KINDS,
    ModelParameters,
    ProviderKind,
    find_unsupported,
    supported_parameters,
)

WITH_EFFORT = {ProviderKind.OPENAI, ProviderKind.AZURE}
EACH = {
    "temperature": ModelParameters(temperature=0.0),
    "top_p": ModelParameters(top_p=0.0),
    "reasoning_effort": ModelParameters(reasoning_effort="none"),
}


@pytest.mark.parametrize("kind", sorted(WORKING_KINDS))
def test_every_kind_takes_a_temperature_and_top_p_and_some_an_effort(kind: ProviderKind) -> None:
    expected = ("temperature", "top_p", "reasoning_effort") if kind in WITH_EFFORT else ("temperature", "top_p")

    assert supported_parameters(kind) == expected
    assert find_unsupported(kind, ModelParameters()) is None
    assert {name: find_unsupported(kind, given) for name, given in EACH.items()} == {
        "temperature": None,
        "top_p": None,
        "reasoning_effort": None if kind in WITH_EFFORT else "reasoning_effort",
    }


@pytest.mark.parametrize("kind", sorted(WORKING_KINDS))
def test_a_temperature_is_taken_up_to_the_kind_s_highest(kind: ProviderKind) -> None:
    highest = MAX_TEMPERATURES[kind]

    assert find_unsupported(kind, ModelParameters(temperature=highest)) is None
    assert find_unsupported(kind, ModelParameters(temperature=highest + 0.1)) == "temperature"
    assert find_unsupported(kind, ModelParameters(top_p=highest + 0.1)) is None


@pytest.mark.parametrize("name", EACH)
def test_the_built_in_model_takes_none(name: str) -> None:
    assert supported_parameters(ProviderKind.BUILT_IN) == ()
    assert find_unsupported(ProviderKind.BUILT_IN, EACH[name]) == name
