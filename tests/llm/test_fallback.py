"""Who stands in for whom, where data may go for that, and who is left alone for a while."""

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import product

import pytest
from pydantic import SecretStr

from nova_ui.domain.ai_profile import ModelProfile, ProviderKind
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.breaker import FIRST_REST, LONGEST_REST, Breaker
from nova_ui.llm.fallback import FALLS, FallBackOrder, ModelChain, NamedModel, is_wider, reachable
from nova_ui.llm.port import Mode
from nova_ui.llm.profiles import KeyedProfile
from nova_ui.llm.registry import ModelRegistry
from tests.builders import an_assistant
from tests.fakes.models import a_registry
from tests.fakes.moving_clock import MovingClock
from tests.fakes.scripted_model import ScriptedModel

HOUSE = "http://10.0.0.5/v1"
WORLD = "https://api.example.org/v1"


@dataclass(frozen=True)
class AiSettings:
    ai_base_url: str | None = None
    ai_api_key: SecretStr | None = None
    ai_model: str | None = None


def named(*names: str, mode: Mode = Mode.LOCAL) -> tuple[NamedModel, ...]:
    return tuple(NamedModel(name=name, model=ScriptedModel(name=name, mode=mode)) for name in names)


def chain_of(clock: MovingClock, breaker: Breaker | None = None) -> ModelChain:
    return ModelChain(named("a", "b", "c"), breaker or Breaker(clock))


def a_profile(key: str, base_url: str) -> KeyedProfile:
    profile = ModelProfile(
        key=key, name=key, kind=ProviderKind.OPENAI, base_url=base_url, models=(f"{key}-1", f"{key}-2")
    )
    return KeyedProfile(profile=replace(profile, allow_private=True))


async def places(order: FallBackOrder, *, model: str | None, own: tuple[str, ...] | None = None) -> list[str]:
    registry = a_registry()
    registry.use([a_profile("house", HOUSE), a_profile("other", HOUSE), a_profile("world", WORLD)], None, order)
    assistant = replace(an_assistant("list_groups"), model=model, fall_back=own)
    found = registry.places_for(assistant)
    await registry.aclose()
    return [one.name for one in found]


@pytest.mark.parametrize(("first", "other", "may_widen"), [*product(Mode, Mode, (False, True))])
def test_data_goes_no_further_than_before_unless_an_administrator_said_so(
    first: Mode, other: Mode, *, may_widen: bool
) -> None:
    chain = reachable(named("a", mode=first)[0], named("b", mode=other), may_widen=may_widen)

    is_asked = len(chain) == 2
    assert is_asked == (first is not Mode.BUILT_IN and (may_widen or not is_wider(other, first)))


def test_each_is_asked_once_and_nobody_behind_the_model_that_always_answers() -> None:
    (first,) = named("a")
    others = (*named("b", "a", "b"), *named("built-in", mode=Mode.BUILT_IN), *named("c"))

    assert [one.name for one in reachable(first, others, may_widen=False)] == ["a", "b", "built-in"]


async def test_the_order_for_all_keeps_a_local_assistant_local_and_its_own_order_is_taken_as_written() -> None:
    order = FallBackOrder(names=("world", "other/other-2", "gone", "built-in"))

    local = await places(order, model="house")
    widened = await places(replace(order, may_widen=True), model="house")
    external = await places(order, model="world/world-2")
    own = await places(order, model="house", own=("world",))
    alone = await places(order, model="house", own=())
    by_default = await places(order, model=None)

    assert local == ["house", "other/other-2", "built-in"]
    assert widened == ["house", "world", "other/other-2", "built-in"]
    assert external == ["world/world-2", "world", "other/other-2", "built-in"]
    assert own == ["house", "world"]
    assert alone == ["house"]
    assert by_default == ["built-in"]


async def test_every_place_says_its_model_its_mode_and_its_host() -> None:
    settings = AiSettings("http://127.0.0.1:9/v1", None, "m")
    registry = a_registry(settings)  # type: ignore[arg-type]  # the same fields
    registry.use([a_profile("world", WORLD)], None, FallBackOrder(names=("world", "built-in"), may_widen=True))

    found = registry.places_for(an_assistant("list_groups"))
    await registry.aclose()

    assert [(one.name, one.model, one.mode, one.host) for one in found] == [
        ("environment", "m", Mode.LOCAL, "127.0.0.1:9"),
        ("world", "world-1", Mode.EXTERNAL, "api.example.org"),
        ("built-in", "Built-in assistant", Mode.BUILT_IN, ""),
    ]


@pytest.mark.parametrize(
    ("proxy", "mode"),
    [
        ("", Mode.LOCAL),
        ("http://10.0.0.9:3128", Mode.LOCAL),
        ("https://proxy.example.org:3128", Mode.EXTERNAL),
        ("https://8.8.8.8:3128", Mode.EXTERNAL),
    ],
)
async def test_an_address_of_the_house_behind_a_proxy_outside_is_outside(proxy: str, mode: Mode) -> None:
    """It is the proxy's network that the address lies in, so such a model stands in for no local one."""
    given = a_profile("other", "https://10.0.0.6/v1")
    other = replace(given, profile=replace(given.profile, proxy_url=proxy, proxy_allow_private=True))
    registry = a_registry()
    registry.use([a_profile("house", HOUSE), other], None, FallBackOrder(names=("other",)))

    found = registry.places_for(replace(an_assistant("list_groups"), model="house"))
    (itself,) = registry.places_for(replace(an_assistant("list_groups"), model="other"))
    await registry.aclose()

    assert [one.name for one in found] == (["house", "other"] if mode is Mode.LOCAL else ["house"])
    assert (itself.mode, itself.by_address) == (mode, mode)


async def test_an_assistant_whose_profile_is_gone_goes_to_nobody_else() -> None:
    order = FallBackOrder(names=("world",), may_widen=True)

    assert await places(order, model="deleted") == ["built-in"]


@pytest.mark.parametrize("kind", FailureKind)
def test_only_what_another_model_mends_leads_to_another(kind: FailureKind) -> None:
    chain = chain_of(MovingClock())

    fall = chain.fall(ModelError(kind))

    assert (fall is not None) == (kind in FALLS)
    assert chain.current.name == ("b" if kind in FALLS else "a")


def test_nobody_stands_in_once_something_has_arrived() -> None:
    chain = chain_of(MovingClock())

    assert chain.fall(ModelError(FailureKind.SERVER, arrived=True)) is None
    assert chain.current.name == "a"


def test_behind_the_last_there_is_nobody() -> None:
    chain = chain_of(MovingClock())

    falls = [chain.fall(ModelError(FailureKind.SERVER)) for _ in range(4)]

    assert [fall and (fall.before, fall.after) for fall in falls] == [("a", "b"), ("b", "c"), None, None]
    assert not chain.has_another


def test_a_model_that_failed_is_left_alone_for_a_while_and_then_asked_again() -> None:
    clock = MovingClock()
    breaker = Breaker(clock)
    chain_of(clock, breaker).fall(ModelError(FailureKind.TIMEOUT))

    next_turn = chain_of(clock, breaker)
    skipped = next_turn.skip_resting()
    clock.move(FIRST_REST)
    later = chain_of(clock, breaker)

    assert skipped is not None
    assert (skipped.before, skipped.after, skipped.kind) == ("a", "b", FailureKind.TIMEOUT)
    assert later.skip_resting() is None
    assert later.current.name == "a"


def test_a_fall_goes_past_those_that_rest() -> None:
    clock = MovingClock()
    breaker = Breaker(clock)
    breaker.failed("b", ModelError(FailureKind.QUOTA))

    fall = chain_of(clock, breaker).fall(ModelError(FailureKind.SERVER))

    assert fall is not None
    assert fall.after == "c"


def test_where_all_rest_the_first_is_asked_all_the_same() -> None:
    clock = MovingClock()
    breaker = Breaker(clock)
    for name in "abc":
        breaker.failed(name, ModelError(FailureKind.SERVER))
    chain = chain_of(clock, breaker)

    assert chain.skip_resting() is None
    assert chain.current.name == "a"


def test_each_failure_doubles_the_rest_up_to_ten_minutes_and_an_answer_ends_it() -> None:
    clock = MovingClock()
    breaker = Breaker(clock)
    rests = []
    for _ in range(8):
        breaker.failed("a", ModelError(FailureKind.SERVER))
        lasted = timedelta()
        while breaker.resting("a") is not None and lasted <= LONGEST_REST:
            clock.move(timedelta(seconds=10))
            lasted += timedelta(seconds=10)
        rests.append(lasted.total_seconds())
    breaker.failed("a", ModelError(FailureKind.SERVER))
    breaker.answered("a")

    assert rests == [30, 60, 120, 240, 480, 600, 600, 600]
    assert breaker.resting("a") is None


def test_a_rest_lasts_as_long_as_the_provider_asks_for_but_no_longer_than_ten_minutes() -> None:
    clock = MovingClock()
    breaker = Breaker(clock)
    breaker.failed("short", ModelError(FailureKind.RATE_LIMIT, retry_after_s=90))
    breaker.failed("long", ModelError(FailureKind.RATE_LIMIT, retry_after_s=86_400))

    clock.move(timedelta(seconds=89))
    before = (breaker.resting("short"), breaker.resting("long"))
    clock.move(LONGEST_REST)

    assert before == (FailureKind.RATE_LIMIT, FailureKind.RATE_LIMIT)
    assert (breaker.resting("short"), breaker.resting("long")) == (None, None)


def test_only_the_latest_failures_are_kept() -> None:
    breaker = Breaker(MovingClock(), max_names=3)
    for number in range(10):
        breaker.failed(str(number), ModelError(FailureKind.SERVER))

    assert breaker.count == 3
    assert breaker.resting("9") is not None
    assert breaker.resting("6") is None


async def test_a_change_of_the_configuration_lets_every_model_be_asked_again() -> None:
    registry = a_registry(clock=MovingClock())
    order = FallBackOrder(names=("other",))
    profiles = [a_profile("house", HOUSE), a_profile("other", HOUSE)]
    assistant = replace(an_assistant("list_groups"), model="house")
    registry.use(profiles, None, order)
    registry.chain_for(assistant).fall(ModelError(FailureKind.CREDENTIALS))
    before = _asked_first(registry, assistant)

    registry.use(profiles, None, order)
    after = _asked_first(registry, assistant)
    await registry.aclose()

    assert (before, after) == ("other-1", "house-1")


def _asked_first(registry: ModelRegistry, assistant: object) -> str:
    chain = registry.chain_for(assistant)  # type: ignore[arg-type]  # built above
    chain.skip_resting()
    return chain.current.name
