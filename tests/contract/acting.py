"""How a sample is acted out: who may by its marks, and what an answer amounts to."""

from http import HTTPStatus
from typing import Final

import httpx

from tests.contract.cast import LETTERS
from tests.contract.operations import Operation
from tests.contract.sample import Sample

_REFUSED: Final = frozenset({403, 404})


def letters_of(operation: Operation, sample: Sample) -> frozenset[str]:
    """Return the letters of the mark; the sample tells where its one request differs, and why."""
    letters = set(operation.who)
    for letter in sample.besides:
        if letter.startswith("-"):
            letters.discard(letter[1:])
        else:
            letters.add(letter)
    return frozenset(letters)


def may(operation: Operation, sample: Sample, who: str) -> bool:
    """Return whether the marks let `who` do this."""
    letters = letters_of(operation, sample)
    belongs_to_all = sample.about_caller and "S" in letters
    return "*" in letters or belongs_to_all or bool(letters & LETTERS[who])


def those_who_may(operation: Operation, sample: Sample) -> list[str]:
    """Return who of the cast may, in the order of the letters."""
    return [who for who in LETTERS if may(operation, sample, who)]


def was_let(operation: Operation, sample: Sample, who: str, answer: httpx.Response) -> bool:
    """Return whether the answer gave `who` something.

    A list without anything in it is what others get to see; it may also be all that somebody has.
    """
    if answer.status_code in _REFUSED or _decides_for_themselves(answer) or is_refused_item_by_item(answer):
        return False
    assert answer.is_success, f"{operation.endpoint} as {who}: {answer.status_code} {answer.text}"
    if operation.is_list and _is_empty(answer):
        return may(operation, sample, who) and not letters_of(operation, sample) & LETTERS[who]
    return True


def is_refused_item_by_item(answer: httpx.Response) -> bool:
    """Return whether an answer about several things says of each that it is refused."""
    if (
        not answer.is_success
        or not answer.content
        or not answer.headers.get("content-type", "").startswith("application/json")
    ):
        return False
    shown = answer.json()
    effects = shown.get("effects") if isinstance(shown, dict) else None
    return isinstance(effects, list) and {one.get("result") for one in effects} == {"refused"}


def _decides_for_themselves(answer: httpx.Response) -> bool:
    return answer.status_code == HTTPStatus.CONFLICT and answer.json()["code"] == "approver_conflict"


def _is_empty(answer: httpx.Response) -> bool:
    if not answer.headers.get("content-type", "").startswith("application/json"):
        return False
    shown = answer.json()
    return isinstance(shown, dict) and shown.get("items") == []
