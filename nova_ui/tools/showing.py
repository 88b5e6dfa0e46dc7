"""What a tool shows before it changes anything: the object as it is now, and what would happen (rules C2, C13)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import Change, Consequence, Nova, NovaAnswer, Shown
from nova_ui.errors import NovaConflict, NovaForbidden, NovaNotFound
from nova_ui.tools.results import readable_object

MAX_NAMES: Final = 5  # as many as a card tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A read of one object or of an impact: which endpoint, for which path values and query."""

    endpoint: str
    path: Mapping[str, str]
    query: Mapping[str, str] | None = None


async def find_object(nova: Nova, look: Look) -> NovaAnswer | None:
    """Read an object; None if there is none, or no right to read it."""
    try:
        return await nova.call(look.endpoint, path=look.path, query=look.query)
    except (NovaNotFound, NovaForbidden):
        return None


async def show_object(
    nova: Nova,
    look: Look,
    impact: Look | None,
    *,
    fields: Sequence[str],
    unknown: str,
    after: Mapping[str, JsonValue] | None = None,
) -> Shown:
    """Show one object by `fields`, the fields that change to `after`, and the consequences by its impact.

    `unknown` stands for the name of an object that cannot be read.

    Raises:
        NovaProblem: the action would be refused, in the words of that refusal.

    """
    found = await find_object(nova, look)
    if found is None:
        return Shown(subject=unknown)
    state = readable_object(found.object, fields)
    consequences = await read_consequences(nova, impact) if impact else ()
    return Shown(
        subject=name_of(found.object, unknown),
        current_state=state,
        changes=changes_between(found.object, after or {}),
        consequences=consequences,
        etag=found.etag,
    )


async def read_consequences(nova: Nova, impact: Look) -> tuple[Consequence, ...]:
    """Read what would go with an action.

    Raises:
        NovaProblem: the action would be refused, in the words of that refusal.

    """
    answer = (await nova.call(impact.endpoint, path=impact.path, query=impact.query)).object
    raise_refusal(answer)
    effects = answer.get("effects")
    return (
        tuple(_consequence(effect) for effect in effects if isinstance(effect, dict))
        if isinstance(effects, list)
        else ()
    )


def raise_refusal(impact: JsonObject) -> None:
    """Raise the refusal that an impact announces, so that nobody is asked to confirm what cannot be done."""
    refusal = impact.get("refusal")
    if not isinstance(refusal, dict):
        return
    code, detail = str(refusal.get("code")), str(refusal.get("detail") or "")
    if code == NovaForbidden.default_code:
        raise NovaForbidden(detail)
    raise NovaConflict(detail, code=code)


def changes_between(before: JsonObject, after: Mapping[str, JsonValue]) -> tuple[Change, ...]:
    """Return the fields of `after` that differ from `before`."""
    return tuple(
        Change(field=name, before=before.get(name), after=value)
        for name, value in after.items()
        if before.get(name) != value
    )


async def refer(nova: Nova, endpoint: str, name: str, id_: str) -> JsonObject:
    """Return another object as `{id, display_name}`, by its id where it can't be read; `name` is the path's."""
    found = await find_object(nova, Look(endpoint=endpoint, path={name: id_}))
    return {"id": id_, "display_name": id_ if found is None else name_of(found.object, id_)}


async def refer_all(nova: Nova, endpoint: str, name: str, ids: Sequence[str]) -> list[JsonValue]:
    """Return several objects as `refer` does."""
    return [await refer(nova, endpoint, name, id_) for id_ in ids]


def told(type_: str, names: Sequence[str], result: str, count: int | None = None) -> tuple[Consequence, ...]:
    """Return the line of a card about `names`, or none where there are none."""
    if not names:
        return ()
    line = Consequence(
        type=type_, count=len(names) if count is None else count, names=tuple(names[:MAX_NAMES]), result=result
    )
    return (line,)


def name_of(found: JsonObject, unknown: str) -> str:
    """Return the name that an object is shown by."""
    name = found.get("display_name")
    return name if isinstance(name, str) and name else unknown


def _consequence(effect: JsonObject) -> Consequence:
    count, names = effect.get("count"), effect.get("names")
    return Consequence(
        type=str(effect.get("type")),
        count=count if isinstance(count, int) else 0,
        names=tuple(str(name) for name in names) if isinstance(names, list) else (),
        result=str(effect.get("result") or ""),
    )
