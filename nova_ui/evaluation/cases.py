"""Requests and tasks as files hold them; docs/operating.md describes the format."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import ConfigurationError
from nova_ui.nova.sample_organisation import sample_id

ANY: Final = "*"  # as an argument: any value
SHIPPED: Final = Path(__file__).parent / "sets"
_SYMBOL: Final = re.compile(r"@([a-z]{3}):([^\s/?!,]*[^\s/?!,.])")
_MAX_STEPS: Final = 20


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Step(_Strict):
    """One message and the last call that it must lead to; without a tool nothing may be changed.

    With `press` it is a press of *Confirm and execute* on the card of the step before. All of `says` must stand in the
    answer.
    """

    text: str = Field(default="", max_length=4000)
    tool: str | None = None
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    press: bool = False
    says: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if self.press == bool(self.text):
            raise ValueError("a step has a text, or press: true")
        if (self.press or self.tool is None) and self.arguments:
            raise ValueError("arguments belong to a tool")
        return self


class Check(_Strict):
    """What an endpoint such as `/groups/{group_id}` must answer once all steps are done."""

    get: str = Field(pattern=r"^/[a-z_{}/-]+$")
    path: dict[str, str] = Field(default_factory=dict)
    status: int = 200
    field: str | None = None
    is_: JsonValue = Field(default=None, alias="is")


class _Entry(_Strict):
    text: str = Field(default="", max_length=4000)
    tool: str | None = None
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    says: tuple[str, ...] = ()
    steps: tuple[Step, ...] = Field(default=(), max_length=_MAX_STEPS)
    after: tuple[Check, ...] = ()

    @model_validator(mode="after")
    def _is_one_or_several(self) -> Self:
        if bool(self.steps) == bool(self.text):
            raise ValueError("a request has a text, or steps")
        return self


class _File(_Strict):
    about: str = ""
    language: Annotated[Language, Field(strict=False)]
    requests: tuple[_Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A request, or a task of several steps, in one chat."""

    language: Language
    steps: tuple[Step, ...]
    after: tuple[Check, ...] = ()

    @property
    def text(self) -> str:
        """What is said, step by step."""
        return " › ".join(step.text or "[Confirm and execute]" for step in self.steps)

    @property
    def tools(self) -> frozenset[str]:
        """The tools that it must lead to."""
        return frozenset(step.tool for step in self.steps if step.tool)


def read_cases(paths: Sequence[Path], languages: Sequence[Language] = tuple(Language)) -> list[Case]:
    """Return the requests of files, and of all `.json` files of folders, in the order of their names.

    Raises:
        ConfigurationError: a file can't be read, or is not of the format; the sentence names it and the place.

    """
    found = [case for path in paths for file in _files(path) for case in _cases(file)]
    return [case for case in found if case.language in languages]


def _files(path: Path) -> Iterator[Path]:
    yield from sorted(path.glob("*.json")) if path.is_dir() else (path,)


def _cases(path: Path) -> Iterator[Case]:
    try:
        given = _File.model_validate_json(path.read_text(encoding="utf-8"), strict=False)
    except OSError as error:
        raise ConfigurationError(f"{path} can't be read: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ConfigurationError(f"{path} is no JSON: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigurationError(f"{path}: {place}: {first['msg'].removeprefix('Value error, ')}") from None
    for entry in given.requests:
        steps = entry.steps or (Step(text=entry.text, tool=entry.tool, arguments=entry.arguments, says=entry.says),)
        yield Case(
            language=given.language,
            steps=tuple(_with_ids_in(step) for step in steps),
            after=tuple(check.model_copy(update={"path": with_ids(check.path)}) for check in entry.after),
        )


def _with_ids_in(step: Step) -> Step:
    return step.model_copy(update={"text": _with_id(step.text), "arguments": with_ids(step.arguments)})


def with_ids(arguments: Mapping[str, JsonValue]) -> JsonObject:
    """Return arguments with the ids of the sample organisation in place of names such as `@idn:tim.vogt`."""
    return {name: _in_place(value) for name, value in arguments.items()}


def _in_place(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return _with_id(value)
        case list():
            return [_in_place(item) for item in value]
        case dict():
            return with_ids(value)
        case _:
            return value


def _with_id(text: str) -> str:
    return _SYMBOL.sub(lambda found: sample_id(found[1], found[2]), text)
