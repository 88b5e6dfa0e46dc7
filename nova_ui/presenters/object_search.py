"""Finding objects by name for a form, so that nobody has to type an id: only what Nova lists to this person anyway."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaForbidden, NovaNotFound, NovaUiError
from nova_ui.presenters.nova_calls import NovaCalls

MAX_FOUND: Final = 20
MAX_SEARCH_CHARS: Final = 100
_MIN_DIRECTORY_CHARS: Final = 2

_ID_PATTERN: Final = re.compile(r"\^([a-z]{3})_\[0-9a-z\]\{20\}\$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An object as a list of choices shows it: `note` tells apart those of one name."""

    id: str
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A list of Nova's. What identifies a row is in `id_field`; `names` and `notes` are joined to its words."""

    endpoint: str
    names: tuple[str, ...] = ("display_name",)
    notes: tuple[str, ...] = ()
    id_field: str = "id"
    fixed: Mapping[str, str | bool] = field(default_factory=dict)
    min_chars: int = 0


# The next source is asked where the one before is not open to this person.
_SOURCES: Final[Mapping[str, tuple[_Source, ...]]] = {
    "idn": (
        _Source(endpoint="GET /identities", notes=("title", "department")),
        _Source(endpoint="GET /directory", notes=("title", "department"), min_chars=_MIN_DIRECTORY_CHARS),
    ),
    "grp": (_Source(endpoint="GET /groups", notes=("description",)),),
    "rol": (
        _Source(endpoint="GET /roles", notes=("application",)),
        _Source(endpoint="GET /catalog", notes=("application",), id_field="role_id", fixed={"type": "role"}),
    ),
    "app": (_Source(endpoint="GET /applications", notes=("description",)),),
    "asg": (_Source(endpoint="GET /assignments", names=("identity", "role"), notes=("application", "source")),),
    "req": (_Source(endpoint="GET /access-requests", names=("beneficiary", "items"), notes=("status", "created_at")),),
    "apv": (
        _Source(
            endpoint="GET /approvals",
            names=("requester", "items"),
            notes=("created_at",),
            fixed={"mine": True, "status": "open"},
        ),
    ),
    "ses": (_Source(endpoint="GET /me/sessions", names=("ip",), notes=("user_agent",), fixed={"status": "active"}),),
}


def prefix_of(pattern: JsonValue) -> str:
    """Return of which kind of id a schema's pattern is, or an empty text if there is no list of such objects."""
    found = _ID_PATTERN.fullmatch(pattern) if isinstance(pattern, str) else None
    prefix = found.group(1) if found else ""
    return prefix if prefix in _SOURCES else ""


class ObjectSearch:
    """Asks Nova as the person who fills the form; what was found goes into `names`, by id."""

    def __init__(self, nova: NovaCalls, names: dict[str, str]) -> None:
        self._nova = nova
        self._names = names

    async def find(self, prefix: str, text: str) -> Sequence[Found]:
        """Return some objects of this kind whose names hold `text`; none where nothing may be seen."""
        wanted = text.strip()[:MAX_SEARCH_CHARS]
        if re.fullmatch(rf"{prefix}_[0-9a-z]{{20}}", wanted):
            return (Found(id=wanted, name=wanted),)
        for source in _SOURCES.get(prefix, ()):
            if len(wanted) < source.min_chars:
                continue
            try:
                answer = await self._nova.call(source.endpoint, query=_query(source, wanted))
            except (NovaForbidden, NovaNotFound):
                continue  # not open to this person: perhaps the next list is
            except NovaUiError:
                return ()
            found = _found_in(answer.object, source)
            self._names.update({one.id: one.name for one in found if one.name})
            return found
        return ()


def _query(source: _Source, text: str) -> dict[str, str | int | bool | None]:
    return {**source.fixed, "q": text or None, "limit": MAX_FOUND}


def _found_in(answer: JsonObject, source: _Source) -> tuple[Found, ...]:
    rows = answer.get("items")
    found = [_found(row, source) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return tuple(one for one in found if one.id)


def _found(row: JsonObject, source: _Source) -> Found:
    identifier = row.get(source.id_field)
    return Found(
        id=identifier if isinstance(identifier, str) else "",
        name=" – ".join(filter(None, (_words(row.get(name)) for name in source.names))),
        note=" · ".join(filter(None, (_words(row.get(name)) for name in source.notes))),
    )


def _words(value: JsonValue) -> str:
    """Return what a member says: an object by its name, a list by its entries', a moment by its day."""
    if isinstance(value, str):
        return value[:10] if re.match(r"\d{4}-\d{2}-\d{2}T", value) else value
    if isinstance(value, dict):
        return _words(value.get("display_name") or value.get("role"))
    if isinstance(value, list):
        return ", ".join(filter(None, (_words(item) for item in value)))
    return ""
