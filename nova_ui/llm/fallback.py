"""Which models are asked one after the other when the first can't answer, and where data may go for that.

Decided in `docs/decisions/0010-fall-back.md`: only before anything of an answer arrived, only for failures that another
model mends, and never to a wider mode than the first model's unless an administrator said so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nova_ui.domain.ai_profile import DeclaredMode
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.breaker import Breaker
from nova_ui.llm.port import Mode, Model

MAX_ORDER: Final = 10

# Another model may do better. Not among them: what is wrong with the request itself (`rejected`, `too_long`), and what
# happens within an answer (`cut_off`, `too_much`).
FALLS: Final = frozenset(
    {
        FailureKind.UNAVAILABLE,
        FailureKind.RATE_LIMIT,
        FailureKind.SERVER,
        FailureKind.TIMEOUT,
        FailureKind.CONNECTION,
        FailureKind.PROXY,
        FailureKind.TLS,
        FailureKind.QUOTA,
        FailureKind.CREDENTIALS,
        FailureKind.NO_SUCH_MODEL,
        FailureKind.PROTOCOL,
    }
)
_WIDTHS: Final[Mapping[Mode, int]] = MappingProxyType({Mode.BUILT_IN: 0, Mode.LOCAL: 1, Mode.EXTERNAL: 2})


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedModel:
    """A model under the name that assistants and the order give it: a profile's key, or `key/model`."""

    name: str
    model: Model


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlace:
    """A place that an assistant's data may go to; `host` is empty for the model that is built in.

    `mode` is what counts; `by_address` and `declared` say what the address and the administrators have it be.
    """

    name: str
    model: str
    mode: Mode
    host: str = ""
    by_address: Mode | None = None
    declared: DeclaredMode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FallBackOrder:
    """Names in the order in which they are asked after an assistant's own model, for assistants without an own order.

    Without `may_widen` none is asked whose mode is wider than that of the assistant's own model.
    """

    names: tuple[str, ...] = ()
    may_widen: bool = False


def is_wider(mode: Mode, than: Mode) -> bool:
    """Whether data goes further with `mode`: built in, then local, then external."""
    return _WIDTHS[mode] > _WIDTHS[than]


def widest(places: Sequence[ModelPlace]) -> Mode:
    """Return how far data may go at most; with no place nowhere."""
    return max((place.mode for place in places), key=_WIDTHS.__getitem__, default=Mode.BUILT_IN)


def reachable(first: NamedModel, others: Sequence[NamedModel], *, may_widen: bool) -> tuple[NamedModel, ...]:
    """Return whom a turn may ask, in order: each once, and nobody behind the built-in model, which never fails."""
    found = [first]
    for one in others:
        if found[-1].model.mode is Mode.BUILT_IN:
            break
        if any(one.name == before.name for before in found):
            continue
        if may_widen or not is_wider(one.model.mode, first.model.mode):
            found.append(one)
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """The step from one model to the next; `kind` is how the first one failed, now or a moment ago."""

    before: str
    after: str
    kind: FailureKind


class ModelChain:
    """The models of one turn; whoever has failed for good is not asked again in it."""

    def __init__(self, models: Sequence[NamedModel], breaker: Breaker) -> None:
        self._models = tuple(models)
        self._breaker = breaker
        self._place = 0

    @classmethod
    def of_one(cls, model: Model) -> "ModelChain":
        """Return the chain of a model that nobody stands in for."""
        return cls((NamedModel(name="", model=model),), Breaker.never())

    @property
    def current(self) -> Model:
        """The model to ask now."""
        return self._models[self._place].model

    @property
    def has_another(self) -> bool:
        """Whether somebody can stand in for the current one."""
        return self._place + 1 < len(self._models)

    def skip_resting(self) -> Fall | None:
        """Go past models that failed a moment ago, unless all of them did."""
        kind = self._breaker.resting(self._models[self._place].name)
        place = next((at for at, one in enumerate(self._models) if self._breaker.resting(one.name) is None), None)
        return None if kind is None or place is None else self._go_to(place, kind)

    def fall(self, failure: ModelError) -> Fall | None:
        """Note that the current model failed for good; go to the next if it can stand in, else return None."""
        if failure.kind in FALLS and not failure.arrived:
            self._breaker.failed(self._models[self._place].name, failure)
        if failure.arrived or failure.kind not in FALLS or not self.has_another:
            return None
        behind = range(self._place + 1, len(self._models))
        awake = (at for at in behind if self._breaker.resting(self._models[at].name) is None)
        return self._go_to(next(awake, self._place + 1), failure.kind)

    def answered(self) -> None:
        """Note that the current model works."""
        self._breaker.answered(self._models[self._place].name)

    def _go_to(self, place: int, kind: FailureKind) -> Fall:
        before, self._place = self.current.name, place
        return Fall(before=before, after=self.current.name, kind=kind)
