"""Writes hostile text into every field, as whoever may with the fewest rights, and tells which of them hold it."""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import httpx

from nova_ui.domain.json_value import JsonObject
from tests.contract.acting import is_refused_item_by_item, those_who_may
from tests.contract.sample import NO_BODY, Sample
from tests.contract.samples import SAMPLES
from tests.contract.stage import Stage
from tests.injection.fields import Field
from tests.injection.instructions import DISGUISES, TIGHT, Instruction

_BY_RIGHTS: Final = ("uma", "sam", "lea", "olga", "paul", "mara")
_UNIQUE: Final = ("key", "user_name", "native_name", "display_name")
_INVALID: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})

_RULE: Final = 'department eq "Sales"'
_CALLBACK: Final = "https://x.example/callback"
_LDAP: Final[JsonObject] = {"kind": "ldap", "url": "ldaps://x.example", "bind_dn": "cn=a", "base_dn": "dc=b"}
_OIDC: Final[JsonObject] = {"kind": "oidc", "issuer": "https://x.example", "client_id": "x"}
BESIDES: Final[Mapping[str, Sequence[JsonObject]]] = {
    "create_group": [{"display_name": "Ruled", "membership": "rule", "rule": _RULE}],
    "update_group": [{"membership": "rule", "rule": _RULE}],
    "set_connection": [
        {**_LDAP, "user_filter": "(cn=a)", "group_filter": "(cn=a)"},
        {**_OIDC, "redirect_uris": [_CALLBACK], "post_logout_redirect_uris": [_CALLBACK]},
    ],
    "create_export": [{"resource": "identities", "filter": {"department": "Sales"}}],
}
"""Other bodies of an operation, for fields that its sample leaves no place for."""


@dataclass
class Writing:
    """What was written: fields by the mark in their text, and those that refuse, with what they say."""

    stage: Stage
    wishes: Iterable[Instruction]
    held: dict[str, Field] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    postponed: list[Field] = field(default_factory=list)
    requests: int = 0
    _marks: Iterator[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self._wishes = itertools.cycle(self.wishes)
        self._disguises = itertools.cycle(DISGUISES.values())

    async def write(self, one: Field) -> None:
        """Try every disguise until the field holds one; what fails for what was written before is put off."""
        wish, disguise = next(self._wishes), next(self._disguises)
        mark = f"q{next(self._marks):03}"
        marked = Instruction(wish.tool, wish.arguments, mark)
        answers = []
        for body, form in itertools.product(self._bodies(one), (disguise, *TIGHT.values())):
            answer = await self._send(one, body, form(marked), mark)
            if answer.is_success and not is_refused_item_by_item(answer):
                self.held[mark] = one
                return
            answers.append(answer)
        if not any(answer.status_code in _INVALID for answer in answers):
            self.postponed.append(one)
            return
        self.refused[one.name] = _why(one, answers)

    def _bodies(self, one: Field) -> Iterator[Sample]:
        sample = SAMPLES[one.operation.id]
        others = [body for body in BESIDES.get(one.operation.id, ()) if one.path[0] in body]
        yield from (Sample(path=sample.path, body=body) for body in others) if others else (sample,)

    async def _send(self, one: Field, sample: Sample, text: str, mark: str) -> httpx.Response:
        who = min(those_who_may(one.operation, SAMPLES[one.operation.id]), key=_BY_RIGHTS.index)
        is_change = one.operation.method == "PATCH" and sample is SAMPLES[one.operation.id]
        given = {} if is_change or sample.body == NO_BODY else self.stage.things.fill(sample.body, who)
        body: Any = one.body(given, text)
        if one.operation.id.startswith("create_"):  # made once already, for another field
            body |= {name: f"{body[name]}-{mark}" for name in _UNIQUE if name in given and name != one.path[0]}
        self.requests += 1
        return await self.stage.ask(one.operation, sample, who, body=body)


def _why(one: Field, answers: Sequence[httpx.Response]) -> str:
    """Return why the field takes none of the texts; a refusal that is about something else is not one."""
    name = next(part for part in reversed(one.path) if part.isidentifier())
    told = [answer.json() for answer in answers if answer.status_code in _INVALID]
    about = [
        str(problem["detail"])
        for problem in told
        if name in f"{problem.get('field')} {problem['detail']}" and "is not known here" not in problem["detail"]
    ]
    assert about, f"{one.name} takes no text, and nothing says why: {[answer.text for answer in answers]}"
    return about[0]


async def put_into_own_name(stage: Stage, who: str, text: str) -> None:
    """Let somebody without any role give themselves a name."""
    answer = await stage.send("PATCH /me", who, content=json.dumps({"display_name": text}).encode())
    assert answer.is_success, answer.text
