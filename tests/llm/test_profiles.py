"""Stored profiles in use: guarded addresses, lost keys, models by name, replaced while they run."""

import socket

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from pydantic import SecretStr

from nova_ui.domain.ai_profile import ModelProfile, ProviderKind
from nova_ui.domain.clock import SystemClock
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.guarded_transport import guarded_transport
from nova_ui.llm.port import Mode, Model
from nova_ui.llm.profiles import KeyedProfile, Provider
from tests.fakes.models import a_registry
from tests.llm.peer import DONE, a_peer, ask, chunk, head, text_of
from tests.llm.requests import a_request

HI = head() + chunk(content="Hi") + chunk("stop") + DONE


def a_profile(base_url: str = "http://127.0.0.1:9/v1", *, key: str = "house") -> ModelProfile:
    return ModelProfile(
        key=key, name="House", kind=ProviderKind.OPENAI, base_url=base_url, models=("llama", "qwen"), allow_private=True
    )


class Names(AbstractResolver):
    """Says that every name leads to one address."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host, host=self.address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST
            )
        ]

    async def close(self) -> None:
        pass


async def failure_of(model: Model) -> FailureKind:
    with pytest.raises(ModelError) as failed:
        async for _ in model.stream(a_request()):
            pass
    return failed.value.kind


async def test_a_name_that_leads_into_the_house_is_not_called_unless_that_is_allowed() -> None:
    async with a_peer(HI) as peer:
        address = peer.url.replace("127.0.0.1", "localhost")
        keyed = KeyedProfile(profile=a_profile(address))
        guarded = Provider(
            keyed, SystemClock(), transport=guarded_transport(allow_private=False, resolver=Names("127.0.0.1"))
        )
        allowed = Provider(
            keyed, SystemClock(), transport=guarded_transport(allow_private=True, resolver=Names("127.0.0.1"))
        )

        refused = await failure_of(guarded.model())
        events, _ = await ask(allowed.model(), a_request())
        await guarded.aclose()
        await allowed.aclose()

    assert refused is FailureKind.CONNECTION
    assert text_of(events) == "Hi"
    assert len(peer.heads) == 1


@pytest.mark.parametrize("address", ["http://169.254.169.254/v1", "ftp://host/v1", "http://10.0.0.5/v1"])
async def test_an_address_that_may_not_be_called_is_not_called_even_if_it_is_stored(address: str) -> None:
    provider = Provider(KeyedProfile(profile=a_profile(address)), SystemClock())

    assert await failure_of(provider.model()) is FailureKind.CONNECTION


async def test_without_the_stored_key_nothing_is_sent() -> None:
    async with a_peer(HI) as peer:
        provider = Provider(KeyedProfile(profile=a_profile(peer.url), key_is_lost=True), SystemClock())

        kind = await failure_of(provider.model())

    assert kind is FailureKind.CREDENTIALS
    assert peer.heads == []


async def test_profiles_are_replaced_while_requests_go_on() -> None:
    async with a_peer(HI) as peer:
        registry = a_registry()
        keyed = KeyedProfile(profile=a_profile(peer.url), api_key=SecretStr("sk-1"))
        registry.use([keyed], None)
        before = registry.find("house/qwen")
        registry.use([], "gone")
        assert before is not None

        events, _ = await ask(before, a_request())
        gone = registry.find("house")
        default = registry.default
        await registry.aclose()

    assert text_of(events) == "Hi"
    assert gone is None
    assert default.mode is Mode.BUILT_IN
