"""Which model answers, and where the data goes."""

from dataclasses import dataclass, replace

import pytest
from pydantic import SecretStr

from nova_ui.domain.assistant import Assistant, AssistantKey, Audience, AudienceKind, ToolList
from nova_ui.errors import ConfigurationError
from nova_ui.guardrails.envelope import unwrap
from nova_ui.i18n.translator import Translators
from nova_ui.llm.port import Mode
from nova_ui.llm.registry import ModelRegistry, mode_of
from tests.llm.peer import DONE, a_peer, ask, chunk, head, text_of
from tests.llm.requests import a_request


@dataclass(frozen=True)
class AiSettings:
    ai_base_url: str | None = None
    ai_api_key: SecretStr | None = None
    ai_model: str | None = None


def _registry(settings: AiSettings) -> ModelRegistry:
    return ModelRegistry.from_settings(settings, unwrap=unwrap, translators=Translators())


def _assistant(model: str | None = None) -> Assistant:
    return Assistant(
        key=AssistantKey("helpdesk"),
        names={},
        descriptions={},
        prompt="",
        tools=ToolList(),
        audience=Audience(kind=AudienceKind.EVERYONE),
        model=model,
    )


async def test_without_an_endpoint_the_built_in_model_answers() -> None:
    registry = _registry(AiSettings())

    for assistant in (_assistant(), _assistant("some-model")):
        model = registry.for_assistant(assistant)

        assert (model.mode, registry.default.mode) == (Mode.BUILT_IN, Mode.BUILT_IN)
    await registry.aclose()


async def test_an_endpoint_answers_with_its_model_and_the_key() -> None:
    async with a_peer(head() + chunk(content="Hi") + chunk("stop") + DONE) as peer:
        registry = _registry(AiSettings(peer.url, SecretStr("sk-1234"), "default-model"))
        default = registry.for_assistant(_assistant())
        other = registry.for_assistant(_assistant("other-model"))

        answers = [await ask(model, a_request()) for model in (default, other)]
        await registry.aclose()

    assert [text_of(events) for events, _ in answers] == ["Hi", "Hi"]
    assert (default.name, other.name, default.mode) == ("default-model", "other-model", Mode.LOCAL)
    assert peer.body["model"] == "other-model"
    assert "authorization: bearer sk-1234" in peer.heads[0].lower()


async def test_an_assistant_may_keep_to_the_built_in_model() -> None:
    registry = _registry(AiSettings("http://127.0.0.1:9/v1", None, "m"))

    assert registry.for_assistant(_assistant("built-in")).mode is Mode.BUILT_IN
    await registry.aclose()


@pytest.mark.parametrize(
    "settings",
    [
        AiSettings("ftp://host", None, "m"),
        AiSettings("http://host", None, None),
        AiSettings("http://host", SecretStr("k\n"), "m"),
    ],
)
def test_unusable_settings_stop_the_start_without_the_key(settings: AiSettings) -> None:
    with pytest.raises(ConfigurationError) as stopped:
        _registry(settings)

    assert "k\n" not in stopped.value.reason
    assert replace(settings) == settings


@pytest.mark.parametrize(
    ("address", "mode"),
    [
        ("http://127.0.0.1:8080/v1", Mode.LOCAL),
        ("http://localhost/v1", Mode.LOCAL),
        ("http://[::1]:1/v1", Mode.LOCAL),
        ("http://10.0.0.5/v1", Mode.LOCAL),
        ("https://192.168.1.2/v1", Mode.LOCAL),
        ("http://169.254.1.1/v1", Mode.LOCAL),
        ("http://[fd00::1]/v1", Mode.LOCAL),
        ("https://api.example.org/v1", Mode.EXTERNAL),
        ("https://8.8.8.8/v1", Mode.EXTERNAL),
        ("http://[::ffff:8.8.8.8]/v1", Mode.EXTERNAL),
        ("http://0.0.0.0/v1", Mode.EXTERNAL),
        ("https://localhost.example.org/v1", Mode.EXTERNAL),
        ("https://10.0.0.5.example.org/v1", Mode.EXTERNAL),
    ],
)
def test_only_addresses_in_the_house_are_local(address: str, mode: Mode) -> None:
    assert mode_of(address) is mode
