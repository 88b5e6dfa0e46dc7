"""What goes with a destructive action: planned once, for the impact and for the action alike (rule C13)."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Final

from nova_ui.errors import NovaConflict, NovaForbidden
from nova_ui.nova.views import Effect, Impact, ImpactEffect, ObjectRef, RefusalView

MAX_NAMES: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One object that an action takes along; `onto` is who gets it, where it changes hands."""

    type: str
    id: str
    display: str
    result: str
    onto: str | None = None

    @property
    def effect(self) -> Effect:
        """The answer's line for it."""
        return Effect(type=self.type, id=self.id, display=self.display, result=self.result)


def effects_of(planned: Sequence[Planned]) -> list[Effect]:
    """Return the lines of the answer to a destructive action."""
    return [one.effect for one in planned]


async def weigh(subject: ObjectRef, plan: Awaitable[Sequence[Planned]]) -> Impact:
    """Return what an action would do, or the refusal that it would give."""
    try:
        planned = await plan
    except (NovaForbidden, NovaConflict) as problem:
        return Impact(object=subject, effects=[], refusal=RefusalView(code=problem.code, detail=problem.detail))
    kinds = dict.fromkeys((one.type, one.result) for one in planned)
    return Impact(object=subject, effects=[_group(planned, kind, result) for kind, result in kinds])


def _group(planned: Sequence[Planned], kind: str, result: str) -> ImpactEffect:
    same = [one for one in planned if (one.type, one.result) == (kind, result)]
    names = [one.display for one in same if one.display][:MAX_NAMES]
    return ImpactEffect(type=kind, count=len(same), names=names, result=result)
