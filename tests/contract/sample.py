"""What a sample is: one valid request for an operation, said in names of things on the stage."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlmodel import SQLModel

from nova_ui.domain.json_value import JsonValue
from storage.chat.tables import AssistantRow

NO_BODY: Final = "no body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One valid request for an operation, as somebody whom its `x-nova-who` names would make it.

    `"{group}"` in path, query and body stands for the id of the thing on the stage called *group*; names that begin
    with `own_` stand for another thing for each person. A parameter of the path that is not given here is looked up
    by its name (`group_id` is *group*).
    """

    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: JsonValue = NO_BODY
    impact: Mapping[str, str] | None = None
    """The query of the impact read, for a destructive operation."""
    about_caller: bool = False
    """The thing belongs to whoever asks, so that everyone whom the mark names by S is allowed."""
    besides: Mapping[str, str] = field(default_factory=dict)
    """Letters that this one request is for besides or, with `-` before, without: each with the reason."""
    effects_in: Mapping[str, str] = field(default_factory=dict)
    """In which table effects of a type are seen, where that is not the type's own; empty: in none."""
    repeats: str = ""
    """Why this destructive request can be made again, and does the same again."""
    changes_nothing: str = ""
    """Why this request of a writing operation changes no row."""
    follows: Mapping[str, str] = field(default_factory=dict)
    """Tables that a destructive operation changes besides those of its effects: each with the reason."""


@dataclass(slots=True)
class Things:
    """What stands on the stage: ids by name, rows to be stored in the order of their foreign keys."""

    ids: dict[str, str] = field(default_factory=dict)
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    rows: list[SQLModel] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    """What is stored and must be in no answer."""

    def add(self, name: str, row: SQLModel) -> None:
        """Put a row on the stage under a name, which nothing else there has."""
        assert name not in self.ids, f"something else on the stage is called {name}"
        key = row.key if isinstance(row, AssistantRow) else getattr(row, "id", "")
        self.ids[name] = str(key)
        self.rows.append(row)

    def add_own(self, person: str, name: str, row: SQLModel) -> None:
        """Put a row on the stage that *name* stands for when `person` asks."""
        self.own.setdefault(person, {})[name] = getattr(row, "id", "")
        self.rows.append(row)

    def also(self, rows: Iterable[SQLModel]) -> None:
        """Put rows on the stage that need no name."""
        self.rows.extend(rows)

    def fill(self, value: Any, person: str) -> Any:  # noqa: ANN401 - JSON of a sample
        """Replace names by ids, as seen by `person`."""
        match value:
            case str() if "{" in value:
                return value.format(**self.ids, **self.own.get(person, {}))
            case list():
                return [self.fill(one, person) for one in value]
            case dict():
                return {name: self.fill(one, person) for name, one in value.items()}
            case _:
                return value
