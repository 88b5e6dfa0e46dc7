"""What can be done to an object on its page: described as data, prepared with its consequences, then run once."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaConflict, NovaProblem
from nova_ui.presenters.fields import Field, rows_in, text_at
from nova_ui.presenters.object_form import FormField

QueryValue = str | int | bool | None
Paths = Callable[[JsonObject], Mapping[str, str]]
Offered = Callable[[Identity, JsonObject], bool]


class NovaCalls(Protocol):
    """Nova as pages need it."""

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> NovaAnswer:
        """Call an endpoint.

        Raises:
            NovaProblem: it refused or failed.

        """


def no_object() -> JsonObject:
    """Return what an action is about that makes something new."""
    return {}


def no_path(_: JsonObject) -> Mapping[str, str]:
    """Return the path values of an endpoint that has none."""
    return {}


def path_of(name: str, at: str = "id") -> Paths:
    """Return what fills `{name}` of an endpoint: the value at `at` of the object."""
    return lambda one: {name: text_at(one, at)}


def administrators_only(person: Identity, _: JsonObject) -> bool:
    """Whether administrators, and nobody else, may do it."""
    return person.is_administrator


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """Where the consequences of a destructive action are asked for."""

    endpoint: str
    path: Paths
    query: Callable[[JsonObject], Mapping[str, QueryValue]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """A list that a form begins with, read besides the object: its rows stand under `name` in what is now."""

    name: str
    endpoint: str
    path: Paths
    query: Mapping[str, QueryValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Objects within an object, one below the other: the first of `fields` as their title, states as badges."""

    heading: str
    path: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing to do. Texts are message ids; `sentence` may name `{subject}`, the object, and `{other}`, the row.

    With `is_replacement` the form begins with what is now, and all of it is sent. With `is_immediate` it runs at once;
    With `weighs_form` the consequences depend on what the form gives: they are shown after it, before it runs.
    `told` leads to the answer's own sentence, which is shown instead of `done`, as bad news where `went_wrong` says so;
    `done_as` returns another message id than `done` where the answer asks for it. `listed` is what the object consists
    of; `run_label` is the word on the button, where it is not the action's own.
    `reads` is the endpoint that shows the object as it is now; its entity tag goes with the change. An action with
    a `weighing` is destructive: it shows what goes with it before it runs. With `is_patch` only changes are sent.
    Where `asks_again` says so, Nova asks for a fresh sign-in, so the password is asked for before it runs.
    """

    key: str
    label: str
    sentence: str
    done: str
    endpoint: str
    icon: str = ""
    path: Paths = no_path
    reads: str = ""
    reads_path: Paths = no_path
    state: tuple[Field, ...] = ()
    weighing: Weighing | None = None
    listed: tuple[Listing, ...] = ()
    fields: tuple[FormField, ...] = ()
    run_label: str = ""
    is_patch: bool = False
    is_replacement: bool = False
    is_immediate: bool = False
    weighs_form: bool = False
    filling: Filling | None = None
    told: str = ""
    done_as: Callable[[JsonObject], str] = lambda _: ""
    went_wrong: Callable[[JsonObject], bool] = lambda _: False
    shape: Callable[[JsonObject, JsonObject], JsonObject] = lambda body, _: body
    asks_again: Callable[[JsonObject], bool] = lambda _: False
    is_offered: Offered = administrators_only
    leaves: str = ""  # the path of the page to go to when it is done, the answer's id behind it if it ends in "/"
    name: str = "display_name"

    @property
    def is_destructive(self) -> bool:
        """Whether its consequences are shown before it runs."""
        return self.weighing is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """What goes with it: how many objects of a kind, and some of their names."""

    type: str
    count: int
    names: tuple[str, ...]
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """An action that is on the screen; `refusal` says that Nova would not do it. `key` makes it run once."""

    action: Action
    target: JsonObject
    current: JsonObject
    etag: str | None = None
    consequences: Sequence[Consequence] = ()
    refusal: NovaProblem | None = None
    key: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def subject(self) -> str:
        """The name of the object that it is about."""
        return text_at(self.current, self.action.name) or text_at(self.target, self.action.name)


class Actions:
    """Prepares and runs actions through Nova's endpoints, as every tool does (rule A5)."""

    def __init__(self, nova: NovaCalls) -> None:
        self._nova = nova

    async def prepare(self, action: Action, target: JsonObject) -> Prepared:
        """Read the object as it is now, and what the action would do.

        `target` is what the action is about; a row that belongs to an object holds it as `of`.

        Raises:
            NovaProblem: the object can't be read any more.

        """
        current, etag = target, None
        if action.reads:
            found = await self._nova.call(action.reads, path=action.reads_path(target))
            current, etag = found.object, found.etag
        if action.filling is not None:
            listed = await self._nova.call(
                action.filling.endpoint, path=action.filling.path(target), query=action.filling.query
            )
            current = {**current, action.filling.name: [*rows_in(listed.object)]}
        prepared = Prepared(action=action, target=target, current=current, etag=etag)
        if action.weighing is None or action.weighs_form:
            return prepared
        return await self.weigh(prepared, target)

    async def weigh(self, prepared: Prepared, about: JsonObject) -> Prepared:
        """Ask what a destructive action would do to `about`: the object, and what a form gave with it.

        Raises:
            NovaProblem: it can't be told.

        """
        weighing = prepared.action.weighing
        if weighing is None:
            return prepared
        path, query = weighing.path(prepared.target), weighing.query(about)
        impact = (await self._nova.call(weighing.endpoint, path=path, query=query)).object
        consequences = tuple(_consequence(one) for one in rows_in(impact, "effects"))
        return replace(prepared, consequences=consequences, refusal=_refusal_in(impact))

    async def run(self, prepared: Prepared, body: JsonObject) -> NovaAnswer | None:
        """Do it with what the form gave; None if there was nothing to change.

        Raises:
            NovaProblem: Nova refused or failed; as `precondition_failed` when somebody else was quicker.

        """
        action = prepared.action
        if action.is_patch and not body:
            return None
        shaped = action.shape(body, prepared.target)
        return await self._nova.call(
            action.endpoint,
            path=action.path(prepared.target),
            body=shaped if shaped or action.fields else None,
            if_match=prepared.etag,
            idempotency_key=prepared.key if action.endpoint.startswith("POST ") else None,
        )


def _consequence(effect: JsonObject) -> Consequence:
    count, names = effect.get("count"), effect.get("names")
    return Consequence(
        type=text_at(effect, "type"),
        count=count if isinstance(count, int) else 0,
        names=tuple(str(name) for name in names) if isinstance(names, list) else (),
        result=text_at(effect, "result"),
    )


def _refusal_in(impact: JsonObject) -> NovaProblem | None:
    refusal = impact.get("refusal")
    if not isinstance(refusal, dict):
        return None
    return NovaConflict(text_at(refusal, "detail"), code=text_at(refusal, "code"))
